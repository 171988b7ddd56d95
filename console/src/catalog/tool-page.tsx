import { Page } from '../ui/page.tsx';

export function ToolPage(_props: { readonly id?: string | null; readonly uuid?: string }) {
  return <Page title="ToolPage">{null}</Page>;
}
