import { type ASTNode, Environment } from '@marcbachmann/cel-js';
import { entryOf } from '../common/entry-of.ts';
import type { Json, JsonObject } from '../common/json.ts';
import { type Problem, problem } from '../common/refusal.ts';
import { firstChars } from '../common/well-formed.ts';
import { evaluateCel } from './cel-evaluator.ts';
import { CEL_FUNCTIONS, CEL_MACROS, CEL_METHODS } from './cel-functions.ts';
import { isPrototypeKey } from './names.ts';

export const CONDITION_CHARS_MAX = 4_096;
/**
 * Maximum nesting of `all`, `exists`, `map` and the other comprehensions. Each level multiplies the
 * work.
 */
export const COMPREHENSION_NESTING_MAX = 2;
const NODES_MAX = 1_000;
const NESTING_MAX = 40;

/** `bool` for a condition, `list` for forEach. */
export type ConditionType = 'bool' | 'list';

export interface ConditionReading {
  readonly problems: Problem[];
  /** Names read as `step.<name>` and `context.<name>`, each once. */
  readonly steps: string[];
  readonly context: string[];
  readonly ast: ASTNode | null;
}

const environment = new Environment({
  homogeneousAggregateLiterals: false,
  limits: {
    maxAstNodes: NODES_MAX,
    maxDepth: NESTING_MAX,
    maxListElements: 200,
    maxMapEntries: 200,
    maxCallArguments: 4,
  },
})
  .registerVariable('step', 'map')
  .registerVariable('context', 'map');

// JSON has one kind of number, and the evaluator mixes ints and doubles (cel-evaluator.ts). Without
// these operators the check refuses `step.price * 2 == 21.0`, which it takes for int == double.
const notCalled = () => {
  throw new Error('Expressions run in the evaluator of their own.');
};
for (const operands of [
  ['int', 'double'],
  ['double', 'int'],
])
  for (const operator of ['+', '-', '*', '/'])
    environment.registerOperator(`${operands.join(` ${operator} `)}: double`, notCalled);
// Also in the other order, and `!=`.
environment.registerOperator('int == double: bool', notCalled);

/**
 * Reads a CEL expression over `step` and `context` (docs/decisions/0019). cel-js parses and
 * type-checks it; an allow-list then accepts or refuses every construct.
 * Every fault is a CONDITION_INVALID at `path`. Never throws.
 * @param expectedType type that the result must have, if its type is known before it runs;
 * null accepts any
 * @param meant the known value that an unknown name means
 */
export function readCondition(
  source: string,
  path: readonly (string | number)[],
  expectedType: ConditionType | null = null,
  meant: Meant = () => null,
): ConditionReading {
  const walk = new ConditionWalk(meant);
  const { faults } = walk;
  let ast: ASTNode | null = null;
  if (typeof source !== 'string' || source.length > CONDITION_CHARS_MAX) {
    faults.add(`An expression is text of at most ${CONDITION_CHARS_MAX} characters.`);
  } else {
    try {
      const parsed = environment.parse(source);
      ast = parsed.ast;
      walk.walk(ast, NO_SCOPE);
      const { valid, type, error } = parsed.check();
      if (!valid && faults.size === 0) faults.add(`${summary(error)}.`);
      if (valid && expectedType !== null && !fits(type, expectedType)) {
        const wanted = expectedType === 'bool' ? 'true or false' : 'a list';
        faults.add(`The expression has to give ${wanted}, but gives ${type}.`);
      }
    } catch (error) {
      faults.add(`The expression can't be read: ${summary(error)}.${hintFor(source)}`);
    }
  }
  const problems = [...faults].map((text) => problem('CONDITION_INVALID', path, text));
  return {
    problems,
    steps: [...walk.steps],
    context: [...walk.context],
    ast: faults.size > 0 ? null : ast,
  };
}

/** The known value that an unknown name was probably meant as: `step.found` for `found`. */
type Meant = (name: string) => string | null;

const CEL_TEXT = /(["'])(?:(?!\1)[^\\\n]|\\.)*\1/g;

/** How CEL writes an operator of another language; empty where none is found. */
function hintFor(source: string): string {
  const code = source.replaceAll(CEL_TEXT, '""');
  if (/[=!]==/.test(code)) return ' Write == and != to compare.';
  const [, key] = /\.(\p{L}*[^\p{ASCII}\s][\p{L}\p{N}_]*)/u.exec(code) ?? [];
  if (key !== undefined) return ` Write ["${firstChars(key, 60)}"] for .${firstChars(key, 60)}.`;
  if (/\bis\b/.test(code)) return ' Write == null and != null.';
  if (/\b(?:and|or|not)\b/i.test(code)) return ' Write &&, || and ! for and, or and not.';
  if (/(?<![=!<>])=(?!=)/.test(code)) return ' Write == to compare.';
  return '';
}

/** Constants of other languages. */
const CONSTANTS: Readonly<Record<string, string>> = {
  None: 'null',
  nil: 'null',
  undefined: 'null',
  NULL: 'null',
  True: 'true',
  TRUE: 'true',
  False: 'false',
  FALSE: 'false',
};

/**
 * The names an expression reads as `step.<name>` and `context.<name>`. Empty if it can't be read.
 */
export function conditionReferences(source: string): { steps: string[]; context: string[] } {
  const { steps, context } = readCondition(source, []);
  return { steps, context };
}

// Parsing costs more than evaluating, and a run evaluates the same few expressions.
const parsed = new Map<string, ASTNode>();
const PARSED_MAX = 500;

/**
 * Evaluates a CEL expression over `{ step, context }`, after the same checks as readCondition.
 * Pure; the work is bounded (see Meter).
 * A path through null is null. Safe integers are ints, other numbers are doubles. The result is
 * JSON.
 * @throws Error with a message for the author; the engine reports it as CONDITION_FAILED
 */
export function evaluateCondition(source: string, scope: JsonObject): Json {
  let ast = parsed.get(source);
  if (ast === undefined) {
    const reading = readCondition(source, []);
    if (reading.ast === null)
      throw new Error(reading.problems.map(({ message }) => message).join(' '));
    ast = reading.ast;
    if (parsed.size >= PARSED_MAX) parsed.clear();
    parsed.set(source, ast);
  }
  return evaluateCel(ast, scope);
}

function summary(error: unknown): string {
  const text = (error as { summary?: string; message?: string } | undefined) ?? {};
  return firstChars((text.summary ?? text.message ?? 'unknown fault').replace(/\.$/, ''), 300);
}

function fits(type: string | undefined, expectedType: ConditionType): boolean {
  if (type === undefined || type === 'dyn') return true;
  return expectedType === 'bool' ? type === 'bool' : type.startsWith('list');
}

interface Scope {
  readonly names: ReadonlySet<string>;
  readonly comprehensions: number;
}
const NO_SCOPE: Scope = { names: new Set(), comprehensions: 0 };

/** Walks a parsed expression. Collects the names it reads and the faults of its constructs. */
class ConditionWalk {
  readonly steps = new Set<string>();
  readonly context = new Set<string>();
  readonly faults = new Set<string>();
  readonly #meant: Meant;

  constructor(meant: Meant) {
    this.#meant = meant;
  }

  #unknown(name: string): void {
    const meant = entryOf(CONSTANTS, name) ?? this.#meant(name);
    this.#fault(`${bareName(name)}${meant === null ? '' : ` Did you mean ${meant}?`}`);
  }

  #fault(message: string): void {
    this.faults.add(message);
  }

  #walkAll(nodes: readonly ASTNode[], scope: Scope): void {
    for (const node of nodes) this.walk(node, scope);
  }

  walk(node: ASTNode, scope: Scope): void {
    switch (node.op) {
      case 'value':
        if (typeof node.args === 'object' && node.args !== null)
          this.#fault('Bytes and unsigned numbers are not used here.');
        return;
      case 'id':
        if (!scope.names.has(node.args)) this.#unknown(node.args);
        return;
      case '.':
        if (isPrototypeKey(node.args[1])) this.#fault(noSuchName(node.args[1]));
        this.#walkAccess(node.args[0], node.args[1], scope);
        return;
      case '[]': {
        const [target, key] = node.args;
        const name = key.op === 'value' && typeof key.args === 'string' ? key.args : null;
        this.#walkAccess(target, name, scope);
        this.walk(key, scope);
        return;
      }
      case 'call':
        this.#walkCall(node.args[0], node.args[1], scope);
        return;
      case 'rcall':
        this.#walkMethod(node.args[0], node.args[1], node.args[2], scope);
        return;
      case 'list':
        this.#walkAll(node.args, scope);
        return;
      case 'map':
        for (const entry of node.args) this.#walkAll(entry, scope);
        return;
      case '!_':
      case '-_':
        this.walk(node.args, scope);
        return;
      case '.?':
      case '[?]':
        this.#fault('Write has(...) instead of the optional ?.');
        return;
      default:
        // The remaining nodes are operators with two or three operands.
        this.#walkAll(node.args, scope);
    }
  }

  /** `name` is null if it is only known when the expression runs. */
  #walkAccess(target: ASTNode, name: string | null, scope: Scope): void {
    const root = target.op === 'id' && !scope.names.has(target.args) ? target.args : null;
    // A key in brackets may be one of the data. A variable never has such a name.
    const isRefused = root === null ? name === '__proto__' : name !== null && isPrototypeKey(name);
    if (name !== null && isRefused) this.#fault(`No value has ${name}.`);
    if (root !== 'step' && root !== 'context') this.walk(target, scope);
    else if (name === null) this.#fault(bareName(root));
    else this[root === 'step' ? 'steps' : 'context'].add(name);
  }

  #walkCall(name: string, args: readonly ASTNode[], scope: Scope): void {
    if (name !== 'has' && !Object.hasOwn(CEL_FUNCTIONS, name))
      this.#fault(
        `${name}() is not there; there are has, ${Object.keys(CEL_FUNCTIONS).join(', ')}.`,
      );
    this.#walkAll(args, scope);
  }

  #walkMethod(name: string, receiver: ASTNode, args: readonly ASTNode[], scope: Scope): void {
    if (!(CEL_MACROS as readonly string[]).includes(name)) {
      if (name === 'matches')
        this.#fault('matches is not supported; use contains, startsWith or endsWith.');
      else if (!Object.hasOwn(CEL_METHODS, name)) {
        this.#fault(
          `.${name}() is not there; there are ` +
            `${[...CEL_MACROS, ...Object.keys(CEL_METHODS)].join(', ')}.`,
        );
      }
      this.#walkAll([receiver, ...args], scope);
      return;
    }
    this.walk(receiver, scope);
    const [variable, ...bodies] = args;
    const comprehensions = scope.comprehensions + 1;
    if (comprehensions > COMPREHENSION_NESTING_MAX) {
      this.#fault(
        `all, exists, map and filter may nest ${COMPREHENSION_NESTING_MAX} deep at most.`,
      );
    } else if (variable?.op !== 'id' || variable.args === 'step' || variable.args === 'context') {
      this.#fault(`.${name}() first names the item, as in step.list.${name}(item, ...).`);
    } else {
      this.#walkAll(bodies, { names: new Set([...scope.names, variable.args]), comprehensions });
    }
  }
}

function noSuchName(name: string): string {
  const hint = name === '__proto__' ? '' : ` Write ["${name}"] for a key of the data.`;
  return `No value has .${name}.${hint}`;
}

const bareName = (name: string): string =>
  name === 'step' || name === 'context'
    ? `${name} is not a value by itself; write ${name}.<name>.`
    : `${name} is not known here; expressions read step.<variable> and context.<name>.`;
