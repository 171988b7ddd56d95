import { type HtmlNode, outermost } from './html-node.ts';

const BLOCK = /^(?:p|h[1-6]|ul|ol|blockquote|table)$/;

/**
 * A plugin that lets each block run in the direction of its own letters. Blocks inside it follow
 * it: a browser does not count the letters of those that have a direction of their own.
 */
export function textDirection(): (tree: HtmlNode) => void {
  return (tree) => {
    for (const block of outermost(tree, BLOCK))
      block.properties = { ...block.properties, dir: 'auto' };
  };
}
