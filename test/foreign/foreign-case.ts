import { readFileSync } from 'node:fs';
import { isMap, isScalar, isSeq, parseDocument } from 'yaml';

/**
 * One input that another system met, and the value that is right for it. `source` is the public
 * report, `owner/repo#number`; `own` marks a case of the same kind that we added ourselves.
 */
export interface ForeignCase<Input, Right> {
  readonly title: string;
  readonly source: string;
  readonly input: Input;
  readonly right: Right;
}

/** The form of `source`. */
export const SOURCE = /^(?:own|[\w.-]+\/[\w.-]+#\d+)$/;

/** Values, and functions of the value beside the tag; a list is a list of arguments. */
type Builders = Readonly<Record<string, unknown>>;
const SHARED: Builders = {
  re: (text: string) => new RegExp(text),
  concat: (...parts: string[]) => parts.join(''),
};

/**
 * The rows of one list in `<edge>.cases.yaml`. A tag `!name` is a value of `builders`, or calls it.
 * A case without a source is our own.
 */
export function rows<Row>(edge: string, list: string, builders: Builders = {}): readonly Row[] {
  const text = readFileSync(new URL(`${edge}.cases.yaml`, import.meta.url), 'utf8');
  // An unknown tag is a warning of the parser; `built` resolves or refuses it.
  const document = parseDocument(text, { logLevel: 'silent' });
  if (document.errors.length > 0) throw document.errors[0];
  const found: unknown = document.get(list, true);
  if (!isSeq(found)) throw new Error(`${edge}.cases.yaml has no list ${list}.`);
  return found.items.map((item) => {
    const row = built(item, { ...SHARED, ...builders });
    return (Array.isArray(row) ? row : { source: 'own', ...(row as object) }) as Row;
  });
}

function built(node: unknown, builders: Builders): unknown {
  const value = plain(node, builders);
  const tag = /^!(\w+)$/.exec(String((node as { tag?: string }).tag ?? ''))?.[1];
  if (tag === undefined) return value;
  if (!Object.hasOwn(builders, tag)) throw new Error(`No builder is called ${tag}.`);
  const builder = builders[tag];
  if (typeof builder !== 'function') return builder;
  return Array.isArray(value) ? builder(...value) : builder(value);
}

function plain(node: unknown, builders: Builders): unknown {
  if (isScalar(node)) return node.value;
  if (isSeq(node)) return node.items.map((item) => built(item, builders));
  if (!isMap(node)) throw new Error('A case has no aliases.');
  return Object.fromEntries(
    node.items.map(({ key, value }) => [
      String(isScalar(key) ? key.value : key),
      built(value, builders),
    ]),
  );
}
