/** The part of an HTML node that the plugins of Markdown use. */
export interface HtmlNode {
  type?: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: HtmlNode[];
}

/** The elements of these names, without those inside another one of them. */
export function outermost(node: HtmlNode, names: RegExp): HtmlNode[] {
  if (names.test(node.tagName ?? '')) return [node];
  return (node.children ?? []).flatMap((child) => outermost(child, names));
}
