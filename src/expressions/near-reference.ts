import { nearest } from '../common/did-you-mean.ts';
import { isJsonObject, type Json } from '../common/json.ts';
import {
  type ItemMode,
  keysOf,
  parseText,
  printReference,
  type Reference,
} from './interpolation.ts';

/** The names that a text may read. */
export interface ReadableNames {
  /** The output variables of earlier steps. */
  readonly steps: ReadonlySet<string>;
  /** The ids of earlier steps, each with its output variable. */
  readonly stepIds: ReadonlyMap<string, string>;
  readonly context: ReadonlySet<string>;
  /** Whether `{item}` and `{index}` may be read. */
  readonly mode: ItemMode;
}

/** A text that its author meant as a reference, and that would be sent as it is. */
export interface NearReference {
  readonly found: string;
  /** The reference that was probably meant; null where no known name is near. */
  readonly meant: string | null;
}

/**
 * Delimiters of other notations, each with its content. No part can match in two ways, so matching
 * takes linear time.
 */
const FOREIGN = new RegExp(
  [
    String.raw`\$?\{{2,4}([^{}]{1,300})\}{2,4}`,
    String.raw`\$\{([^{}]{1,300})\}`,
    String.raw`<<([^<>\n]{1,300})>>`,
    '<%([^<>%]{1,300})%>',
    String.raw`\{%([^{}%]{1,300})%\}`,
    String.raw`\$\(([^()\n]{1,300})\)`,
    String.raw`%(\p{L}[^%\s{}]{1,300})%`,
    String.raw`(\$(?:json|node)[.[][^\s{}]{1,200})`,
    String.raw`\$((?:step|context|item)s?\.[\p{L}\p{N}_.-]{1,200})`,
  ].join('|'),
  'gu',
);
/** Marks that Dify, Jinja and ERB put beside their delimiters. */
const MARKS = /^[-#~=]?\s{0,300}|[-#~]$/g;
/** A pair of braces with no brace between them. */
const BRACES = /\{([^{}]{1,300})\}/g;
/** A brace that nothing closes before the next one opens, with the first word behind it. */
const UNCLOSED = /\{[ \t]{0,50}([^\s{}]{1,200})[^{}]*(?=\{|$)/g;
/** A whole text that only lacks braces, or has another system's sign before it. */
const BARE = /^(?:\$\.)?([a-z_]+\.[^\s{}]{1,200}?)\}{0,3}$/;
const BARE_ROOTS = new Set(['step', 'steps', 'context', 'ctx', 'flow_input', 'results']);

/** Roots of other systems' expressions. They are no words of a text in double braces. */
const FOREIGN_ROOTS = new Set([
  ...['$json', '$node', '$input', '$vars', '$item', '$execution', '$workflow'],
  ...['steps', 'inputs', 'outputs', 'results', 'workflow', 'trigger', 'flow_input', 'ctx'],
]);

/** Roots that mean one of ours where a known name follows. */
const ALIASES: ReadonlyMap<string, 'step' | 'context'> = new Map([
  ...['$json', '$input', '$vars', '$workflow', 'workflow', 'trigger', 'flow_input', 'ctx'].map(
    (root) => [root, 'context'] as const,
  ),
  ...['vars', 'var', 'variables', 'inputs', 'input', 'params', 'payload', 'initialContext'].map(
    (root) => [root, 'context'] as const,
  ),
  ...['$node', 'outputs', 'output', 'results', 'result', 'steps', 'previous', 'prev'].map(
    (root) => [root, 'step'] as const,
  ),
]);
/** Words of other systems between the root, or a step's id, and the name of a value. */
const FILLERS = new Set([
  ...['output', 'outputs', 'result', 'results', 'json', 'body', 'data', 'value'],
  ...['inputs', 'parameters', 'params', 'steps', 'vars', 'variables'],
]);

/** Aliases that are names of code and of prose too. */
const COMMON_ALIASES = new Set([
  ...['var', 'input', 'params', 'payload', 'output', 'result', 'results', 'previous', 'prev'],
]);
/** Words of their own that are one letter away from a root. */
const OTHER_WORDS = new Set(['content', 'contents', 'contest', 'stop', 'steep', 'ste', 'stem']);
/** A filter at the end of a path: `| upper`, `| join: ", "`. */
const FILTER = /\s*\|\s*[a-z_]\w*(?:\s*[:(|].*)?$/is;

/**
 * Finds the texts that are nearly a reference: in other braces, with blanks, with an unknown root,
 * or with a key that needs brackets. JSON, and braces around other words, are plain text. Inside a
 * longer text, which may be code, only a whole path counts that begins with a root.
 */
export function findNearReferences(text: string, names: ReadableNames): NearReference[] {
  const found: NearReference[] = [];
  const rest = text
    .replaceAll(QUOTED_TEXT, '')
    .replaceAll(FOREIGN, (whole, ...groups: (string | undefined)[]) => {
      const inner = groups.find((group) => typeof group === 'string') ?? '';
      const near = nearInForeign(whole, inner, names, text.trim() === whole);
      if (near === null) return whole;
      found.push(near);
      return '';
    });
  const parts = parseText(rest, names.mode);
  found.push(...nearBesideBraces(parts));
  for (const part of parts.filter((part) => typeof part === 'string')) {
    for (const [whole, inner = ''] of part.matchAll(BRACES)) {
      const near = nearInBraces(whole, inner, names, text.trim() === whole);
      if (near !== null) found.push(near);
    }
    for (const [whole, inner = ''] of part.matchAll(UNCLOSED)) {
      const isWhole = text.trim() === whole.trim();
      // `{ result.data = {` is code.
      if (!isWhole && !/^\{(?:step|context)\b/.test(whole)) continue;
      const meant = knownIn(inner.replace(/[^\p{L}\p{N}_\]]+$/u, ''), names);
      if (meant !== null) found.push({ found: whole.trim(), meant });
    }
  }
  return (found.length === 0 ? nearWithoutBraces(text.trim(), names) : found).slice(0, FOUND_MAX);
}

/**
 * The reference that YAML read as a map, because it has no quotes: `v: {context.a}` is
 * `{"context.a": null}`. Null for any other value.
 */
export function unquotedReference(value: Json): string | null {
  if (!isJsonObject(value)) return null;
  const [entry, ...more] = Object.entries(value);
  if (entry === undefined || entry[1] !== null || more.length > 0) return null;
  const key = entry[0].replaceAll(/^[{\s]{1,9}|[}\s]{1,9}$/g, '');
  const [part, ...rest] = parseText(`{${key}}`, 'items');
  const isOne = typeof part === 'object' && part.path.length > 0 && rest.length === 0;
  return isOne ? printReference(part) : null;
}

const QUOTED_TEXT = /\{"(?:[^"\\\n]|\\.)*"\}/g;
const FOUND_MAX = 10;

/**
 * References with one brace too many at a side: `{{context.a}`. In JSON each brace has a second.
 */
function nearBesideBraces(parts: readonly (string | Reference)[]): NearReference[] {
  const texts = parts.filter((part) => typeof part === 'string').join('');
  const excess = texts.split('{').length - texts.split('}').length;
  if (excess === 0) return [];
  return parts.flatMap((part, at) => {
    if (typeof part === 'string') return [];
    const [before, after] = [parts[at - 1], parts[at + 1]];
    const isOpen = excess > 0 && typeof before === 'string' && before.endsWith('{');
    const isClosed = excess < 0 && typeof after === 'string' && after.startsWith('}');
    const meant = printReference(part);
    return isOpen || isClosed
      ? [{ found: `${isOpen ? '{' : ''}${meant}${isClosed ? '}' : ''}`, meant }]
      : [];
  });
}

/** A whole text such as `flow_input.a`, `$.context.a` or `context.a}`. */
function nearWithoutBraces(found: string, names: ReadableNames): NearReference[] {
  const [, inner = ''] = BARE.exec(found) ?? [];
  if (!BARE_ROOTS.has(/^\w*/.exec(inner)?.[0] ?? '')) return [];
  const meant = knownIn(inner, names);
  return meant === null ? [] : [{ found, meant }];
}

/** The reference that a path with one of our roots, or an alias, means; null for unknown names. */
function knownIn(inner: string, names: ReadableNames): string | null {
  const [, root = '', rest = ''] = ROOT.exec(inner) ?? [];
  const isOurs = /^(?:step|context)$/.test(root) && isPath(rest) && rest !== '';
  const [name = ''] = looseKeys(rest);
  if (isOurs && !isName(name, names)) return null;
  return isOurs || isAlias(root, rest, names) ? meantBy(root, rest, names) : null;
}

const TAG = /\{{2,3}[^{}]{0,2000}\}{2,3}/g;
const IN_TEMPLATE = /(?<!\{)\{\s{0,50}((?:step|context)\.[^{}\n]{1,200})\}/g;

/** References of `inputs` in a template, which would print them as they are. */
export function referencesInTemplate(source: string, names: ReadableNames): NearReference[] {
  // A tag is one word for the texts around it.
  const text = source.replaceAll(TAG, '_');
  const ours = [...text.matchAll(IN_TEMPLATE)].map(([found, inner = '']) => ({
    found,
    meant: inTemplate(inner),
  }));
  const others = findNearReferences(text.replaceAll(IN_TEMPLATE, '_'), names)
    .filter(({ found }) => !ITEM.test(found))
    .map(({ found, meant }) => ({
      found,
      meant: meant === null ? null : inTemplate(meant.slice(1, -1)),
    }));
  return [...ours, ...others].slice(0, FOUND_MAX);
}

/** `step.v.order[0]` as a template reads it: `{{v.order.[0]}}`. */
function inTemplate(reference: string): string {
  const [, ...keys] = looseKeys(`.${reference}`);
  const segments = keys.map((key, at) =>
    at > 0 && !/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key) ? `[${key}]` : key,
  );
  return `{{${segments.join('.')}}}`;
}

/** The value that a name of another notation means in a template, as in `{{ outputs.find.x }}`. */
export function meantInTemplate(source: string, name: string, names: ReadableNames): string | null {
  const read = pathsOf(source, name)[0] ?? '';
  const isOurs = /^(?:step|context)$/.test(name) && read !== '';
  const meant = isOurs ? `{${name}${read}}` : meantPath(name, read, names);
  return meant === null ? null : inTemplate(meant.slice(1, -1));
}

/** The value that an unknown name of an expression means: `step.found.title`, or null. */
export function meantInCondition(
  source: string,
  name: string,
  names: ReadableNames,
): string | null {
  const read = pathsOf(source.replaceAll(TEXT_OF_CEL, '""'), name)[0] ?? '';
  const meant = meantPath(name, read, names);
  return meant === null ? null : meant.slice(1, -1);
}

function meantPath(name: string, rest: string, names: ReadableNames): string | null {
  if (isAlias(name, rest, names)) return meantBy(name, rest, names);
  return isName(name, names) ? named(name, looseKeys(rest), names) : null;
}

/** The paths that follow a name in a text, at most a few. */
function pathsOf(source: string, name: string): string[] {
  const escaped = name.replaceAll(/[^\w]/g, '\\$&');
  const paths = new RegExp(
    `(?<![\\w.$])${escaped}((?:\\.[\\p{L}\\p{N}_-]{1,200}|\\.?\\[[^\\]]{1,200}\\]){0,20})`,
    'gu',
  );
  return [...source.matchAll(paths)].slice(0, FOUND_MAX).map(([, path = '']) => path);
}

const TEXT_OF_CEL = /(["'])(?:(?!\1)[^\\\n]|\\.)*\1/g;
const IN_CONDITION = /(["'])[^"'\n]{0,200}?\{\s{0,50}((?:step|context)\.[^{}"'\n]{1,200})\}/g;

/** References in braces inside the texts of an expression, which nothing fills in. */
export function referencesInCondition(source: string): NearReference[] {
  const found = [...source.matchAll(IN_CONDITION)].slice(0, FOUND_MAX);
  return found.map(([, , inner = '']) => ({ found: `{${inner}}`, meant: inner.trim() }));
}

/** References in braces outside the texts of an expression, which has none. */
export function bracesInCondition(source: string, names: ReadableNames): NearReference[] {
  const code = source.replaceAll(TEXT_OF_CEL, '""');
  const ours = parseText(code, 'no items')
    .filter((part) => typeof part !== 'string')
    .map((part) => ({ found: printReference(part), meant: printReference(part) }));
  const near = findNearReferences(code, names).filter(({ found }) => /^\W/.test(found));
  return [...near, ...(near.length === 0 ? ours : [])]
    .slice(0, FOUND_MAX)
    .map(({ found, meant }) => ({ found, meant: meant === null ? null : meant.slice(1, -1) }));
}

const ROOT = /^\s*([$\p{L}_][\p{L}\p{N}_$-]*)\s*(.*?)\s*$/su;
const PATH =
  /^(?:\s*\.\s*[\p{L}\p{N}_][\p{L}\p{N}_-]*|\s*\[\s*(?:\d{1,9}|"[^"\\\n]*"|'[^'\\\n]*')\s*\])*\s*$/u;

/** Whether this is a path and nothing else: no call, no operator, no word. */
const isPath = (rest: string): boolean => PATH.test(rest);

const isName = (name: string, { steps, stepIds, context }: ReadableNames): boolean =>
  steps.has(name) || stepIds.has(name) || context.has(name);

/** Whether this is a root of another system with a known name behind it: `{vars.a}`. */
function isAlias(root: string, rest: string, names: ReadableNames): boolean {
  if (!ALIASES.has(root) || !/^\s*\??[.[(]/.test(rest)) return false;
  const name = looseKeys(rest).find((key) => !FILLERS.has(key) || isName(key, names));
  return name !== undefined && isName(name, names);
}

function nearInForeign(
  found: string,
  content: string,
  names: ReadableNames,
  isWhole: boolean,
): NearReference | null {
  const inner = content.replaceAll(MARKS, '').trim();
  const [, root = '', rest = ''] = ROOT.exec(inner) ?? [];
  // Percent signs are around many words: `LIKE '%step.x%'`.
  if (found.startsWith('%')) {
    const meant = knownIn(inner, names);
    return meant === null ? null : { found, meant };
  }
  if (!isWhole)
    return isInProse({ found, root, rest }, names)
      ? { found, meant: meantBy(root, rest, names) }
      : null;
  if (isRoot(root, rest) || (FOREIGN_ROOTS.has(root) && /^[.[(]/.test(rest)))
    return { found, meant: meantBy(root, rest, names) };
  if (isAlias(root, rest, names)) return { found, meant: meantBy(root, rest, names) };
  return nearName(found, root, rest, names);
}

/** A known name without its root, as the whole text. */
function nearName(
  found: string,
  root: string,
  rest: string,
  names: ReadableNames,
): NearReference | null {
  const path = rest.replace(FILTER, '');
  return isName(root, names) && isPath(path)
    ? { found, meant: named(root, looseKeys(path), names) }
    : null;
}

/**
 * Whether this is a reference inside a longer text, where code is likely: a whole path with a root
 * of ours, or with an alias and a known name. Behind a known name a filter or a call may follow.
 */
function isInProse(
  { found, root, rest }: { readonly found: string; readonly root: string; readonly rest: string },
  names: ReadableNames,
): boolean {
  const isBraced = /^\W*[{<%(]/.test(found);
  const isString = /^\$\{(?!\{)/.test(found);
  const path = rest.replaceAll(/\[[^\]]*\]/g, '');
  if (isRoot(root, rest)) {
    const [name = ''] = looseKeys(rest);
    const isItem = /^(?:item|index)$/.test(root);
    const isKnown = isItem ? names.mode === 'items' : isName(name, names);
    if (isKnown && !isString && !/[;=]/.test(rest)) return true;
    return isBraced && !/[;=(){}<>+*/,|&!"'`:]|\s\.|\.\s|\?(?!\.)/.test(path);
  }
  const isCommon = COMMON_ALIASES.has(root) && !found.startsWith('{{');
  return !isCommon && isPath(rest.replaceAll('?.', '.')) && isAlias(root, rest, names);
}

function nearInBraces(
  found: string,
  inner: string,
  names: ReadableNames,
  isWhole: boolean,
): NearReference | null {
  const [, root = '', rest = ''] = ROOT.exec(inner) ?? [];
  // Braces around lines are code or data, unless they hold a path alone.
  if (/[\r\n]/.test(inner) && !isPath(rest)) return null;
  const isReference = isWhole
    ? isRoot(root, rest) || isAlias(root, rest, names)
    : isInProse({ found, root, rest }, names);
  if (isReference) return { found, meant: meantBy(root, rest, names) };
  // A word that is no root is a mistyped one where a known name follows.
  const next = /^\s*\.\s*([A-Za-z_]\w*)/.exec(rest)?.[1];
  const isMistyped =
    next !== undefined &&
    (isWhole || (isPath(rest) && /^\{\S/.test(found) && !OTHER_WORDS.has(root))) &&
    ((names.context.has(next) && nearest(root, ['context']) !== null) ||
      (names.steps.has(next) && nearest(root, ['step']) !== null));
  if (isMistyped) return { found, meant: meantBy(root, rest, names) };
  if (!isWhole) return null;
  const isEmpty = rest === '' && /^(?:step|context)s?$/i.test(root);
  return nearName(found, root, rest, names) ?? (isEmpty ? { found, meant: null } : null);
}

/** Whether this begins as a reference does. `{step}` and `{context}` are words of prompts. */
function isRoot(root: string, rest: string): boolean {
  if (/^(?:step|context)s?$/i.test(root)) return /^\??[.[]/.test(rest);
  return root === 'item' || root === 'index'
    ? rest === '' || /^\??[.[]/.test(rest)
    : /^items?$/i.test(root) && /^\??[.[]/.test(rest);
}

/** A call, a filter or another operator behind a path, and an index that is none. */
const BEYOND_PATH = /\.?[^.[\]]*\(|\[\s*(?:-\s*\d|\*|\d*\s*:)|[|*+,;=&<>!?]/;

/** An index from the end, and a choice of several. */
const INDEX_OF_NONE = /\[\s*(?:-\s*\d|\*|\d*\s*:)/;

/** The keys as a person may write them: `.first name[0].größe`. Ends before a call or operator. */
function looseKeys(rest: string): string[] {
  const exact = keysOf(rest);
  if (exact !== null && exact.length > 0 && /^(?:\.[\w-]+|\[[^\]]*\])+$/.test(rest)) {
    if (!BEYOND_PATH.test(rest) || isPath(rest)) return exact;
  }
  const path = rest.replaceAll('?.', '.');
  const [end] = isPath(path) ? [] : [BEYOND_PATH.exec(path)?.index];
  return path
    .slice(0, end)
    .split(/[.[\]]/)
    .map((key) => key.trim().replace(/^(["'])(.*)\1$/s, '$2'))
    .filter((key) => key !== '');
}

function meantBy(root: string, rest: string, names: ReadableNames): string | null {
  if (!isPath(rest) && INDEX_OF_NONE.test(rest)) return null;
  const keys = looseKeys(rest);
  if (/^ite?ms?$|^index$/i.test(root)) {
    if (names.mode === 'no items') return null;
    return printReference(root === 'index' ? { root, path: [] } : { root: 'item', path: keys });
  }
  // Other systems put words before the name: `steps.find.output.title`.
  const at = keys.findIndex((key) => isName(key, names));
  const [name, ...path] = at < 0 ? keys : keys.slice(at);
  if (name === undefined) return null;
  const wanted = /^(step|context)s?$/i.exec(root)?.[1]?.toLowerCase();
  return named(
    name,
    path,
    names,
    wanted ?? ALIASES.get(root) ?? nearest(root, ['step', 'context']),
  );
}

function named(
  name: string,
  path: readonly string[],
  names: ReadableNames,
  wanted: string | null = null,
): string | null {
  const { steps, stepIds, context } = names;
  const roots: readonly ('step' | 'context')[] =
    wanted === 'context' ? ['context', 'step'] : ['step', 'context'];
  for (const root of roots) {
    const known = root === 'step' ? steps : context;
    if (known.has(name)) return printReference({ root, path: [name, ...path] });
    const variable = root === 'step' ? stepIds.get(name) : undefined;
    if (variable !== undefined) {
      const [word = ''] = path;
      const keys = ['output', 'outputs', 'result', 'results'].includes(word) ? path.slice(1) : path;
      // `steps.find.outputs.found` names the variable too.
      const isNamed = keys !== path && keys[0] === variable;
      return printReference({ root, path: [variable, ...(isNamed ? keys.slice(1) : keys)] });
    }
  }
  for (const root of roots) {
    const meant = nearest(name, root === 'step' ? steps : context);
    if (meant !== null) return printReference({ root, path: [meant, ...path] });
  }
  const meant = nearest(name, stepIds.keys());
  return meant === null ? null : named(meant, path, names, 'step');
}

const ITEM = /^\W*(?:item|index)\b/i;

/** The sentence of a problem about it. */
export function nearReferenceMessage({ found, meant }: NearReference, mode: ItemMode): string {
  const isItem = ITEM.test(found) && mode === 'no items';
  const why = isItem
    ? `${found} has a value in a step with forEach only.`
    : `${found} is no reference; it would be sent as it is.`;
  const hint = meant === null ? '' : ` Did you mean ${meant}?`;
  return `${why}${hint}${limitOf(found)} To send it as text, write {${JSON.stringify(found)}}.`;
}

/** The rule that a path breaks, where the reference that was meant does not show it. */
function limitOf(found: string): string {
  if (/\[\s*-\s*\d/.test(found)) return ' An index counts from 0, never from the end.';
  if (/\[\s*(?:\*|\d*\s*:)/.test(found)) return ' A path leads to one value, never to several.';
  return /^[^"']*[.\w]\s*(?:[|(]|\?\?)/.test(found)
    ? ' A reference has no functions and no operators.'
    : '';
}
