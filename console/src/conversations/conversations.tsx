import { Page } from '../ui/page.tsx';

export function Conversations(_props: { readonly id?: string | null; readonly uuid?: string }) {
  return <Page title="Conversations">{null}</Page>;
}
