import Handlebars from 'handlebars';
import { LRUCache } from 'lru-cache';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { jsonChars } from '../../common/json-size.ts';
import { RENDER_OUTPUT_BYTES_MAX } from '../../common/limits.ts';
import { HELPERS, toText } from './helpers.ts';
import { checkedPath, markBlock, markShown } from './path-parts.ts';
import { METER } from './render-meter.ts';
import { soundTemplate, wholePath } from './whole-leaf.ts';

/**
 * `text`: values as they are; `uri`: rendered values are URI-encoded, the author's own text is not,
 * and no value leads to another resource (path-parts.ts).
 */
export type TemplateMode = 'text' | 'uri';

const TEXT = '$text';
const URI = '$uri';

// Our own instance, so that helpers registered by other packages are not reachable.
const handlebars = Handlebars.create();
for (const name of ['helperMissing', 'blockHelperMissing', 'log', 'lookup'])
  handlebars.unregisterHelper(name);
for (const [name, helper] of Object.entries(HELPERS))
  handlebars.registerHelper(name, (...args: unknown[]) => helper(...(args.slice(0, -1) as Json[])));
handlebars.registerHelper('lookup', (from: Json, key: Json) => ownProperty(from, String(key)));
handlebars.registerHelper(URI, (value: Json, { hash }: { hash: JsonObject }) => {
  const text = toText(value);
  const isNothing = hash['json'] === true && text === 'null';
  const marked = markShown(String(hash['variables']), encodeURIComponent(text), isNothing);
  METER.show(marked.length - text.length);
  return marked;
});
handlebars.registerHelper(TEXT, (value: Json | undefined, { hash }: { hash: JsonObject }) => {
  if (value === undefined && hash['parent'] !== null) throw missing(String(hash['path']));
  const shown = asShown(value);
  METER.show(typeof shown === 'string' ? shown.length : String(shown).length);
  return shown;
});
// Only `each` repeats the author's own text, so its output is metered.
const each = handlebars.helpers['each'];
handlebars.registerHelper('each', function (this: unknown, list: unknown, ...rest: unknown[]) {
  const options = rest.at(-1) as Handlebars.HelperOptions;
  const fn: Handlebars.TemplateDelegate = (context, given) => {
    const before = METER.shown;
    const text = options.fn(context, given);
    METER.show(Math.max(text.length - (METER.shown - before), 0));
    return text;
  };
  return each?.call(this, list, ...rest.slice(0, -1), { ...options, fn });
});

const compiled = new LRUCache<string, (data: JsonObject) => string>({ max: 500 });

/**
 * Renders a Handlebars source over plain JSON. Strict where a value is shown: a name that is not
 * there throws, a path through null is nothing. Null-safe where it is asked about: arguments of
 * helpers and blocks.
 *
 * Handlebars' own `strict` throws on null in arguments too, so the same rule is compiled in here,
 * as a helper around each shown path, and Handlebars runs in its null-safe mode. Sources are
 * checked against the allow-list again (parseTemplate) before they are compiled: a source stored by
 * an older version has to pass today's rules.
 * @throws Error with a message for the author, PathFault
 */
export function renderTemplate(
  source: string,
  data: JsonObject,
  mode: TemplateMode = 'text',
): string {
  METER.restart();
  const text = rendered(source, data, mode);
  return mode === 'uri' ? checkedPath(text) : text;
}

function rendered(source: string, data: JsonObject, mode: TemplateMode): string {
  const key = `${mode}:${source}`;
  // A list of one text has the key of this text, and is no template.
  let template = typeof source === 'string' ? compiled.get(key) : undefined;
  if (template === undefined) {
    template = compile(source, mode);
    compiled.set(key, template);
  }
  return template(data);
}

/**
 * Renders every text leaf. A leaf that is exactly one `{{x.y}}` keeps the JSON type of its value.
 */
export function renderLeaves(value: Json, data: JsonObject): Json {
  METER.restart();
  return renderedLeaves(value, data);
}

function renderedLeaves(value: Json, data: JsonObject): Json {
  if (typeof value === 'string') {
    const path = wholePath(value);
    if (path === null) return rendered(value, data, 'text');
    const found = valueAt(path, data);
    // One value may occur in many leaves.
    METER.show(jsonChars(found, RENDER_OUTPUT_BYTES_MAX));
    return found;
  }
  if (Array.isArray(value)) return value.map((inner) => renderedLeaves(inner, data));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, renderedLeaves(inner, data)]),
  );
}

function valueAt(path: readonly string[], data: JsonObject): Json {
  let value: Json | undefined = data;
  for (const name of path) {
    if (value === null) return null;
    value = ownProperty(value, name);
    if (value === undefined) throw missing(writtenPath(path));
  }
  return value;
}

/** A path as a template reads it: `o.[first name]`. */
const writtenPath = (parts: readonly string[]): string =>
  parts.map((part) => (/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(part) ? part : `[${part}]`)).join('.');

function compile(source: string, mode: TemplateMode): (data: JsonObject) => string {
  const { program, shown } = soundTemplate(source);
  if (program === null) return () => source;
  for (const { statement, names } of shown) guardShown(statement, mode, names);
  if (mode === 'uri') markBlocks(program);
  const template = handlebars.compile<JsonObject>(program, {
    noEscape: true,
    knownHelpersOnly: true,
    knownHelpers: {
      ...Object.fromEntries(Object.keys(HELPERS).map((name) => [name, true])),
      [TEXT]: true,
      [URI]: true,
      lookup: true,
      log: false,
      helperMissing: false,
      blockHelperMissing: false,
    } as KnownHelpers,
  });
  return (data) => template(data, { partials: {}, decorators: {} });
}

/** Makes a shown value strict. */
function guardShown(
  shown: hbs.AST.MustacheStatement,
  mode: TemplateMode,
  names: ReadonlySet<string>,
): void {
  const path = shown.path as hbs.AST.PathExpression;
  const isHelper =
    shown.params.length > 0 || (path.original in HELPERS && !names.has(path.original));
  const { loc } = shown;
  const call = { ...shown, type: 'SubExpression' };
  const asked = isHelper ? call : path;
  const text = {
    path: named(TEXT, loc),
    params: [asked],
    hash: isHelper ? hashOf(null, loc) : hashOf(path, loc, names),
  };
  if (mode === 'text') Object.assign(shown, text);
  else {
    const params = [{ type: 'SubExpression', loc, ...text }];
    const variables = textLiteral(variablesOf(asked as hbs.AST.Expression), loc);
    const isJson = showsJson(asked as hbs.AST.Expression);
    const pairs = [
      { type: 'HashPair', loc, key: 'variables', value: variables },
      { type: 'HashPair', loc, key: 'json', value: booleanLiteral(isJson, loc) },
    ];
    Object.assign(shown, { path: named(URI, loc), params, hash: { type: 'Hash', loc, pairs } });
  }
}

/**
 * Marks each block, except one that begins with a separator of its own, as in `{{#if
 * a}}/{{a}}{{/if}}`.
 */
function markBlocks(program: hbs.AST.Program): void {
  program.body = program.body.flatMap((statement) => {
    if (statement.type !== 'BlockStatement') return [statement];
    const block = statement as hbs.AST.BlockStatement;
    for (const inner of [block.program, block.inverse]) if (inner) markBlocks(inner);
    const [first] = block.program.body;
    const content = first?.type === 'ContentStatement' ? (first as hbs.AST.ContentStatement) : null;
    if (content !== null && /^\s*[/?#]/.test(content.value)) return [block];
    const { loc } = block;
    const names = block.params.map(variablesOf).join(',');
    const [start, end] = markBlock(names);
    const mark = (value: string) => ({ type: 'ContentStatement', loc, value, original: value });
    return [mark(start), block, mark(end)];
  });
}

/** Whether the text of an expression may be JSON, in which null is a word. */
function showsJson(expression: hbs.AST.Expression): boolean {
  if (expression.type !== 'SubExpression') return false;
  const { path, params } = expression as hbs.AST.SubExpression;
  return (path as hbs.AST.PathExpression).original === 'json' || params.some(showsJson);
}

/** The variables that an expression reads, divided by commas. */
function variablesOf(expression: hbs.AST.Expression): string {
  if (expression.type === 'PathExpression') {
    const { parts, data } = expression as hbs.AST.PathExpression;
    return data ? '' : parts.join('.');
  }
  const { params = [] } = expression as hbs.AST.SubExpression;
  return params
    .map(variablesOf)
    .filter((name) => name !== '')
    .join(',');
}

// $text needs these to distinguish a null on the path (empty) from a missing name (thrown).
function hashOf(
  path: hbs.AST.PathExpression | null,
  loc: hbs.AST.SourceLocation,
  names: ReadonlySet<string> = new Set(),
): hbs.AST.Hash {
  const pair = (key: string, value: unknown) => ({ type: 'HashPair', loc, key, value });
  const nothing = { type: 'NullLiteral', loc, original: null, value: null };
  const parts = path?.parts ?? [];
  // `this`, `@index`, block parameters and helpers have no parent to be missing from; they may be
  // null.
  const rootless =
    parts.length === 0 ||
    (parts.length === 1 && (path?.data === true || names.has(parts[0] ?? '')));
  const parent = rootless ? nothing : { ...path, parts: parts.slice(0, -1) };
  const isPlain = path !== null && path.depth === 0 && !path.data && parts.length > 0;
  const original = isPlain ? writtenPath(parts) : (path?.original ?? '');
  return {
    type: 'Hash',
    loc,
    pairs: [pair('parent', parent), pair('path', textLiteral(original, loc))],
  } as hbs.AST.Hash;
}

function textLiteral(value: string, loc: hbs.AST.SourceLocation): hbs.AST.StringLiteral {
  return { type: 'StringLiteral', loc, original: value, value };
}

function booleanLiteral(value: boolean, loc: hbs.AST.SourceLocation): hbs.AST.BooleanLiteral {
  return { type: 'BooleanLiteral', loc, original: value, value };
}

function named(name: string, loc: hbs.AST.SourceLocation): hbs.AST.PathExpression {
  return { type: 'PathExpression', loc, data: false, depth: 0, parts: [name], original: name };
}

function ownProperty(from: Json | undefined, key: string): Json | undefined {
  if (from === null || from === undefined) return undefined;
  return Object.hasOwn(Object(from), key) ? (from as JsonObject)[key] : undefined;
}

const asShown = (value: Json | undefined): Json =>
  typeof value === 'object' ? toText(value) : (value ?? '');

const missing = (path: string): Error =>
  new Error(
    `"${path}" is not there. Give it, or write {{default ${path} ""}} where it may be absent.`,
  );
