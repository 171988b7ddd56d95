import { Page } from '../ui/page.tsx';

export function Processes(_props: { readonly id?: string | null; readonly uuid?: string }) {
  return <Page title="Processes">{null}</Page>;
}
