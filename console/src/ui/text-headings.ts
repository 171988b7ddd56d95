import { type HtmlNode, outermost } from './html-node.ts';

/**
 * Makes a plugin that renumbers the headings of a text: the top ones get this level, and a heading
 * below another one gets the next level.
 */
export function textHeadings(level: number): (tree: HtmlNode) => void {
  return (tree) => {
    const above: number[] = [];
    for (const heading of outermost(tree, /^h[1-6]$/)) {
      const was = Number(heading.tagName?.slice(1));
      while ((above.at(-1) ?? 0) >= was) above.pop();
      heading.tagName = `h${Math.min(level + above.length, 6)}`;
      above.push(was);
    }
  };
}
