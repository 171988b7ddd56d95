import Handlebars from 'handlebars';
import { entryOf } from '../common/entry-of.ts';
import { isBigNumeral } from '../common/exact-json.ts';
import { TEMPLATE_BYTES_MAX } from '../common/limits.ts';
import { type Problem, problem } from '../common/refusal.ts';
import { firstChars } from '../common/well-formed.ts';
import {
  isPrototypeKey,
  TEMPLATE_BLOCKS,
  TEMPLATE_HELPERS,
  type TemplateBlock,
  type TemplateHelper,
} from './names.ts';

/** Maximum nesting of blocks and calls. Deeper texts overflow the stack of Handlebars. */
export const TEMPLATE_NESTING_MAX = 20;
/** Maximum nesting of `each`. Each level multiplies the output. */
export const TEMPLATE_EACH_NESTING_MAX = 3;
/** Maximum number of else tags. Handlebars' parser takes quadratic time over a chain of them. */
const ELSE_MAX = 200;
const PROBLEMS_MAX = 50;

const ARGUMENTS: Record<TemplateHelper, readonly [least: number, most: number]> = {
  json: [1, 2],
  join: [1, 2],
  truncate: [2, 2],
  default: [2, 2],
  eq: [2, 2],
  ne: [2, 2],
  gt: [2, 2],
  lt: [2, 2],
  and: [1, 16],
  or: [1, 16],
  not: [1, 1],
  lookup: [2, 2],
};

const BLOCK_PARAMS_MAX: Record<TemplateBlock, number> = { if: 0, unless: 0, each: 2, with: 1 };

/** Data variables Handlebars sets inside `each`. `@root.name` is read as the top-level `name`. */
const EACH_DATA = ['index', 'key', 'first', 'last'];

export interface TemplateReading {
  readonly problems: Problem[];
  /** Top-level names that the template reads, each once, in order of appearance. */
  readonly variables: string[];
}

/**
 * Checks a Handlebars source against the allow-list (docs/decisions/0019): text, comments, values,
 * known helpers, and the blocks if, unless, each, with.
 * TEMPLATE_INVALID at `path`: partials, decorators, other blocks, prototype keys, and names that
 * Handlebars would look up outside its JSON scope. TOO_LARGE: more than 64 KiB. Never throws.
 */
export function checkTemplate(
  source: unknown,
  path: readonly (string | number)[],
): TemplateReading {
  const { problems, variables } = parseTemplate(source, path);
  return { problems, variables };
}

/** A `{{ }}` that shows a value or the result of a helper. */
export interface ShownValue {
  readonly statement: hbs.AST.MustacheStatement;
  /** The names after `as |...|` of the enclosing blocks. */
  readonly names: ReadonlySet<string>;
}

/** A checked and parsed template. */
export interface ParsedTemplate extends TemplateReading {
  /** Null when the source has no tag or could not be parsed. */
  readonly program: hbs.AST.Program | null;
  /** Every shown value of `program`, in order. */
  readonly shown: readonly ShownValue[];
}

/** Like `checkTemplate`, with the parsed program for the engine that renders it. Never throws. */
export function parseTemplate(source: unknown, path: readonly (string | number)[]): ParsedTemplate {
  const nothing = { variables: [], program: null, shown: [] };
  // Handlebars runs code if it gets a parsed template in place of a text (CVE-2026-33937).
  if (typeof source !== 'string') {
    const wrong = problem('TEMPLATE_INVALID', path, 'A template has to be text.');
    return { ...nothing, problems: [wrong] };
  }
  if (Buffer.byteLength(source) > TEMPLATE_BYTES_MAX) {
    const message = `A template may have at most ${TEMPLATE_BYTES_MAX} bytes.`;
    return { ...nothing, problems: [problem('TOO_LARGE', path, message)] };
  }
  if (!source.includes('{{')) return { ...nothing, problems: [] };
  const reader = new TemplateReader();
  if (nestsTooDeep(source)) {
    reader.fault(TOO_DEEP);
    return reader.reading(path, null);
  }
  try {
    const program = Handlebars.parseWithoutProcessing(source);
    if (BIG_NUMBER.test(source)) new ExactNumbers(source).accept(program);
    reader.readProgram(program, ROOT);
    return reader.reading(path, program);
  } catch (error) {
    reader.fault(syntaxMessage(error, source));
    return reader.reading(path, null);
  }
}

const BIG_NUMBER = /\d{16}/;

/** Makes a number beyond 2^53 the text of its digits, as JSON from outside has it. */
class ExactNumbers extends Handlebars.Visitor {
  readonly #lines: readonly string[];

  constructor(source: string) {
    super();
    this.#lines = source.split(/\r\n?|\n/);
  }

  override NumberLiteral(literal: hbs.AST.NumberLiteral): void {
    const { start, end } = literal.loc;
    const digits = this.#lines[start.line - 1]?.slice(start.column, end.column) ?? '';
    if (isBigNumeral(digits))
      Object.assign(literal, { type: 'StringLiteral', value: digits, original: digits });
  }
}

const TAG = /\{\{(?:[^}]|\}(?!\}))*/g;
const TAG_KIND = /^\{\{~?\s*(#|\^|\/|else\b)/;

/**
 * Checked before parsing: the parser takes seconds over a few thousand nested blocks or brackets.
 */
function nestsTooDeep(source: string): boolean {
  let blocks = 0;
  let elses = 0;
  for (const [tag] of source.matchAll(TAG)) {
    const kind = TAG_KIND.exec(tag)?.[1];
    if (kind === '/') blocks -= 1;
    else if (kind === 'else') elses += 1;
    else if (kind !== undefined) blocks += 1;
    let brackets = 0;
    for (const character of tag) {
      if (character === '(') brackets += 1;
      else if (character === ')') brackets -= 1;
      if (brackets > TEMPLATE_NESTING_MAX) return true;
    }
    if (blocks > TEMPLATE_NESTING_MAX || elses > ELSE_MAX) return true;
  }
  return false;
}

function syntaxMessage(error: unknown, source: string): string {
  if (error instanceof RangeError) return TOO_DEEP;
  const text = error instanceof Error ? error.message : String(error);
  return (
    "The template can't be read: " +
    `${firstChars(text.split('\n').slice(0, 3).join(' '), 300)}${hintFor(source)}`
  );
}

/** How to write what Handlebars reads in another way; empty where nothing such is found. */
function hintFor(source: string): string {
  const [tag] = source.match(/(?<!\{)\{\{(?!\{)[^{}]{1,500}\}\}\}+/) ?? [];
  if (tag !== undefined) return ' Put a space between }} and }.';
  if (/\{\{\{(?!\{)[^{}]{1,500}\}\}(?!\})/.test(source)) return ' Put a space between { and {{.';
  const [, list, index] =
    /\{\{[^{}]{0,200}?([\p{L}_][\p{L}\p{N}_.-]{0,100})\[([^\][{}]{1,100})\]/u.exec(source) ?? [];
  if (list !== undefined && !list.endsWith('.'))
    return ` Write ${list}.[${index?.replaceAll(/["']/g, '')}] for ${list}[${index}].`;
  if (/\{\{[^{}]{1,200}\|[^{}]{1,200}\}\}/.test(source))
    return ' There are no filters; call a helper, as in {{json value}}.';
  return hintForTag(source);
}

function hintForTag(source: string): string {
  const [, before, at] =
    /\{\{[^{}]{0,200}?([\p{L}_][\p{L}\p{N}_-]{0,100})\.(\d{1,9})[\s.}]/u.exec(source) ?? [];
  if (before !== undefined) return ` Write ${before}.[${at}] for ${before}.${at}.`;
  if (/\{\{\s{0,50}\}\}/.test(source)) return ' Write a name between {{ and }}.';
  const [, comparison] =
    /\{\{[^{}]{1,200}?\s(===?|!==?|[<>]=?|&&|\|\|)\s[^{}]{1,200}\}\}/.exec(source) ?? [];
  if (comparison !== undefined)
    return ` There are no operators such as ${comparison}; call a helper, as in {{#if (eq a b)}}.`;
  if (/\{\{[^{}]{1,200}\(\s{0,50}\)\s{0,50}\}\}/.test(source))
    return ' Values have no functions to call; there are helpers, as in {{json value}}.';
  const [, word] = /\{\{#\s{0,50}([\w.-]{1,200})\s{0,50}#\}\}/.exec(source) ?? [];
  if (word !== undefined) return ` Write {{${word}}}.`;
  // A tag ends at }}. Another tag, or the end of the text, comes first here.
  const [, open, inner = ''] =
    /(\{\{\{?)(?!\{)([^{}]{0,500})\}?(?=[^}]|$)(?!\})/.exec(source.replaceAll(WHOLE_TAG, '')) ?? [];
  if (open !== undefined)
    return ` Close ${open}${firstChars(inner.trim(), 60)} with ${open === '{{' ? '}}' : '}}}'}.`;
  return hintForBlock(source);
}

const WHOLE_TAG = /\{\{[^{}]{1,500}\}\}|\{\{\{[^{}]{1,500}\}\}\}/g;
const BLOCK_TAG = /\{\{~?\s{0,50}([#/])\s{0,50}([\w.-]{1,100})[^{}]{0,500}\}\}/g;

/** The first block that has no end, or end that has no block. */
function hintForBlock(source: string): string {
  const open: string[] = [];
  for (const [, kind, name = ''] of source.matchAll(BLOCK_TAG)) {
    if (kind === '#') open.push(name);
    else if (open.pop() === undefined)
      return ` {{/${name}}} closes no block; open it with {{#${name} ...}}.`;
  }
  const name = open.pop();
  return name === undefined ? '' : ` Close {{#${name}}} with {{/${name}}}.`;
}

/**
 * Scope that resolves a path: the root, or the item of an each or with. `if` and `unless` open no
 * scope.
 */
interface Scope {
  readonly isRoot: boolean;
  readonly outer: Scope | null;
  /** Names after `as |...|`, including those of the enclosing blocks. */
  readonly names: ReadonlySet<string>;
  readonly nesting: number;
  readonly eachNesting: number;
}

const ROOT: Scope = { isRoot: true, outer: null, names: new Set(), nesting: 0, eachNesting: 0 };

/** Walks a parsed template and collects its faults, its variables and the values that it shows. */
class TemplateReader {
  readonly #messages = new Set<string>();
  readonly #variables = new Set<string>();
  readonly #shown: ShownValue[] = [];

  fault(message: string, node?: hbs.AST.Node): void {
    const at = node?.loc?.start;
    if (this.#messages.size >= PROBLEMS_MAX) return;
    this.#messages.add(at === undefined ? message : `Line ${at.line}: ${message}`);
  }

  readProgram(program: hbs.AST.Program, scope: Scope): void {
    for (const statement of program.body) this.#readStatement(statement, scope);
  }

  #readStatement(statement: hbs.AST.Statement, scope: Scope): void {
    switch (statement.type) {
      case 'ContentStatement':
      case 'CommentStatement':
        return;
      case 'MustacheStatement':
        this.#readMustache(statement as hbs.AST.MustacheStatement, scope);
        return;
      case 'BlockStatement':
        this.#readBlock(statement as hbs.AST.BlockStatement, scope);
        return;
      default:
        this.fault(
          `${entryOf(NAMES, statement.type) ?? statement.type} can't be used in a template.`,
          statement,
        );
    }
  }

  #readMustache(shown: hbs.AST.MustacheStatement, scope: Scope): void {
    const { path: callee, params, hash } = shown;
    this.#shown.push({ statement: shown, names: scope.names });
    if (callee.type !== 'PathExpression') {
      this.fault('{{ }} holds a value or a helper, not a literal.', shown);
    } else if (params.length > 0 || hash !== undefined || isHelperName(callee, scope)) {
      this.#readCall(shown, scope);
    } else {
      this.#readPath(callee as hbs.AST.PathExpression, scope);
    }
  }

  #readCall(call: hbs.AST.MustacheStatement | hbs.AST.SubExpression, scope: Scope): void {
    const name = simpleName(call.path);
    if (name === null || !isHelper(name) || scope.names.has(name)) {
      this.fault(
        `${name ?? original(call.path)} is no helper; there are ${TEMPLATE_HELPERS.join(', ')}.`,
        call,
      );
    } else {
      const [least, most] = ARGUMENTS[name];
      if (call.params.length < least || call.params.length > most) {
        const wanted = least === most ? String(least) : `${least} to ${most}`;
        this.fault(`${name} takes ${wanted} argument${wanted === '1' ? '' : 's'}.`, call);
      }
      if (name === 'lookup') this.#refuseLookedUpKey(call.params[1]);
    }
    if (call.hash !== undefined) this.fault('Helpers take no named arguments.', call);
    for (const param of call.params) this.#readExpression(param, scope);
  }

  #refuseLookedUpKey(key: hbs.AST.Expression | undefined): void {
    if (key?.type !== 'StringLiteral') return;
    const { value } = key as hbs.AST.StringLiteral;
    if (isPrototypeKey(value)) this.fault(`${value} can't be looked up.`, key);
  }

  #readExpression(expression: hbs.AST.Expression, scope: Scope): void {
    switch (expression.type) {
      case 'PathExpression':
        this.#readPath(expression as hbs.AST.PathExpression, scope);
        return;
      case 'SubExpression': {
        const inner = { ...scope, nesting: scope.nesting + 1 };
        if (inner.nesting > TEMPLATE_NESTING_MAX) this.fault(TOO_DEEP, expression);
        else this.#readCall(expression as hbs.AST.SubExpression, inner);
        return;
      }
      case 'StringLiteral':
      case 'NumberLiteral':
      case 'BooleanLiteral':
      case 'NullLiteral':
      case 'UndefinedLiteral':
        return;
      default:
        this.fault(`${expression.type} can't be used in a template.`, expression);
    }
  }

  #readBlock(block: hbs.AST.BlockStatement, scope: Scope): void {
    const name = simpleName(block.path);
    const program = block.program as hbs.AST.Program | undefined;
    const inner = { ...scope, nesting: scope.nesting + 1 };
    if (name === null || !isBlock(name)) {
      const blocks = TEMPLATE_BLOCKS.join(', ');
      this.fault(`{{#${original(block.path)}}} is no block; there are ${blocks}.`, block);
    } else if (program === undefined) {
      // Handlebars omits the program of a block that opens with ^.
      this.fault(`Write {{#unless ...}} or {{else}} for {{^${name} ...}}.`, block);
    } else if (inner.nesting > TEMPLATE_NESTING_MAX) {
      this.fault(TOO_DEEP, block);
    } else {
      this.#readBlockArguments(name, block, inner);
      this.readProgram(program, this.#programScope(name, program, inner));
      // The else part of each and with is resolved in the scope around the block.
      if (block.inverse) this.readProgram(block.inverse, inner);
    }
  }

  #readBlockArguments(name: TemplateBlock, block: hbs.AST.BlockStatement, scope: Scope): void {
    if (block.params.length !== 1) this.fault(`{{#${name}}} takes one argument.`, block);
    for (const param of block.params) this.#readExpression(param, scope);
    for (const { key, value } of block.hash?.pairs ?? []) {
      if (key !== 'includeZero' || name === 'each' || name === 'with')
        this.fault(`{{#${name}}} takes no ${key}=.`, block);
      this.#readExpression(value, scope);
    }
  }

  #programScope(name: TemplateBlock, program: hbs.AST.Program, scope: Scope): Scope {
    const params = program.blockParams ?? [];
    if (params.length > BLOCK_PARAMS_MAX[name])
      this.fault(`{{#${name}}} names at most ${BLOCK_PARAMS_MAX[name]} after "as".`, program);
    for (const param of params) {
      if (isHelper(param) || isBlock(param) || isPrototypeKey(param))
        this.fault(`${param} can't be a name after "as".`, program);
    }
    if (name === 'if' || name === 'unless') return scope;
    const eachNesting = scope.eachNesting + (name === 'each' ? 1 : 0);
    if (eachNesting > TEMPLATE_EACH_NESTING_MAX)
      this.fault(`{{#each}} may stand ${TEMPLATE_EACH_NESTING_MAX} deep at most.`, program);
    const names = new Set([...scope.names, ...params]);
    return { isRoot: false, outer: scope, names, nesting: scope.nesting, eachNesting };
  }

  #readPath(path: hbs.AST.PathExpression, scope: Scope): void {
    const { parts, data, depth, original: text } = path;
    const [first] = parts;
    const forbidden = parts.find((part) => typeof part !== 'string' || isPrototypeKey(part));
    const isScoped = depth > 0 || /^(\.\/|this[./])/.test(text);
    if (parts.includes('')) {
      this.fault('A name in a path has at least one character.', path);
    } else if (forbidden !== undefined) {
      this.fault(`${text} reaches for ${forbidden}, which no value has.`, path);
    } else if (data) {
      this.#readData(path, scope);
    } else if (isScoped || first === undefined || !scope.names.has(first)) {
      const target = scopeAt(scope, depth);
      if (target === null) this.fault(`${text} leads out of the template.`, path);
      else if (target.isRoot && first === undefined)
        this.fault(`${text} names no variable here.`, path);
      else if (target.isRoot && first !== undefined) this.#variables.add(first);
    }
  }

  #readData({ parts, depth, original: text, ...path }: hbs.AST.PathExpression, scope: Scope): void {
    const [name, ...rest] = parts;
    const [variable] = rest;
    if (name === 'root' && variable !== undefined && depth === 0) this.#variables.add(variable);
    else if (name === undefined || !EACH_DATA.includes(name) || rest.length > 0) {
      this.fault(
        `${text} is not there; there are @index, @key, @first, @last and @root.name.`,
        path,
      );
    } else if (scope.eachNesting <= depth)
      this.fault(`${text} has a meaning inside {{#each}} only.`, path);
  }

  reading(path: readonly (string | number)[], program: hbs.AST.Program | null): ParsedTemplate {
    return {
      problems: [...this.#messages].map((message) => problem('TEMPLATE_INVALID', path, message)),
      variables: [...this.#variables],
      program,
      shown: this.#shown,
    };
  }
}

function scopeAt(scope: Scope, depth: number): Scope | null {
  let target: Scope | null = scope;
  for (let up = 0; up < depth; up++) target = target?.outer ?? null;
  return target;
}

const TOO_DEEP = 'The template nests too deep.';
const NAMES: Readonly<Record<string, string>> = {
  PartialStatement: 'A partial ({{> }})',
  PartialBlockStatement: 'A partial ({{#> }})',
  Decorator: 'A decorator ({{* }})',
  DecoratorBlock: 'A decorator ({{#* }})',
};

const isHelper = (name: string): name is TemplateHelper =>
  (TEMPLATE_HELPERS as readonly string[]).includes(name);

const isBlock = (name: string): name is TemplateBlock =>
  (TEMPLATE_BLOCKS as readonly string[]).includes(name);

/** Handlebars reads `{{json}}` and `{{if}}` as calls without arguments, not as variables. */
function isHelperName(path: hbs.AST.Expression, scope: Scope): boolean {
  const name = simpleName(path);
  return name !== null && (isHelper(name) || isBlock(name)) && !scope.names.has(name);
}

/**
 * The name of a called helper: one plain word without `@`, `../` or `this.`. Null for every other
 * callee.
 */
function simpleName(callee: unknown): string | null {
  const path = callee as hbs.AST.PathExpression;
  if (path.type !== 'PathExpression' || path.data || path.depth > 0) return null;
  const [name] = path.parts;
  return path.parts.length === 1 && path.original === name && name !== undefined ? name : null;
}

const original = (callee: unknown): string =>
  String((callee as { original?: unknown }).original ?? 'This');
