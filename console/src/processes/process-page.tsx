import { Page } from '../ui/page.tsx';

export function ProcessPage(_props: { readonly id?: string | null; readonly uuid?: string }) {
  return <Page title="ProcessPage">{null}</Page>;
}
