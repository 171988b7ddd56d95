/** The part of an HTML node that the plugin uses. */
interface HtmlNode {
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: HtmlNode[];
}

const BLOCK = /^(?:p|h[1-6]|ul|ol|blockquote|table|th|td)$/;

/** A plugin that lets each block run in the direction of its own letters. */
export function textDirection(): (tree: HtmlNode) => void {
  const visit = (node: HtmlNode): void => {
    if (BLOCK.test(node.tagName ?? '')) node.properties = { ...node.properties, dir: 'auto' };
    node.children?.forEach(visit);
  };
  return visit;
}
