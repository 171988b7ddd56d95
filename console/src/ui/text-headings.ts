/** What the plugin reads and writes of a node of HTML. */
interface HtmlNode {
  tagName?: string;
  children?: HtmlNode[];
}

const HEADING = /^h([1-6])$/;

/**
 * A plugin that fits the headings of a text into the page: the first are of this level, and none
 * skips a level. What was below another heading is below it again.
 */
export function textHeadings(level: number): (tree: HtmlNode) => void {
  return (tree) => {
    const above: number[] = [];
    for (const heading of headingsOf(tree)) {
      const was = Number(heading.tagName?.slice(1));
      while ((above.at(-1) ?? 0) >= was) above.pop();
      heading.tagName = `h${Math.min(level + above.length, 6)}`;
      above.push(was);
    }
  };
}

function headingsOf(node: HtmlNode): HtmlNode[] {
  if (HEADING.test(node.tagName ?? '')) return [node];
  return (node.children ?? []).flatMap(headingsOf);
}
