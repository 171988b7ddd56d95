import { Page } from '../ui/page.tsx';

export function EntityPage(_props: { readonly id?: string | null; readonly uuid?: string }) {
  return <Page title="EntityPage">{null}</Page>;
}
