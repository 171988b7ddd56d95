import { nearest } from '../common/did-you-mean.ts';
import {
  type ItemMode,
  keysOf,
  parseText,
  printReference,
  type Reference,
} from './interpolation.ts';

/** The names that a text may read. */
export interface ReadableNames {
  readonly steps: ReadonlySet<string>;
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

/** Delimiters of other notations, each with what it holds. No part can match in two ways. */
const FOREIGN = new RegExp(
  [
    String.raw`\$?\{{2,4}-?\s{0,50}([^{}\n]{1,200}?)\s{0,50}-?\}{2,4}`,
    String.raw`\$\{\s{0,50}([^{}\n]{1,200}?)\s{0,50}\}`,
    String.raw`<<\s{0,50}([^<>\n]{1,200}?)\s{0,50}>>`,
    String.raw`<%=?\s{0,50}([^<>%\n]{1,200}?)\s{0,50}%>`,
    String.raw`\$\(\s{0,50}([^()\n]{1,200}?)\s{0,50}\)`,
    String.raw`(\$(?:json|node)[.[][^\s{}]{1,200})`,
    String.raw`\$((?:step|context|item)s?\.[\p{L}\p{N}_.-]{1,200})`,
  ].join('|'),
  'gu',
);
/** A pair of braces with neither a brace nor a line break between them. */
const BRACES = /\{([^{}\n]{1,200})\}/g;

/** Roots of other systems' expressions. They are no words of a text in double braces. */
const FOREIGN_ROOTS = new Set([
  ...['$json', '$node', '$input', '$vars', '$item', '$execution', '$workflow'],
  ...['steps', 'inputs', 'outputs', 'results', 'workflow', 'trigger', 'flow_input', 'ctx'],
]);

/**
 * Finds the texts that are nearly a reference: in other braces, with blanks, with an unknown root,
 * or with a key that needs brackets. JSON, and braces around other words, are plain text.
 */
export function findNearReferences(text: string, names: ReadableNames): NearReference[] {
  const found: NearReference[] = [];
  const rest = text
    .replaceAll(QUOTED_TEXT, '')
    .replaceAll(FOREIGN, (whole, ...groups: (string | undefined)[]) => {
      const inner = groups.find((group) => typeof group === 'string') ?? '';
      const near = nearInForeign(whole, inner, names);
      if (near === null) return whole;
      found.push(near);
      return '';
    });
  const plain = parseText(rest, names.mode).filter((part) => typeof part === 'string');
  for (const part of plain) {
    for (const [whole, inner = ''] of part.matchAll(BRACES)) {
      const near = nearInBraces(whole, inner, names, text.trim() === whole);
      if (near !== null) found.push(near);
    }
  }
  return found.slice(0, FOUND_MAX);
}

const QUOTED_TEXT = /\{"(?:[^"\\\n]|\\.)*"\}/g;
const FOUND_MAX = 10;

const IN_TEMPLATE = /(?<!\{)\{\s{0,50}((?:step|context)\.[^{}\n]{1,200})\}/g;

/** References of `inputs` in a template, which would print them as they are. */
export function referencesInTemplate(source: string): NearReference[] {
  const found = [...source.matchAll(IN_TEMPLATE)].slice(0, FOUND_MAX);
  return found.map(([whole, inner = '']) => ({ found: whole, meant: inTemplate(inner) }));
}

/** `step.v.order[0]` as a template reads it: `{{v.order.[0]}}`. */
export function inTemplate(reference: string): string {
  const [, ...keys] = looseKeys(`.${reference}`);
  const segments = keys.map((key, at) =>
    at > 0 && !/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key) ? `[${key}]` : key,
  );
  return `{{${segments.join('.')}}}`;
}

const IN_CONDITION = /(["'])[^"'\n]{0,200}?\{\s{0,50}((?:step|context)\.[^{}"'\n]{1,200})\}/g;

/** References in braces inside the texts of an expression, which nothing fills in. */
export function referencesInCondition(source: string): NearReference[] {
  const found = [...source.matchAll(IN_CONDITION)].slice(0, FOUND_MAX);
  return found.map(([, , inner = '']) => ({ found: `{${inner}}`, meant: inner.trim() }));
}

const ROOT = /^\s*([$\p{L}_][\p{L}\p{N}_$]*)\s*(.*?)\s*$/su;

function nearInForeign(found: string, inner: string, names: ReadableNames): NearReference | null {
  const [, root = '', rest = ''] = ROOT.exec(inner) ?? [];
  if (isRoot(root, rest) || (FOREIGN_ROOTS.has(root) && /^[.[(]/.test(rest)))
    return { found, meant: meantBy(root, rest, names) };
  const isKnown = rest === '' && (names.context.has(root) || names.steps.has(root));
  return isKnown && /^(?:\$?\{\{|<)/.test(found) ? { found, meant: named(root, [], names) } : null;
}

function nearInBraces(
  found: string,
  inner: string,
  names: ReadableNames,
  isWhole: boolean,
): NearReference | null {
  const [, root = '', rest = ''] = ROOT.exec(inner) ?? [];
  if (isRoot(root, rest)) return { found, meant: meantBy(root, rest, names) };
  // A word that is no root is a mistyped one where a known name follows.
  const next = /^\s*\.\s*([A-Za-z_]\w*)/.exec(rest)?.[1];
  const isMistyped =
    next !== undefined &&
    ((names.context.has(next) && nearest(root, ['context']) !== null) ||
      (names.steps.has(next) && nearest(root, ['step']) !== null));
  if (isMistyped) return { found, meant: meantBy(root, rest, names) };
  const isKnown = names.context.has(root) || names.steps.has(root);
  const isPath = rest === '' || /^[.[]/.test(rest);
  if (isKnown && isPath && isWhole) return { found, meant: named(root, looseKeys(rest), names) };
  const isEmpty = rest === '' && /^(?:step|context)s?$/i.test(root);
  return isEmpty && isWhole ? { found, meant: null } : null;
}

/** Whether this begins as a reference does. `{step}` and `{context}` are words of prompts. */
function isRoot(root: string, rest: string): boolean {
  if (/^(?:step|context)s?$/i.test(root)) return /^[.[]/.test(rest);
  return root === 'item' || root === 'index'
    ? rest === '' || /^[.[]/.test(rest)
    : /^items?$/i.test(root) && /^[.[]/.test(rest);
}

/** The keys as a person may write them: `.first name[0].größe`. */
function looseKeys(rest: string): string[] {
  const exact = keysOf(rest);
  if (exact !== null && exact.length > 0 && /^(?:\.[\w-]+|\[[^\]]*\])+$/.test(rest)) return exact;
  return rest
    .split(/[.[\]]/)
    .map((key) => key.trim().replace(/^(["'])(.*)\1$/s, '$2'))
    .filter((key) => key !== '');
}

function meantBy(root: string, rest: string, names: ReadableNames): string | null {
  const keys = looseKeys(rest);
  if (/^ite?ms?$|^index$/i.test(root)) {
    if (names.mode === 'no items') return null;
    return printReference(root === 'index' ? { root, path: [] } : { root: 'item', path: keys });
  }
  // Other systems put words before the name: `steps.find.output.title`.
  const at = keys.findIndex((key) => names.steps.has(key) || names.context.has(key));
  const [name, ...path] = at < 0 ? keys : keys.slice(at);
  if (name === undefined) return null;
  const wanted = nearest(root, ['step', 'context']);
  return named(name, path, names, wanted);
}

function named(
  name: string,
  path: readonly string[],
  { steps, context }: ReadableNames,
  wanted: string | null = null,
): string | null {
  const roots: readonly Reference['root'][] =
    wanted === 'context' ? ['context', 'step'] : ['step', 'context'];
  for (const root of roots) {
    const known = root === 'step' ? steps : context;
    const meant = known.has(name) ? name : null;
    if (meant !== null) return printReference({ root, path: [meant, ...path] });
  }
  for (const root of roots) {
    const meant = nearest(name, root === 'step' ? steps : context);
    if (meant !== null) return printReference({ root, path: [meant, ...path] });
  }
  return null;
}

/** The sentence of a problem about it. */
export function nearReferenceMessage({ found, meant }: NearReference, mode: ItemMode): string {
  const isItem = /^\W*(?:item|index)\b/i.test(found) && mode === 'no items';
  const why = isItem
    ? `${found} has a value in a step with forEach only.`
    : `${found} is no reference; it would be sent as it is.`;
  const hint = meant === null ? '' : ` Did you mean ${meant}?`;
  return `${why}${hint} To send it as text, write {${JSON.stringify(found)}}.`;
}
