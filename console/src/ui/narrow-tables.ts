import { type HtmlNode, outermost } from './html-node.ts';

/** Most columns of a table that are shown at first: more than a wide screen shows at once. */
const COLUMNS_MAX = 50;

/** Property of a table some of whose columns are left out: the number of all of them. */
export const COLUMNS = 'dataColumns';

/**
 * A plugin that leaves out the columns of wide tables after the first 50. A cell costs a browser
 * about as much as a paragraph, and a table of 1,000 columns is rarely read to its end.
 */
export function narrowTables(): (tree: HtmlNode) => void {
  return (tree) => {
    for (const table of outermost(tree, /^table$/)) {
      const rows = outermost(table, /^tr$/);
      const [head] = rows;
      // Each row has as many cells as the first one.
      const columns = head === undefined ? 0 : cellsOf(head).length;
      if (columns <= COLUMNS_MAX) continue;
      for (const row of rows) row.children = cellsOf(row).slice(0, COLUMNS_MAX);
      table.properties = { ...table.properties, [COLUMNS]: columns };
    }
  };
}

function cellsOf({ children = [] }: HtmlNode): HtmlNode[] {
  return children.filter(({ tagName }) => tagName === 'th' || tagName === 'td');
}
