import {
  type BinaryOperator,
  type Entry,
  type Expression,
  QUANTIFIERS,
  type Quantifier,
} from './syntax.ts';
import { QueryRefused, quoted, type Token, tokensOf } from './token.ts';

export const STATEMENT_CHARS_MAX = 10_000;
/** Maximum nesting of expressions. The parser and the compiler are recursive. */
const NESTING_MAX = 40;
/** Words that are no variables, so that a forgotten one is noticed where it is missing. */
const RESERVED = new Set(
  `MATCH OPTIONAL WHERE WITH UNWIND RETURN ORDER SKIP LIMIT AS AND OR XOR NOT IN IS NULL TRUE FALSE
  STARTS ENDS CONTAINS CASE WHEN THEN ELSE END DISTINCT UNION CALL CREATE MERGE DELETE DETACH SET
  REMOVE FOREACH LOAD USE SHOW`.split(/\s+/),
);
const END_MESSAGE = 'This part of Cypher is not offered here';

/** Operators by precedence, the loosest first. */
const LEVELS: readonly (readonly BinaryOperator[])[] = [
  ['OR'],
  ['XOR'],
  ['AND'],
  ['=', '<>', '<', '<=', '>', '>='],
  ['STARTS WITH', 'ENDS WITH', 'CONTAINS', 'IN'],
  ['+', '-'],
  ['*', '/', '%'],
  ['^'],
];
const NOT_LEVEL = 3;
const TEXT_LEVEL = 4;

/** A parser of expressions by recursive descent, with the helpers that the clauses need too. */
export class ExpressionParser {
  private readonly text: string;
  private readonly tokens: readonly Token[];
  private position = 0;
  private depth = 0;

  constructor(text: string) {
    this.text = text;
    this.tokens = tokensOf(text);
  }

  expression(): Expression {
    return this.binary(0);
  }

  private binary(level: number): Expression {
    const operators = LEVELS[level];
    if (operators === undefined) return this.unary();
    if (level === NOT_LEVEL) return this.negation();
    return this.operands(level, operators);
  }

  /** Left-associative operators of one level. */
  private operands(level: number, operators: readonly BinaryOperator[]): Expression {
    let left = this.nested(() => this.binary(level + 1));
    for (;;) {
      const { at } = this.peek();
      if (level === TEXT_LEVEL && this.takeWords('IS')) {
        const negated = this.takeWords('NOT');
        this.expectWord('NULL');
        left = { kind: 'isNull', of: left, negated, at };
        continue;
      }
      const operator = operators.find((one) => this.takeOperator(one));
      if (operator === undefined) return left;
      const right = this.nested(() => this.binary(level + 1));
      if (level === NOT_LEVEL && operators.some((one) => this.isOperator(one)))
        throw this.refusal('Join comparisons by AND');
      left = { kind: 'binary', operator, left, right, at };
    }
  }

  private negation(): Expression {
    const { at } = this.peek();
    if (this.takeWords('NOT')) return { kind: 'not', of: this.nested(() => this.negation()), at };
    return this.operands(NOT_LEVEL, LEVELS[NOT_LEVEL] ?? []);
  }

  private unary(): Expression {
    const { at } = this.peek();
    if (this.takeSign('-')) return { kind: 'minus', of: this.nested(() => this.unary()), at };
    if (this.takeSign('+')) return this.nested(() => this.unary());
    return this.postfix();
  }

  private postfix(): Expression {
    let of = this.atom();
    for (;;) {
      const { at } = this.peek();
      if (this.takeSign('.')) {
        of = { kind: 'property', of, key: this.expectName('a property'), at };
      } else if (this.takeSign('[')) {
        of = this.nested(() => this.indexOrSlice(of, at));
      } else {
        if (this.isSign('{') || this.isSign(':')) throw this.refusal(END_MESSAGE);
        return of;
      }
    }
  }

  private indexOrSlice(of: Expression, at: number): Expression {
    const from = this.isSign('..') ? null : this.expression();
    if (this.takeSign('..')) {
      const to = this.isSign(']') ? null : this.expression();
      this.expectSign(']', 'A slice is written [1..3]');
      return { kind: 'slice', of, from, to, at };
    }
    this.expectSign(']', 'An index is written [0]');
    if (from === null) throw this.refusal(END_MESSAGE);
    return { kind: 'index', of, index: from, at };
  }

  private atom(): Expression {
    const token = this.peek();
    const { kind, text, at } = token;
    if (kind === 'string') return this.literal(text);
    if (kind === 'float') return this.literal(Number(text));
    if (kind === 'integer') return this.literal(this.takeInteger() ?? 0, 0);
    if (kind === 'parameter') {
      this.position++;
      return { kind: 'parameter', name: text, at };
    }
    if (this.takeSign('(')) {
      const inner = this.nested(() => this.expression());
      this.expectSign(')', 'Patterns stand in MATCH only, so this bracket has to end here');
      return inner;
    }
    if (this.isSign('[')) return this.nested(() => this.listOrComprehension());
    if (this.isSign('{')) return { kind: 'map', entries: this.entries(), at };
    if (this.takeWords('NULL')) return { kind: 'literal', value: null, at };
    if (this.takeWords('TRUE')) return { kind: 'literal', value: true, at };
    if (this.takeWords('FALSE')) return { kind: 'literal', value: false, at };
    if (this.takeWords('CASE')) return this.nested(() => this.caseOf(at));
    if (this.isCall()) return this.nested(() => this.call());
    if (this.isName()) return { kind: 'variable', name: this.expectName('a variable'), at };
    throw this.refusal(END_MESSAGE);
  }

  private literal(value: string | number, steps = 1): Expression {
    const { at } = this.peek();
    this.position += steps;
    return { kind: 'literal', value, at };
  }

  private listOrComprehension(): Expression {
    const { at } = this.peek();
    this.expectSign('[', '');
    if (this.isName() && this.isWordAt(1, 'IN')) {
      const comprehension = this.overList(null, at);
      this.expectSign(']', 'A list is built by [x IN list WHERE condition | value]');
      return comprehension;
    }
    const items: Expression[] = [];
    if (!this.isSign(']'))
      do items.push(this.expression());
      while (this.takeSign(','));
    this.expectSign(']', 'A list ends with ]');
    return { kind: 'list', items, at };
  }

  /** `x IN list WHERE … | …`, without the brackets. */
  private overList(quantifier: Quantifier | null, at: number): Expression {
    const name = this.expectName('a variable');
    this.expectWord('IN');
    const list = this.expression();
    const where = this.takeWords('WHERE') ? this.expression() : null;
    const body = quantifier === null && this.takeSign('|') ? this.expression() : null;
    if (quantifier !== null && where === null)
      throw this.refusal(`${quantifier} is written ${quantifier}(x IN list WHERE condition)`);
    return { kind: 'comprehension', quantifier, name, list, where, body, at };
  }

  entries(): Entry[] {
    this.expectSign('{', 'A map is written {key: value}');
    const entries: Entry[] = [];
    if (!this.isSign('}'))
      do {
        const { at } = this.peek();
        const key = this.expectName('a key');
        this.expectSign(':', 'A map is written {key: value}');
        entries.push({ key, value: this.nested(() => this.expression()), at });
      } while (this.takeSign(','));
    this.expectSign('}', 'A map is written {key: value}');
    return entries;
  }

  private caseOf(at: number): Expression {
    const of = this.isWordAt(0, 'WHEN') ? null : this.expression();
    const branches: { when: Expression; result: Expression }[] = [];
    while (this.takeWords('WHEN')) {
      const when = this.expression();
      this.expectWord('THEN');
      branches.push({ when, result: this.expression() });
    }
    if (branches.length === 0) throw this.refusal('CASE needs WHEN and THEN');
    const otherwise = this.takeWords('ELSE') ? this.expression() : null;
    this.expectWord('END');
    return { kind: 'case', of, branches, otherwise, at };
  }

  /** A function's name may have a dot: `duration.between(`. */
  private isCall(): boolean {
    if (this.peek().kind !== 'word') return false;
    const dotted = this.tokens[this.position + 1]?.text === '.';
    const [bracket] = this.tokens.slice(this.position + (dotted ? 3 : 1));
    return bracket?.kind === 'sign' && bracket.text === '(';
  }

  private call(): Expression {
    const { at } = this.peek();
    let name = this.take().text.toLowerCase();
    if (this.takeSign('.')) name = `${name}.${this.take().text.toLowerCase()}`;
    this.expectSign('(', '');
    const quantifier = QUANTIFIERS.find((one) => one === name);
    if (quantifier !== undefined) {
      const over = this.overList(quantifier, at);
      this.expectSign(')', `${name} is written ${name}(x IN list WHERE condition)`);
      return over;
    }
    const distinct = this.takeWords('DISTINCT');
    const star = this.takeSign('*');
    const args: Expression[] = [];
    if (!star && !this.isSign(')'))
      do args.push(this.expression());
      while (this.takeSign(','));
    this.expectSign(')', `The arguments of ${name} end with )`);
    return { kind: 'call', name, distinct, star, args, at };
  }

  private nested<T>(parse: () => T): T {
    // Each level of precedence counts, so the limit is for brackets and operators alike.
    if (++this.depth > NESTING_MAX * LEVELS.length)
      throw new QueryRefused('The expression is nested too deeply.', this.peek().at);
    const parsed = parse();
    this.depth--;
    return parsed;
  }

  protected peek(): Token {
    const token = this.tokens[this.position] ?? this.tokens.at(-1);
    if (token === undefined) throw new Error('There is always an end.');
    return token;
  }

  private take(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.position++;
    return token;
  }

  protected is(kind: Token['kind']): boolean {
    return this.peek().kind === kind;
  }

  protected isSign(text: string): boolean {
    const token = this.peek();
    return token.kind === 'sign' && token.text === text;
  }

  protected takeSign(text: string): boolean {
    if (!this.isSign(text)) return false;
    this.position++;
    return true;
  }

  protected expectSign(text: string, rule: string): void {
    if (!this.takeSign(text)) throw this.refusal(rule);
  }

  private isWordAt(ahead: number, word: string): boolean {
    const token = this.tokens[this.position + ahead];
    return token?.kind === 'word' && token.text.toUpperCase() === word;
  }

  protected takeWords(...words: readonly string[]): boolean {
    if (!words.every((word, ahead) => this.isWordAt(ahead, word))) return false;
    this.position += words.length;
    return true;
  }

  protected expectWord(word: string): void {
    if (!this.takeWords(word)) throw this.refusal(`${word} is missing here`);
  }

  private isOperator(operator: BinaryOperator): boolean {
    const words = operator.split(' ');
    return /^[A-Z]/.test(operator)
      ? words.every((word, ahead) => this.isWordAt(ahead, word))
      : this.isSign(operator);
  }

  private takeOperator(operator: BinaryOperator): boolean {
    if (!this.isOperator(operator)) return false;
    this.position += operator.split(' ').length;
    return true;
  }

  protected isName(): boolean {
    const { kind, text } = this.peek();
    return kind === 'name' || (kind === 'word' && !RESERVED.has(text.toUpperCase()));
  }

  protected expectName(what: string): string {
    const { kind } = this.peek();
    if (what.startsWith('a variable') ? !this.isName() : kind !== 'word' && kind !== 'name')
      throw this.refusal(`Here stands ${what}`);
    return this.take().text;
  }

  protected takeInteger(): number | null {
    const { kind, text, at } = this.peek();
    if (kind !== 'integer') return null;
    const value = Number(text);
    if (!Number.isSafeInteger(value))
      throw new QueryRefused('This number is too large; write it as a parameter.', at);
    this.position++;
    return value;
  }

  protected textSince(at: number): string {
    const last = this.tokens[this.position - 1];
    const next = this.peek();
    return last === undefined ? '' : this.text.slice(at, next.at).trim();
  }

  protected refusal(rule: string): QueryRefused {
    const { kind, text, at } = this.peek();
    const found = kind === 'end' ? 'the query ends' : `${JSON.stringify(quoted(text))} stands`;
    return new QueryRefused(`${rule}; ${found} here.`, at);
  }
}
