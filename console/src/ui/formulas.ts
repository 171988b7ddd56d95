import type { HtmlNode } from './html-node.ts';

/** A formula of a text, in TeX. */
export interface Formula {
  readonly tex: string;
  /** Whether it stands on a line of its own. */
  readonly isBlock: boolean;
  /** As it was typed, with its marks. */
  readonly source: string;
}

/** Marks of a formula that a text may have. Single dollars are prices. */
export const HAS_FORMULA = /\$\$|\\\(|\\\[/;

/** Stand around the number of a formula; no text has these characters of private use. */
const [OPEN, CLOSE] = ['\uE000', '\uE001'];
const PLACE = /\uE000(\d+)\uE001/;
/** As in the address of a link. */
const PLACE_IN_ADDRESS = /%EE%80%80(\d+)%EE%80%81/g;

/**
 * A block of code, code in a line, or a formula. Code is left as it is. A formula has 2,000
 * characters at most, so that marks without an end cost little in a long text.
 */
const PART =
  /(?:^|(?<=\n)) {0,3}(`{3,}|~{3,})[\s\S]*?(?:\n {0,3}\1|$)|(`+)[^`][\s\S]{0,4000}?\2|\$\$([\s\S]{1,2000}?)\$\$|(?<!\\)\\\(([\s\S]{1,2000}?)\\\)|(?<!\\)\\\[([\s\S]{1,2000}?)\\\]/g;

/**
 * A text of Markdown with numbers in place of its formulas, which Markdown would change:
 * `$$…$$`, `\(…\)` and `\[…\]`.
 */
export function withPlaces(text: string): {
  readonly text: string;
  readonly formulas: readonly Formula[];
} {
  const formulas: Formula[] = [];
  if (text.includes(OPEN)) return { text, formulas };
  const placed = text.replace(PART, (source, _fence, _ticks, dollars, round, square) => {
    const tex: string | undefined = dollars ?? round ?? square;
    // A formula has no empty line, so marks that are far apart make none.
    if (tex === undefined || /\n\s*\n/.test(tex)) return source;
    const isBlock = square !== undefined || (dollars !== undefined && tex.includes('\n'));
    formulas.push({ tex: tex.trim(), isBlock, source });
    return `${OPEN}${formulas.length - 1}${CLOSE}`;
  });
  return { text: placed, formulas };
}

/** A plugin that puts the formulas back, drawn by `draw`, or as typed where it gives null. */
export function placeFormulas(
  formulas: readonly Formula[],
  draw: (formula: Formula) => HtmlNode | null,
): (tree: HtmlNode) => void {
  const partsOf = (text: string, isCode: boolean): HtmlNode[] =>
    text.split(PLACE).flatMap((part, at) => {
      const formula = at % 2 === 0 ? undefined : formulas[Number(part)];
      if (formula === undefined) return part === '' ? [] : [{ type: 'text', value: part }];
      const drawn = isCode ? null : draw(formula);
      return [drawn ?? { type: 'text', value: formula.source }];
    });
  const asTyped = (value: unknown) =>
    typeof value === 'string'
      ? value.replace(PLACE_IN_ADDRESS, (_, at) => encodeURI(formulas[Number(at)]?.source ?? ''))
      : value;
  const visit = (node: HtmlNode, isCode: boolean): void => {
    if (node.properties !== undefined)
      node.properties = Object.fromEntries(
        Object.entries(node.properties).map(([name, value]) => [name, asTyped(value)]),
      );
    node.children = node.children?.flatMap((child) => {
      if (child.type === 'text') return partsOf(child.value ?? '', isCode);
      visit(child, isCode || child.tagName === 'code');
      return [child];
    });
  };
  return (tree) => visit(tree, false);
}
