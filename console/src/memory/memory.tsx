import { Page } from '../ui/page.tsx';

export function Memory(_props: { readonly id?: string | null; readonly uuid?: string }) {
  return <Page title="Memory">{null}</Page>;
}
