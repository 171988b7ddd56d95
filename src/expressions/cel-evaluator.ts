import type { ASTNode, BinaryOperator } from '@marcbachmann/cel-js';
import type { Json, JsonObject } from '../common/json.ts';
import { CEL_FUNCTIONS, CEL_METHODS, checkedInt } from './cel-functions.ts';
import { type CelValue, fault, isList, isMap, Meter, TooMuchWork, typeName } from './cel-value.ts';
import { isPrototypeKey } from './names.ts';

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
  return meter.toJson(createEvaluator(meter)(ast, new Map(Object.entries(scope))));
}

function createEvaluator(meter: Meter) {
  function run(node: ASTNode, names: Names): CelValue {
    meter.spend(1);
    switch (node.op) {
      case 'value':
        return node.args as CelValue;
      case 'id':
        return names.get(node.args) ?? null;
      case '.':
        return member(run(node.args[0], names), node.args[1], node);
      case '[]':
        return element(run(node.args[0], names), run(node.args[1], names), node);
      case 'call':
        return node.args[0] === 'has'
          ? has(node.args[1][0], names)
          : call(node.args[0], node.args[1], names);
      case 'rcall':
        return method(node.args[0], node.args[1], node.args[2], names);
      case 'list':
        return meter.list(node.args.map((item) => run(item, names)));
      case 'map':
        return meter.map(
          new Map(node.args.map(([key, value]) => [mapKey(run(key, names)), run(value, names)])),
        );
      case '?:':
        return run(bool(run(node.args[0], names)) ? node.args[1] : node.args[2], names);
      case '||':
        return either(node.args, true, names);
      case '&&':
        return either(node.args, false, names);
      case '!_':
        return !bool(run(node.args, names));
      case '-_':
        return negated(run(node.args, names));
      case '.?':
      case '[?]':
        return fault('Optional access is not supported');
      default:
        return binary(node.op, run(node.args[0], names), run(node.args[1], names));
    }
  }

  /**
   * One deciding side is enough, even if the other side fails. CEL ignores the order of the sides.
   */
  function either(
    [left, right]: readonly [ASTNode, ASTNode],
    decisive: boolean,
    names: Names,
  ): boolean {
    let failure: unknown;
    for (const side of [left, right]) {
      try {
        if (bool(run(side, names)) === decisive) return decisive;
      } catch (error) {
        if (error instanceof TooMuchWork) throw error;
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
    return !decisive;
  }

  function member(target: CelValue, key: string, node: ASTNode): CelValue {
    if (target === null) return null;
    if (!isMap(target)) return fault(`${sourceOf(node)}: a ${typeName(target)} has no ${key}`);
    const found = isPrototypeKey(key) || !Object.hasOwn(target, key) ? undefined : target[key];
    if (found === undefined)
      return fault(`${sourceOf(node)} is not there; has(...) tells whether it is`);
    return meter.read(target, found);
  }

  function element(target: CelValue, key: CelValue, node: ASTNode): CelValue {
    if (target === null) return null;
    if (isMap(target)) return member(target, mapKey(key), node);
    if (!isList(target)) return fault(`${sourceOf(node)}: a ${typeName(target)} has no elements`);
    const index =
      typeof key === 'bigint' ? Number(key) : fault(`${sourceOf(node)}: an index is an int`);
    const found = target[index];
    return found === undefined
      ? fault(`${sourceOf(node)} is out of range`)
      : meter.read(target, found);
  }

  /** False if any part of the path is null or absent. */
  function has(path: ASTNode | undefined, names: Names): boolean {
    if (path?.op !== '.') return fault('has() wants a path');
    const [parent, key] = path.args;
    if (parent.op === '.' && !has(parent, names)) return false;
    const target = run(parent, names);
    return isMap(target) && !isPrototypeKey(key) && Object.hasOwn(target, key);
  }

  function call(name: string, args: readonly ASTNode[], names: Names): CelValue {
    const work = Object.hasOwn(CEL_FUNCTIONS, name) ? CEL_FUNCTIONS[name] : undefined;
    return work === undefined
      ? fault(`${name}() is not there`)
      : work(meter, ...args.map((arg) => run(arg, names)));
  }

  function method(
    name: string,
    receiver: ASTNode,
    args: readonly ASTNode[],
    names: Names,
  ): CelValue {
    const target = run(receiver, names);
    const work = Object.hasOwn(CEL_METHODS, name) ? CEL_METHODS[name] : undefined;
    if (work !== undefined) return work(meter, target, ...args.map((arg) => run(arg, names)));
    const [variable, ...bodies] = args;
    const [first, second] = bodies;
    if (variable?.op !== 'id' || first === undefined) return fault(`.${name}() is not there`);
    const items = itemsOf(target, name, receiver);
    const within = (body: ASTNode, item: CelValue) =>
      run(body, new Map([...names, [variable.args, item]]));
    const holds = (item: CelValue) => bool(within(first, item));
    switch (name) {
      case 'filter':
        return meter.list(items.filter(holds));
      case 'map':
        if (second === undefined) return meter.list(items.map((item) => within(first, item)));
        return meter.list(items.filter(holds).map((item) => within(second, item)));
      case 'all':
        return !quantify(items, (item) => !holds(item));
      case 'exists':
        return quantify(items, holds);
      case 'exists_one':
        return items.filter(holds).length === 1;
      default:
        return fault(`.${name}() is not there`);
    }
  }

  /** Whether one item decides. As with `||`, a failure counts only if no item decides. */
  function quantify(items: readonly CelValue[], decides: (item: CelValue) => boolean): boolean {
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

  function itemsOf(target: CelValue, name: string, receiver: ASTNode): CelValue[] {
    if (isList(target)) return target.map((item) => meter.read(target, item));
    if (isMap(target)) return Object.keys(target);
    return fault(`${sourceOf(receiver)} is ${typeName(target)}, and .${name}() wants a list`);
  }

  function binary(operator: BinaryOperator, left: CelValue, right: CelValue): CelValue {
    switch (operator) {
      case '==':
        return equal(left, right);
      case '!=':
        return !equal(left, right);
      case 'in':
        return contains(right, left);
      case '<':
        return ordered(left, right, operator) < 0;
      case '<=':
        return ordered(left, right, operator) <= 0;
      case '>':
        return ordered(left, right, operator) > 0;
      case '>=':
        return ordered(left, right, operator) >= 0;
      default:
        return arithmetic(operator, left, right);
    }
  }

  function contains(container: CelValue, wanted: CelValue): boolean {
    if (container === null) return false;
    if (isMap(container)) return typeof wanted === 'string' && Object.hasOwn(container, wanted);
    if (isList(container))
      return container.some((item) => equal(meter.read(container, item), wanted));
    return fault(`in wants a list or a map, not ${typeName(container)}`);
  }

  function equal(left: CelValue, right: CelValue): boolean {
    meter.spend(1);
    // biome-ignore lint/suspicious/noDoubleEquals: 3n == 3.0, which CEL wants too
    if (isNumber(left) && isNumber(right)) return left == right;
    if (typeof left === 'string' && typeof right === 'string') {
      meter.spendText(Math.min(left.length, right.length));
      return left === right;
    }
    if (isList(left) && isList(right)) {
      return (
        left.length === right.length &&
        left.every((item, at) =>
          equal(meter.read(left, item), meter.read(right, right[at] ?? null)),
        )
      );
    }
    if (isMap(left) && isMap(right)) {
      const keys = Object.keys(left);
      meter.spend(keys.length);
      return (
        keys.length === Object.keys(right).length &&
        keys.every(
          (key) =>
            Object.hasOwn(right, key) &&
            equal(meter.read(left, left[key] ?? null), meter.read(right, right[key] ?? null)),
        )
      );
    }
    return left === right;
  }

  function arithmetic(
    operator: '+' | '-' | '*' | '/' | '%',
    left: CelValue,
    right: CelValue,
  ): CelValue {
    if (typeof left === 'bigint' && typeof right === 'bigint')
      return intArithmetic(operator, left, right);
    if (isNumber(left) && isNumber(right) && operator !== '%') {
      return DOUBLE[operator](Number(left), Number(right));
    }
    if (operator === '+' && typeof left === 'string' && typeof right === 'string') {
      meter.spendText(left.length + right.length);
      return left + right;
    }
    if (operator === '+' && isList(left) && isList(right)) {
      const items = [left, right].flatMap((list) => list.map((item) => meter.read(list, item)));
      return meter.list(items);
    }
    return fault(`${typeName(left)} ${operator} ${typeName(right)} is not defined`);
  }

  return run;
}

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

function ordered(left: CelValue, right: CelValue, operator: string): number {
  const comparable =
    (isNumber(left) && isNumber(right)) ||
    (typeof left === typeof right && (typeof left === 'string' || typeof left === 'boolean'));
  if (!comparable || left === null || right === null) {
    return fault(`${typeName(left)} ${operator} ${typeName(right)} is not defined`);
  }
  return left < right
    ? -1
    : left > right
      ? 1
      : left === right || Number(left) === Number(right)
        ? 0
        : Number.NaN;
}

function isNumber(value: CelValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function bool(value: CelValue): boolean {
  return typeof value === 'boolean'
    ? value
    : fault(`true or false is wanted, not ${typeName(value)}`);
}

function negated(value: CelValue): CelValue {
  if (typeof value === 'bigint') return checkedInt(-value);
  return typeof value === 'number' ? -value : fault(`-${typeName(value)} is not defined`);
}

function mapKey(value: CelValue): string {
  if (typeof value !== 'string') return fault('A key is a string');
  return isPrototypeKey(value) ? fault(`No value has ${value}`) : value;
}

function sourceOf(node: ASTNode): string {
  return node.input.slice(node.range.start, node.range.end).slice(0, 100);
}
