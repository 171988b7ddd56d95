import type { Json, JsonObject } from '../common/json.ts';
import { AGGREGATIONS, FUNCTION_NAMES, VALUE_FUNCTIONS } from './functions.ts';
import { relationshipProperties, storedKeys, viewOf } from './graph-view.ts';
import type { BinaryOperator, Expression } from './syntax.ts';
import { QueryRefused } from './token.ts';
import {
  holdsList,
  holdsNode,
  joined,
  listOf,
  NULL,
  VALUE,
  type ValueType,
  WEIGHT_MAX,
} from './value-type.ts';
import { LIST_TEXTS, QueryWork } from './work.ts';

/** Maximum length of a `range`, and of a list that a list comprehension walks over. */
export const RANGE_MAX = 10_000;
export const WALKED_LIST_MAX = 1_000;
/** Texts are cut at this length in answers; `substring` reads further. */
export const TEXT_CHARS_MAX = 4_000;
/** Maximum length of a text that a function or operator inside of a list comprehension computes. */
export const WALKED_TEXT_CHARS_MAX = 4_000;
/** Stands in Neo4j's message when a list comprehension meets a list that is too long. */
export const LIST_TOO_LONG = 'this list is too long to walk over';
/** Stands in Neo4j's message when a text is too long for a function; see the limits above. */
export const TEXT_TOO_LONG = 'this text is too long to compute';
const KEY = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

/** A text cut one character after the limit of answers; other values unchanged. */
export function shortText(value: string): string {
  // Neo4j refuses `left(count(*), 1)` although the branch is never taken.
  const short = `left(toStringOrNull(${value}), ${TEXT_CHARS_MAX + 1})`;
  return `CASE WHEN ${value} IS :: STRING NOT NULL THEN ${short} ELSE ${value} END`;
}

export interface Compiled {
  readonly cypher: string;
  readonly type: ValueType;
}
export type Scope = ReadonlyMap<string, Compiled>;

/** Where an expression stands, which decides what it may contain. */
export interface Place {
  readonly scope: Scope;
  readonly aggregates: boolean;
  /** Inside a list comprehension: its list or condition, or the value of each element. */
  readonly walk?: 'condition' | 'value';
  /** Whether a function or operator inside a list comprehension computes the text. */
  readonly computed?: boolean;
}

/** Operators that are true or false, and that take values of any type. */
const COMPARISONS: ReadonlySet<BinaryOperator> = new Set(['=', '<>', '<', '<=', '>', '>=']);
const TEXT_OPERATORS: ReadonlySet<BinaryOperator> = new Set([
  'STARTS WITH',
  'ENDS WITH',
  'CONTAINS',
]);

/**
 * Writes expressions anew. The text consists of the compiler's own words, checked property names
 * and numbers; every other literal becomes a parameter.
 */
export class ExpressionCompiler {
  /** Parameters of the statement. */
  readonly values: Record<string, Json> = {};
  private readonly given: JsonObject;
  private names = 0;
  protected readonly work = new QueryWork();

  constructor(given: JsonObject) {
    this.given = given;
  }

  protected newName(): string {
    return `v${++this.names}`;
  }

  protected compile(expression: Expression, place: Place): Compiled {
    const isLiteral = expression.kind === 'literal' || expression.kind === 'parameter';
    if (!isLiteral)
      this.work.add(OPERATORS.has(expression.kind) ? 'operators' : 'parts', expression.at);
    const compiled = this.work.nested(expression.at, () => this.computedText(expression, place));
    if (compiled.type.weight > WEIGHT_MAX)
      throw new QueryRefused('This value repeats its parts too often.', expression.at);
    return compiled;
  }

  /** A text that a function or operator computes inside of a list comprehension has its limit. */
  private computedText(expression: Expression, place: Place): Compiled {
    if (!place.computed || !isRead(expression)) return this.compileAny(expression, place);
    if (expression.kind === 'parameter') this.checkGiven(expression.name, expression.at);
    const { cypher, type } = this.compileAny(expression, { ...place, computed: false });
    if (type.kind !== 'value' || expression.kind === 'parameter') return { cypher, type };
    return { cypher: this.shortOr(cypher, WALKED_TEXT_CHARS_MAX), type };
  }

  /** The value; a text that is longer than `charsMax` fails the query. */
  private shortOr(value: string, charsMax: number): string {
    const [name, tooLong] = [this.newName(), this.text(TEXT_TOO_LONG)];
    const isLong = `${name} IS :: STRING NOT NULL AND size(toStringOrNull(${name})) > ${charsMax}`;
    return (
      `head([${name} IN [${value}] | CASE WHEN ${isLong} THEN date(${tooLong}) ELSE ${name} ` +
      'END])'
    );
  }

  /** Counts texts that are computed for each row, or for each element. */
  private addTexts(count: number, at: number, { walk }: Place): void {
    this.work.add(walk === undefined ? 'rowTexts' : 'elementTexts', at, count);
  }

  private compileAny(expression: Expression, place: Place): Compiled {
    const { at } = expression;
    switch (expression.kind) {
      case 'literal':
        return this.literal(expression.value);
      case 'parameter':
        return this.parameter(expression.name, at);
      case 'variable':
        return variable(expression.name, place, at);
      case 'property':
        return this.property(expression, place);
      case 'index':
      case 'slice':
        return this.part(expression, place);
      case 'list':
        return this.list(expression, place);
      case 'map':
        return this.map(expression, place);
      case 'not':
        return { cypher: `NOT (${this.value(expression.of, place)})`, type: VALUE };
      case 'minus':
        return { cypher: `-(${this.value(expression.of, place)})`, type: VALUE };
      case 'isNull': {
        const { cypher } = this.compile(expression.of, place);
        return { cypher: `(${cypher}) IS ${expression.negated ? 'NOT ' : ''}NULL`, type: VALUE };
      }
      case 'binary':
        return this.binary(expression, place);
      case 'case':
        return this.caseOf(expression, place);
      case 'call':
        return this.call(expression, place);
      case 'comprehension':
        return this.comprehension(expression, place);
    }
  }

  /** An expression without nodes and relationships. */
  protected value(expression: Expression, place: Place): string {
    const { cypher, type } = this.compile(expression, place);
    if (holdsNode(type))
      throw new QueryRefused('Here stands a value, not a node or relationship.', expression.at);
    return cypher;
  }

  private text(value: Json): string {
    const name = this.newName();
    this.values[name] = value;
    return `$values.${name}`;
  }

  private literal(value: string | number | boolean | null): Compiled {
    if (value === null) return { cypher: 'null', type: NULL };
    if (typeof value === 'string') return { cypher: this.text(value), type: VALUE };
    if (typeof value === 'boolean') return { cypher: String(value), type: VALUE };
    const isInteger = Number.isSafeInteger(value);
    return {
      cypher: isInteger ? String(value) : value.toExponential().replace('+', ''),
      type: VALUE,
    };
  }

  private parameter(name: string, at: number): Compiled {
    return { cypher: this.text(this.givenValue(name, at)), type: VALUE };
  }

  /**
   * @throws QueryRefused where the parameter is a text that is too long inside a list comprehension
   */
  private checkGiven(name: string, at: number): void {
    const value = this.givenValue(name, at);
    if (typeof value === 'string' && value.length > WALKED_TEXT_CHARS_MAX)
      throw new QueryRefused(
        `In a list comprehension $${name} has at most ${WALKED_TEXT_CHARS_MAX} characters. ` +
          'Use UNWIND and WHERE, or a shorter text.',
        at,
      );
  }

  private givenValue(name: string, at: number): Json {
    const value = Object.hasOwn(this.given, name) ? this.given[name] : undefined;
    if (value === undefined) throw new QueryRefused(`The parameter $${name} is not given.`, at);
    return value;
  }

  private property(expression: Of<'property'>, place: Place): Compiled {
    const { key, at } = expression;
    const { cypher, type } = this.compile(expression.of, place);
    if (!KEY.test(key)) throw new QueryRefused('A property is a word.', at);
    if (type.kind === 'map') {
      const field = type.fields.get(key);
      if (field === undefined) throw new QueryRefused(`This map has no key ${key}.`, at);
      return { cypher: `(${cypher}).\`${key}\``, type: field };
    }
    if (type.kind === 'list') throw new QueryRefused('A list has no properties.', at);
    const isText = checkProperty(type, key, at, 'some');
    const read = this.read(cypher, type, key);
    if (place.walk !== 'value' || !isText) return { cypher: read, type: VALUE };
    // Bound to a name, since it is written more than once.
    const name = this.newName();
    return { cypher: `head([${name} IN [${read}] | ${shortText(name)}])`, type: VALUE };
  }

  /** A property, null where the node has none of the labels that have it. */
  private read(cypher: string, type: ValueType, key: string): string {
    const labels = type.kind === 'node' ? type.labels : [];
    const having = labels.filter((label) => viewOf(label)?.properties.includes(key));
    const stored = type.kind === 'node' ? storedKeys(having, key) : [key];
    const isOfAll = having.length === labels.length;
    if (isOfAll && stored.length === 1) return `(${cypher}).\`${stored[0]}\``;
    const name = this.newName();
    const any = having.map((label) => `(${viewOf(label)?.label})`).join('|');
    const where = isOfAll ? '' : ` WHERE ${name}:${any}`;
    return `head([${name} IN [${cypher}]${where} | ${readStored(name, stored)}])`;
  }

  private part(expression: Of<'index' | 'slice'>, place: Place): Compiled {
    const { cypher, type } = this.compile(expression.of, place);
    if (type.kind !== 'list' && type.kind !== 'value' && type.kind !== 'null')
      throw new QueryRefused('[ ] follows a list; write properties with a dot.', expression.at);
    if (expression.kind === 'index') {
      const index = this.value(expression.index, place);
      return { cypher: `(${cypher})[${index}]`, type: type.kind === 'list' ? type.of : VALUE };
    }
    const [from, to] = [expression.from, expression.to].map((bound) =>
      bound === null ? '' : this.value(bound, place),
    );
    return { cypher: `(${cypher})[${from}..${to}]`, type };
  }

  private list({ items }: Of<'list'>, place: Place): Compiled {
    const literals = items.flatMap((item) => (item.kind === 'literal' ? [item.value] : []));
    // One parameter: the planner looks at each item otherwise. All of them are shorter than a
    // stored text.
    if (literals.length > 0 && literals.length === items.length)
      return { cypher: this.text(literals), type: listOf(VALUE) };
    const compiled = items.map((item) => this.compile(item, place));
    let of = NULL;
    let weight = 0;
    for (const [index, { type }] of compiled.entries()) {
      const at = items[index]?.at ?? 0;
      of = elementOf(of, type, at);
      weight += type.weight;
    }
    const element = { ...(of.kind === 'null' ? VALUE : of), weight };
    return {
      cypher: `[${compiled.map(({ cypher }) => cypher).join(', ')}]`,
      type: listOf(element),
    };
  }

  private map({ entries }: Of<'map'>, place: Place): Compiled {
    const fields = new Map<string, ValueType>();
    const parts: string[] = [];
    let weight = 0;
    for (const { key, value, at } of entries) {
      if (!KEY.test(key)) throw new QueryRefused('A key is a word.', at);
      if (fields.has(key)) throw new QueryRefused(`${key} stands here twice.`, at);
      const { cypher, type } = this.compile(value, place);
      fields.set(key, type);
      weight += type.weight;
      parts.push(`\`${key}\`: ${cypher}`);
    }
    return { cypher: `{${parts.join(', ')}}`, type: { kind: 'map', fields, weight } };
  }

  private binary(expression: Of<'binary'>, place: Place): Compiled {
    const { operator, left, right, at } = expression;
    if (operator === '+') return this.sum(left, right, at, place);
    if (operator === 'AND' || operator === 'OR') return this.allOrAny(expression, place);
    if (operator === 'XOR') return this.xor(expression, place);
    if (operator === 'IN') return this.isIn(expression, place);
    const isText = TEXT_OPERATORS.has(operator);
    const inside = isText && place.walk !== undefined ? { ...place, computed: true } : place;
    const isFree = operator === '=' || operator === '<>';
    const operands = [left, right].map((operand) => {
      const compiled = this.compile(operand, inside);
      if (!isFree && holdsNode(compiled.type))
        throw new QueryRefused('Here stands a value, not a node or relationship.', operand.at);
      return compiled;
    });
    if (isText || COMPARISONS.has(operator)) {
      const isLists = operands.some(({ type }) => holdsList(type));
      const weight = Math.max(1, ...operands.map(({ type }) => type.weight));
      this.addTexts(isLists ? LIST_TEXTS : isText ? weight : 1, at, place);
    }
    const [one, other] = operands.map(({ cypher }) => cypher);
    return { cypher: `((${one}) ${operator} (${other}))`, type: VALUE };
  }

  /** `a AND b AND c` in one bracket: Neo4j's parser overflows its stack in many. */
  private allOrAny(expression: Of<'binary'>, place: Place): Compiled {
    const parts = this.operandsOf(expression).map((one) => `(${this.value(one, place)})`);
    return { cypher: `(${parts.join(` ${expression.operator} `)})`, type: VALUE };
  }

  /** The operands of a chain of one operator: its left sides, which no level of nesting counts. */
  private operandsOf({ operator, left, right }: Of<'binary'>): Expression[] {
    const operands = [right];
    let first = left;
    for (; first.kind === 'binary' && first.operator === operator; first = first.left) {
      this.work.add('operators', first.at);
      operands.unshift(first.right);
    }
    return [first, ...operands];
  }

  /**
   * `a XOR b` as `a <> b`, which has the same value for true, false and null: Neo4j's planner
   * writes XOR out with both operands twice, so that n of them grow to 2^n. NOT on both sides keeps
   * the value, and refuses operands that are neither true nor false.
   */
  private xor(expression: Of<'binary'>, place: Place): Compiled {
    const operands = this.operandsOf(expression);
    const parts = operands.map((one) => ({
      cypher: `(${this.value(one, place)})`,
      isSure: isCondition(one),
    }));
    return { cypher: unequal(parts).cypher, type: VALUE };
  }

  private isIn({ left, right, at }: Of<'binary'>, place: Place): Compiled {
    const element = this.compile(left, place);
    const list = this.compile(right, place);
    const isGiven = right.kind === 'list' || right.kind === 'parameter';
    this.addTexts(isGiven ? 1 : LIST_TEXTS, at, place);
    const isBounded = isGiven || place.walk === undefined;
    const within = isBounded ? list.cypher : this.shortList(list.cypher);
    return { cypher: `((${element.cypher}) IN (${within}))`, type: VALUE };
  }

  /** Adds numbers, joins texts and lists. */
  private sum(left: Expression, right: Expression, at: number, place: Place): Compiled {
    if (place.walk === 'value')
      throw new QueryRefused('A list comprehension joins nothing; use UNWIND and collect.', at);
    const inside = place.walk === undefined ? place : { ...place, computed: true };
    const one = this.compile(left, inside);
    const other = this.compile(right, inside);
    const weight = one.type.weight + other.type.weight;
    this.addTexts(weight, at, place);
    const cypher = `((${one.cypher}) + (${other.cypher}))`;
    const types = [one.type, other.type];
    if (types.some(({ kind }) => kind === 'list')) {
      const [first = VALUE, second = VALUE] = types.map((type) =>
        type.kind === 'list' ? type.of : type,
      );
      return { cypher, type: listOf({ ...elementOf(first, second, at), weight }) };
    }
    if (types.some((type) => type.kind !== 'value' && type.kind !== 'null'))
      throw new QueryRefused('+ adds values and lists.', at);
    return { cypher, type: { kind: 'value', weight } };
  }

  private caseOf({ of, branches, otherwise, at }: Of<'case'>, place: Place): Compiled {
    let type = NULL;
    const branch = (result: Expression): string => {
      const { cypher, type: found } = this.compile(result, place);
      type = joinedAt(type, found, at);
      return cypher;
    };
    const subject = of === null ? '' : ` (${this.compile(of, place).cypher})`;
    this.work.add('parts', at, branches.length);
    const parts = branches.map(
      ({ when, result }) => `WHEN (${this.compile(when, place).cypher}) THEN (${branch(result)})`,
    );
    const last = otherwise === null ? '' : ` ELSE (${branch(otherwise)})`;
    return { cypher: `CASE${subject} ${parts.join(' ')}${last} END`, type };
  }

  private call(expression: Of<'call'>, place: Place): Compiled {
    const { name, args, distinct, star, at } = expression;
    if (AGGREGATIONS.has(name)) return this.aggregation(expression, place);
    if (distinct || star) throw new QueryRefused(`${name} takes no DISTINCT or *.`, at);
    const known = VALUE_FUNCTIONS.get(name);
    if (known === undefined) return this.otherCall(expression, place);
    if (place.walk === 'value' && !known.small)
      throw new QueryRefused(`A list comprehension builds no texts by ${known.name}.`, at);
    checkCount(expression, known.args);
    const isComputed = !known.small && place.walk !== undefined;
    const inside = isComputed ? { ...place, computed: true } : place;
    const values = args.map((arg) => this.compile(arg, inside));
    if (values.some(({ type }) => holdsNode(type) || holdsList(type)))
      throw new QueryRefused(`${known.name} takes values.`, at);
    const weight = Math.max(1, ...values.map(({ type }) => type.weight));
    if (!known.small) this.addTexts(weight, at, place);
    const { charsMax } = known;
    const all = values.map((value, index) =>
      charsMax === null || args[index]?.kind === 'literal'
        ? value.cypher
        : this.shortOr(value.cypher, charsMax),
    );
    return { cypher: `${known.name}(${all.join(', ')})`, type: { kind: 'value', weight } };
  }

  private aggregation({ name, args, distinct, star, at }: Of<'call'>, place: Place): Compiled {
    if (!place.aggregates)
      throw new QueryRefused(`${name} stands in WITH and RETURN, and not in another ${name}.`, at);
    if (star && name === 'count') return { cypher: 'count(*)', type: VALUE };
    const [arg] = args;
    if (star || arg === undefined || args.length > 1)
      throw new QueryRefused(`${name} takes one argument.`, at);
    const { cypher, type } = this.compile(arg, { ...place, aggregates: false });
    const call = `${name}(${distinct ? 'DISTINCT ' : ''}${cypher})`;
    if (name === 'count') return { cypher: call, type: VALUE };
    if (name === 'collect') return { cypher: call, type: listOf({ ...elementOf(NULL, type, at) }) };
    if (holdsNode(type)) throw new QueryRefused(`${name} takes values.`, at);
    return { cypher: call, type: holdsList(type) ? type : { kind: 'value', weight: type.weight } };
  }

  private otherCall(expression: Of<'call'>, place: Place): Compiled {
    const { name, args, at } = expression;
    if (name === 'range') return this.range(expression);
    const isText = (name === 'size' || name === 'reverse') && place.walk !== undefined;
    const inside = isText ? { ...place, computed: true } : place;
    const values = args.map((arg) => this.compile(arg, inside));
    const [first] = values;
    if (name === 'coalesce' && first !== undefined) {
      const type = values.reduce((all, value) => joinedAt(all, value.type, at), NULL);
      return { cypher: `coalesce(${values.map(({ cypher }) => cypher).join(', ')})`, type };
    }
    if (!['size', 'head', 'last', 'tail', 'reverse', 'type'].includes(name))
      throw new QueryRefused(
        `The function ${name} is not offered here. There are ${FUNCTION_NAMES.join(', ')}.`,
        at,
      );
    checkCount(expression, [1, 1]);
    const { cypher, type } = first ?? { cypher: 'null', type: NULL };
    if (name === 'type') {
      if (type.kind !== 'relationship') throw new QueryRefused('type takes a relationship.', at);
      return { cypher: `type(${cypher})`, type: VALUE };
    }
    if (type.kind !== 'list' && type.kind !== 'value' && type.kind !== 'null')
      throw new QueryRefused(`${name} takes a list${name === 'size' ? ' or text' : ''}.`, at);
    const call = `${name}(${cypher})`;
    if (name === 'size' || name === 'reverse') this.addTexts(Math.max(1, type.weight), at, place);
    if (name === 'size') return { cypher: call, type: VALUE };
    if (name === 'reverse' && place.walk === 'value')
      throw new QueryRefused('A list comprehension builds no texts by reverse.', at);
    const isElement = name === 'head' || name === 'last';
    return { cypher: call, type: type.kind === 'list' && isElement ? type.of : type };
  }

  /** Both ends are known before the query runs, so that its length is. */
  private range(expression: Of<'call'>): Compiled {
    checkCount(expression, [2, 3]);
    const [from = 0, to = 0, step = 1] = expression.args.map((arg) => this.integer(arg));
    if (step === 0 || Math.abs((to - from) / step) >= RANGE_MAX)
      throw new QueryRefused(`range makes at most ${RANGE_MAX} numbers.`, expression.at);
    return { cypher: `range(${from}, ${to}, ${step})`, type: listOf(VALUE) };
  }

  /** A whole number that is known before the query runs. */
  protected integer(expression: Expression): number {
    const value =
      expression.kind === 'minus'
        ? -this.integer(expression.of)
        : expression.kind === 'parameter'
          ? this.givenValue(expression.name, expression.at)
          : expression.kind === 'literal'
            ? expression.value
            : null;
    if (typeof value !== 'number' || !Number.isSafeInteger(value))
      throw new QueryRefused('Here stands a whole number or a parameter.', expression.at);
    return value;
  }

  private comprehension(expression: Of<'comprehension'>, place: Place): Compiled {
    const { at, quantifier, name, where, body } = expression;
    if (place.walk !== undefined)
      throw new QueryRefused('List comprehensions are not nested; use UNWIND.', at);
    this.work.add('walks', at);
    const list = this.compile(expression.list, { ...place, walk: 'condition' });
    const { type } = list;
    if (type.kind !== 'list' && type.kind !== 'value' && type.kind !== 'null')
      throw new QueryRefused('A list stands after IN.', expression.list.at);
    const own = { cypher: this.newName(), type: type.kind === 'list' ? type.of : VALUE };
    const scope = new Map([...place.scope, [name, own]]);
    const inside = { scope, aggregates: false };
    const condition =
      where === null ? '' : ` WHERE ${this.value(where, { ...inside, walk: 'condition' })}`;
    const walked = `${own.cypher} IN ${this.shortList(list.cypher)}${condition}`;
    if (quantifier !== null) return { cypher: `${quantifier}(${walked})`, type: VALUE };
    if (body === null) return { cypher: `[${walked}]`, type: listOf(own.type) };
    const each = this.compile(body, { ...inside, walk: 'value' });
    const weight = Math.max(1, own.type.weight) * Math.max(1, each.type.weight);
    const element = { ...elementOf(NULL, each.type, body.at), weight };
    return { cypher: `[${walked} | ${each.cypher}]`, type: listOf(element) };
  }

  /** A longer list fails the query: the database does not look at its timeout inside of a list. */
  private shortList(list: string): string {
    const tooLong = `[date(${this.text(LIST_TOO_LONG)})]`;
    const name = this.newName();
    const short = `CASE WHEN size(${name}) > ${WALKED_LIST_MAX} THEN ${tooLong} ELSE ${name} END`;
    // Bound to a name, since it is written more than once.
    return `head([${name} IN [${list}] | ${short}])`;
  }
}

type Of<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

interface Operand {
  readonly cypher: string;
  /** Whether it is true, false or null in any case. */
  readonly isSure: boolean;
}

/** XOR of the operands in halves, so that it nests by the logarithm of their number. */
function unequal(operands: readonly Operand[]): Operand {
  const [first, ...others] = operands;
  if (first === undefined) throw new Error('XOR has two operands.');
  if (others.length === 0) return first;
  const middle = operands.length >> 1;
  const [left, right] = [unequal(operands.slice(0, middle)), unequal(operands.slice(middle))];
  const not = left.isSure && right.isSure ? '' : 'NOT ';
  return { cypher: `((${not}${left.cypher}) <> (${not}${right.cypher}))`, isSure: true };
}

/** Whether an expression is true, false or null, whatever the values in it are. */
function isCondition(expression: Expression): boolean {
  switch (expression.kind) {
    case 'literal':
      return expression.value === null || typeof expression.value === 'boolean';
    case 'binary':
      return !ARITHMETIC.has(expression.operator);
    case 'comprehension':
      return expression.quantifier !== null;
    default:
      return expression.kind === 'not' || expression.kind === 'isNull';
  }
}

/** Whether the value of an expression may be a whole stored text. */
function isRead(expression: Expression): boolean {
  if (expression.kind === 'call') return expression.name === 'head' || expression.name === 'last';
  return ['property', 'variable', 'index', 'parameter'].includes(expression.kind);
}

const ARITHMETIC: ReadonlySet<BinaryOperator> = new Set(['+', '-', '*', '/', '%', '^']);
const OPERATORS: ReadonlySet<Expression['kind']> = new Set(['binary', 'not', 'minus', 'isNull']);

function variable(name: string, { scope }: Place, at: number): Compiled {
  const known = scope.get(name);
  if (known === undefined) throw new QueryRefused(`There is no variable ${name} here.`, at);
  return known;
}

/** A property of a node that stores it under one of these names. */
export function readStored(node: string, keys: readonly string[]): string {
  const reads = keys.map((key) => `${node}.\`${key}\``);
  return reads.length === 1 ? reads.join() : `coalesce(${reads.join(', ')})`;
}

/**
 * Checks that a query may read the property.
 * @param of whether every label of a node has to have it, or some
 * @returns whether it holds long texts
 */
export function checkProperty(
  type: ValueType,
  key: string,
  at: number,
  of: 'every' | 'some' = 'every',
): boolean {
  if (type.kind === 'node') {
    const views = type.labels.map(viewOf);
    const having = views.filter((one) => one?.properties.includes(key));
    if (of === 'some' && having.length > 0) return having.some((one) => one?.texts.includes(key));
    if (of === 'some' && views.length > 1)
      throw new QueryRefused(`No node of ${type.labels.join(', ')} has ${key}.`, at);
    const index = views.findIndex((one) => one?.properties.includes(key) !== true);
    if (index < 0) return views.some((one) => one?.texts.includes(key));
    const [label, known] = [type.labels[index], views[index]?.properties ?? []];
    throw new QueryRefused(`${label} has no ${key}; it has ${known.join(', ')}.`, at);
  }
  if (type.kind === 'relationship') {
    const known = type.types.flatMap((one) => relationshipProperties(one) ?? []);
    if (known.includes(key)) return false;
    throw new QueryRefused(`The relationship has no ${key}; it has ${known.join(', ')}.`, at);
  }
  return false;
}

/** The type of a list's elements, where one more of `next` comes in. */
function elementOf(of: ValueType, next: ValueType, at: number): ValueType {
  if (holdsList(next)) throw new QueryRefused('A list holds no other lists here.', at);
  const element = joinedAt(of, next, at);
  return element.kind === 'null' ? { ...VALUE, weight: 1 } : element;
}

function joinedAt(left: ValueType, right: ValueType, at: number): ValueType {
  const type = joined(left, right);
  if (type === null) throw new QueryRefused('Nodes and values are mixed here.', at);
  return type;
}

function checkCount({ name, args, at }: Of<'call'>, [min, max]: readonly [number, number]): void {
  if (args.length >= min && args.length <= max) return;
  const count = min === max ? `${min}` : `${min} to ${max}`;
  throw new QueryRefused(`${name} takes ${count} ${max === 1 ? 'argument' : 'arguments'}.`, at);
}
