import { Page } from '../ui/page.tsx';

export function Catalog(_props: { readonly id?: string | null; readonly uuid?: string }) {
  return <Page title="Catalog">{null}</Page>;
}
