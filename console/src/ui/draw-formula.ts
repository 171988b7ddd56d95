import temml from 'temml';
import type { Formula } from './formulas.ts';
import type { HtmlNode } from './html-node.ts';

/** Elements and attributes of MathML that only draw: none runs, loads or leads anywhere. */
const TAGS = new Set(
  (
    'math mrow mi mn mo mtext mspace ms mfrac msqrt mroot mstyle merror mpadded mphantom ' +
    'menclose msub msup msubsup munder mover munderover mmultiscripts mprescripts mtable mtr mtd'
  ).split(' '),
);
const ATTRIBUTES = new Set(
  (
    'display displaystyle scriptlevel mathvariant form fence separator stretchy symmetric ' +
    'largeop movablelimits accent accentunder lspace rspace minsize maxsize linethickness ' +
    'width height depth voffset notation columnalign rowspacing columnspacing columnlines ' +
    'rowlines columnspan rowspan'
  ).split(' '),
);

/** A formula as MathML, which browsers draw; null where it is no TeX. */
export function drawFormula({ tex, isBlock }: Formula): HtmlNode | null {
  let drawn: string;
  try {
    drawn = temml.renderToString(tex, {
      displayMode: isBlock,
      throwOnError: true,
      trust: false,
      maxExpand: 200,
    });
  } catch {
    return null;
  }
  // The page allows no styles in elements, and says so for each.
  const plain = drawn.replaceAll(/ style="[^"]*"/g, '');
  const math = new DOMParser().parseFromString(plain, 'text/html').querySelector('math');
  return math === null ? null : nodeOf(math);
}

/** Only what draws; of any other element its text. */
function nodeOf(element: Element): HtmlNode {
  if (!TAGS.has(element.localName)) return { type: 'text', value: element.textContent ?? '' };
  return {
    type: 'element',
    tagName: element.localName,
    properties: Object.fromEntries(
      [...element.attributes]
        .filter(({ name }) => ATTRIBUTES.has(name))
        .map(({ name, value }) => [name, value]),
    ),
    children: [...element.childNodes].flatMap((child) =>
      child instanceof Element
        ? [nodeOf(child)]
        : child instanceof Text
          ? [{ type: 'text', value: child.data }]
          : [],
    ),
  };
}
