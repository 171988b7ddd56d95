import type { ASTNode, BinaryOperator } from '@marcbachmann/cel-js';
import { entryOf } from '../common/entry-of.ts';
import { isBigNumeral } from '../common/exact-json.ts';
import type { Json, JsonObject } from '../common/json.ts';
import { firstChars } from '../common/well-formed.ts';
import { compareDecimals, type Decimal, decimalOf } from '../json-schema/decimal.ts';
import { CEL_FUNCTIONS, CEL_METHODS, checkedInt } from './cel-functions.ts';
import {
  type CelValue,
  fault,
  isList,
  isMap,
  Meter,
  TooMuchWork,
  typeName,
  typeWords,
} from './cel-value.ts';

type Names = ReadonlyMap<string, CelValue>;

/**
 * Evaluates an expression that `readCondition` accepted. cel-js only parses and type-checks it: its
 * own evaluation is neither null-safe nor bounded, and a workflow can't interrupt it.
 * Differs from CEL as docs/decisions/0019 says. A path through null is null. An int compared with a
 * double is a double, because JSON can't distinguish 3 from 3.0.
 * @throws Error with a message for the author of the expression
 */
export function evaluateCel(ast: ASTNode, scope: JsonObject): Json {
  const meter = new Meter();
  const result = new CelEvaluator(meter).evaluate(ast, new Map(Object.entries(scope)));
  return meter.toJson(result);
}

/** Evaluates the nodes of one expression. The meter counts the work of all of them. */
class CelEvaluator {
  readonly #meter: Meter;

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  evaluate(node: ASTNode, names: Names): CelValue {
    this.#meter.spend(1);
    switch (node.op) {
      case 'value':
        return node.args as CelValue;
      case 'id':
        return names.get(node.args) ?? null;
      case '.':
        return this.#member(this.evaluate(node.args[0], names), node.args[1], node);
      case '[]':
        return this.#element(
          this.evaluate(node.args[0], names),
          this.evaluate(node.args[1], names),
          node,
        );
      case 'call':
        return node.args[0] === 'has'
          ? this.#has(node.args[1][0], names)
          : this.#call(node.args[0], node.args[1], names);
      case 'rcall':
        return this.#method(node.args[0], node.args[1], node.args[2], names);
      case 'list':
        return this.#meter.list(node.args.map((item) => this.evaluate(item, names)));
      case 'map':
        return this.#meter.map(
          new Map(
            node.args.map(([key, value]) => [
              mapKey(this.evaluate(key, names)),
              this.evaluate(value, names),
            ]),
          ),
        );
      case '?:':
        return this.evaluate(
          bool(this.evaluate(node.args[0], names)) ? node.args[1] : node.args[2],
          names,
        );
      case '||':
        return this.#either(node.args, true, names);
      case '&&':
        return this.#either(node.args, false, names);
      case '!_':
        return !bool(this.evaluate(node.args, names));
      case '-_':
        return negated(this.evaluate(node.args, names));
      case '.?':
      case '[?]':
        return fault('Optional access is not supported');
      default:
        return this.#binary(
          node,
          node.op,
          this.evaluate(node.args[0], names),
          this.evaluate(node.args[1], names),
        );
    }
  }

  /**
   * One deciding side is enough, even if the other side fails. CEL ignores the order of the sides.
   */
  #either([left, right]: readonly [ASTNode, ASTNode], decisive: boolean, names: Names): boolean {
    let failure: unknown;
    for (const side of [left, right]) {
      try {
        if (bool(this.evaluate(side, names)) === decisive) return decisive;
      } catch (error) {
        if (error instanceof TooMuchWork) throw error;
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
    return !decisive;
  }

  #member(target: CelValue, key: string, node: ASTNode): CelValue {
    if (target === null) return null;
    if (!isMap(target)) return fault(`${sourceOf(node)}: a ${typeName(target)} has no ${key}`);
    const found = entryOf(target, key);
    if (found === undefined)
      return fault(`${sourceOf(node)} is not there; test it with has(...) first`);
    return this.#meter.read(target, found);
  }

  #element(target: CelValue, key: CelValue, node: ASTNode): CelValue {
    if (target === null) return null;
    if (isMap(target)) return this.#member(target, mapKey(key), node);
    if (!isList(target)) return fault(`${sourceOf(node)}: a ${typeName(target)} has no elements`);
    const index =
      typeof key === 'bigint' ? Number(key) : fault(`${sourceOf(node)}: an index is an int`);
    const found = target[index];
    return found === undefined
      ? fault(`${sourceOf(node)} is out of range`)
      : this.#meter.read(target, found);
  }

  /** False if any part of the path is null or absent. */
  #has(path: ASTNode | undefined, names: Names): boolean {
    if (path?.op !== '.') return fault('has() wants a path');
    const [parent, key] = path.args;
    if (parent.op === '.' && !this.#has(parent, names)) return false;
    const target = this.evaluate(parent, names);
    return isMap(target) && Object.hasOwn(target, key);
  }

  #call(name: string, args: readonly ASTNode[], names: Names): CelValue {
    const work = Object.hasOwn(CEL_FUNCTIONS, name) ? CEL_FUNCTIONS[name] : undefined;
    return work === undefined
      ? fault(`${name}() is not there`)
      : work(this.#meter, ...args.map((arg) => this.evaluate(arg, names)));
  }

  #method(name: string, receiver: ASTNode, args: readonly ASTNode[], names: Names): CelValue {
    const target = this.evaluate(receiver, names);
    const work = Object.hasOwn(CEL_METHODS, name) ? CEL_METHODS[name] : undefined;
    if (work !== undefined)
      return work(this.#meter, target, ...args.map((arg) => this.evaluate(arg, names)));
    const [variable, ...bodies] = args;
    const [first, second] = bodies;
    if (variable?.op !== 'id' || first === undefined) return fault(`.${name}() is not there`);
    const items = this.#itemsOf(target, name, receiver);
    const within = (body: ASTNode, item: CelValue) =>
      this.evaluate(body, new Map([...names, [variable.args, item]]));
    const holds = (item: CelValue) => bool(within(first, item));
    switch (name) {
      case 'filter':
        return this.#meter.list(items.filter(holds));
      case 'map':
        if (second === undefined) return this.#meter.list(items.map((item) => within(first, item)));
        return this.#meter.list(items.filter(holds).map((item) => within(second, item)));
      case 'all':
        return !this.#quantify(items, (item) => !holds(item));
      case 'exists':
        return this.#quantify(items, holds);
      case 'exists_one':
        return items.filter(holds).length === 1;
      default:
        return fault(`.${name}() is not there`);
    }
  }

  /** Whether one item decides. As with `||`, a failure counts only if no item decides. */
  #quantify(items: readonly CelValue[], decides: (item: CelValue) => boolean): boolean {
    let failure: unknown;
    for (const item of items) {
      try {
        if (decides(item)) return true;
      } catch (error) {
        if (error instanceof TooMuchWork) throw error;
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
    return false;
  }

  #itemsOf(target: CelValue, name: string, receiver: ASTNode): CelValue[] {
    if (isList(target)) return target.map((item) => this.#meter.read(target, item));
    if (isMap(target)) return Object.keys(target);
    return fault(`${sourceOf(receiver)} is ${typeName(target)}, and .${name}() wants a list`);
  }

  #binary(node: ASTNode, operator: BinaryOperator, left: CelValue, right: CelValue): CelValue {
    switch (operator) {
      case '==':
        return this.#equal(left, right);
      case '!=':
        return !this.#equal(left, right);
      case 'in':
        return this.#contains(right, left);
      case '<':
        return this.#order(node, left, right) < 0;
      case '<=':
        return this.#order(node, left, right) <= 0;
      case '>':
        return this.#order(node, left, right) > 0;
      case '>=':
        return this.#order(node, left, right) >= 0;
      default:
        return this.#arithmetic(node, operator, left, right);
    }
  }

  #order(node: ASTNode, left: CelValue, right: CelValue): number {
    if (isNumber(left) && isNumber(right)) {
      if (left < right) return -1;
      if (left > right) return 1;
      // biome-ignore lint/suspicious/noDoubleEquals: 3n == 3.0, which CEL wants too
      return left == right ? 0 : Number.NaN;
    }
    const numerals = compareNumerals(left, right);
    if (numerals !== null) return numerals;
    if (typeof left === 'string' && typeof right === 'string') {
      this.#meter.spendText(Math.min(left.length, right.length));
      return compareTexts(left, right);
    }
    if (typeof left === 'boolean' && typeof right === 'boolean')
      return Number(left) - Number(right);
    return impossible(node, left, right);
  }

  #contains(container: CelValue, wanted: CelValue): boolean {
    if (container === null) return false;
    if (isMap(container)) return typeof wanted === 'string' && Object.hasOwn(container, wanted);
    if (isList(container))
      return container.some((item) => this.#equal(this.#meter.read(container, item), wanted));
    return fault(`in wants a list or a map, not ${typeName(container)}`);
  }

  #equal(left: CelValue, right: CelValue): boolean {
    this.#meter.spend(1);
    // biome-ignore lint/suspicious/noDoubleEquals: 3n == 3.0, which CEL wants too
    if (isNumber(left) && isNumber(right)) return left == right;
    if (typeof left === 'string' && typeof right === 'string') {
      this.#meter.spendText(Math.min(left.length, right.length));
      return left === right;
    }
    if (isNumber(left) || isNumber(right)) return compareNumerals(left, right) === 0;
    if (isList(left) && isList(right))
      return (
        left.length === right.length &&
        left.every((item, at) =>
          this.#equal(this.#meter.read(left, item), this.#meter.read(right, right[at] ?? null)),
        )
      );
    if (isMap(left) && isMap(right)) {
      const keys = Object.keys(left);
      this.#meter.spend(keys.length);
      return (
        keys.length === Object.keys(right).length &&
        keys.every(
          (key) =>
            Object.hasOwn(right, key) &&
            this.#equal(
              this.#meter.read(left, left[key] ?? null),
              this.#meter.read(right, right[key] ?? null),
            ),
        )
      );
    }
    return left === right;
  }

  #arithmetic(
    node: ASTNode,
    operator: '+' | '-' | '*' | '/' | '%',
    left: CelValue,
    right: CelValue,
  ): CelValue {
    if (typeof left === 'bigint' && typeof right === 'bigint')
      return intArithmetic(operator, left, right);
    if (isNumber(left) && isNumber(right) && operator !== '%')
      return DOUBLE[operator](Number(left), Number(right));
    if (operator === '+' && typeof left === 'string' && typeof right === 'string') {
      this.#meter.spendText(left.length + right.length);
      return left + right;
    }
    if (operator === '+' && isList(left) && isList(right)) {
      const items = [left, right].flatMap((list) =>
        list.map((item) => this.#meter.read(list, item)),
      );
      return this.#meter.list(items);
    }
    return impossible(node, left, right);
  }
}

function impossible(node: ASTNode, left: CelValue, right: CelValue): never {
  const isTextOfNumber = [left, right].some((one) => typeof one === 'string' && NUMERAL.test(one));
  const hint =
    isTextOfNumber && (isNumber(left) || isNumber(right))
      ? '; write int(...) or double(...) for a number in a text'
      : '';
  const [first, second] = [typeWords(left), typeWords(right)];
  return fault(`${sourceOf(node)} is not possible: left is ${first} and right is ${second}${hint}`);
}

const NUMERAL = /^[+-]?\d[\d.]{0,400}(?:[eE][+-]?\d{1,9})?$/;

const DOUBLE = {
  '+': (left: number, right: number) => left + right,
  '-': (left: number, right: number) => left - right,
  '*': (left: number, right: number) => left * right,
  '/': (left: number, right: number) => left / right,
};

function intArithmetic(operator: '+' | '-' | '*' | '/' | '%', left: bigint, right: bigint): bigint {
  if ((operator === '/' || operator === '%') && right === 0n) return fault('Division by zero');
  switch (operator) {
    case '+':
      return checkedInt(left + right);
    case '-':
      return checkedInt(left - right);
    case '*':
      return checkedInt(left * right);
    case '/':
      return checkedInt(left / right);
    case '%':
      return left % right;
  }
}

/** Code points in order. UTF-16 units would put U+FF5E after U+1F600. */
function compareTexts(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  return (left.codePointAt(at) ?? -1) - (right.codePointAt(at) ?? -1);
}

/**
 * How a number compares with one beyond 2^53, which JSON from outside keeps as the text of its
 * digits, or two such numbers; null for other values (docs/decisions/0096).
 */
function compareNumerals(left: CelValue, right: CelValue): number | null {
  const [a, b] = [decimalIn(left), decimalIn(right)];
  const isAsked = typeof left === 'string' || typeof right === 'string';
  return isAsked && a !== null && b !== null ? compareDecimals(a, b) : null;
}

function decimalIn(value: CelValue): Decimal | null {
  if (typeof value === 'bigint') return { digits: value, exponent: 0 };
  if (typeof value === 'number') return Number.isFinite(value) ? decimalOf(value) : null;
  return typeof value === 'string' && isBigNumeral(value) ? decimalOf(value) : null;
}

const isNumber = (value: CelValue): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

const bool = (value: CelValue): boolean =>
  typeof value === 'boolean' ? value : fault(`true or false is wanted, not ${typeWords(value)}`);

function negated(value: CelValue): CelValue {
  if (typeof value === 'bigint') return checkedInt(-value);
  return typeof value === 'number'
    ? -value
    : fault(`A minus takes a number, not ${typeWords(value)}`);
}

const mapKey = (value: CelValue): string =>
  typeof value === 'string' ? value : fault('A key is a string');

const sourceOf = (node: ASTNode): string =>
  firstChars(node.input.slice(node.range.start, node.range.end), 100);
