import { Page } from '../ui/page.tsx';

export function Operations(_props: { readonly id?: string | null; readonly uuid?: string }) {
  return <Page title="Operations">{null}</Page>;
}
