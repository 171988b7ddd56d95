import { type ASTNode, Environment } from '@marcbachmann/cel-js';
import type { Json, JsonObject } from '../common/json.ts';
import { type Problem, problem } from '../common/refusal.ts';
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

/**
 * Reads a CEL expression over `step` and `context` (docs/decisions/0019). cel-js parses and
 * type-checks it; an allow-list then accepts or refuses every construct.
 * Every fault is a CONDITION_INVALID at `path`. Never throws.
 * @param expectedType type that the result must have, if its type is known before it runs; null accepts
 * any
 */
export function readCondition(
  source: string,
  path: readonly (string | number)[],
  expectedType: ConditionType | null = null,
): ConditionReading {
  const steps = new Set<string>();
  const context = new Set<string>();
  const messages = new Set<string>();
  let ast: ASTNode | null = null;
  if (typeof source !== 'string' || source.length > CONDITION_CHARS_MAX) {
    messages.add(`An expression is text of at most ${CONDITION_CHARS_MAX} characters.`);
  } else {
    try {
      const parsed = environment.parse(source);
      ast = parsed.ast;
      createWalk({ steps, context, fault: (message) => messages.add(message) })(ast, NO_SCOPE);
      const { valid, type, error } = parsed.check();
      if (!valid && messages.size === 0) messages.add(`${summary(error)}.`);
      if (valid && expectedType !== null && !fits(type, expectedType)) {
        const wanted = expectedType === 'bool' ? 'true or false' : 'a list';
        messages.add(`The expression has to give ${wanted}, but gives ${type}.`);
      }
    } catch (error) {
      messages.add(`The expression can't be read: ${summary(error)}.`);
    }
  }
  const problems = [...messages].map((text) => problem('CONDITION_INVALID', path, text));
  return {
    problems,
    steps: [...steps],
    context: [...context],
    ast: messages.size > 0 ? null : ast,
  };
}

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
    if (reading.ast === null) {
      throw new Error(reading.problems.map(({ message }) => message).join(' '));
    }
    ast = reading.ast;
    if (parsed.size >= PARSED_MAX) parsed.clear();
    parsed.set(source, ast);
  }
  return evaluateCel(ast, scope);
}

function summary(error: unknown): string {
  const text = (error as { summary?: string; message?: string } | undefined) ?? {};
  return (text.summary ?? text.message ?? 'unknown fault').replace(/\.$/, '').slice(0, 300);
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

function createWalk(found: {
  readonly steps: Set<string>;
  readonly context: Set<string>;
  fault(message: string): void;
}) {
  const { fault } = found;

  function walkAll(nodes: readonly ASTNode[], scope: Scope): void {
    for (const node of nodes) walk(node, scope);
  }

  function walk(node: ASTNode, scope: Scope): void {
    switch (node.op) {
      case 'value':
        if (typeof node.args === 'object' && node.args !== null)
          fault('Bytes and unsigned numbers are not used here.');
        return;
      case 'id':
        if (!scope.names.has(node.args)) fault(bareName(node.args));
        return;
      case '.':
        walkAccess(node.args[0], node.args[1], scope);
        return;
      case '[]': {
        const [target, key] = node.args;
        const name = key.op === 'value' && typeof key.args === 'string' ? key.args : null;
        walkAccess(target, name, scope);
        walk(key, scope);
        return;
      }
      case 'call':
        walkCall(node.args[0], node.args[1], scope);
        return;
      case 'rcall':
        walkMethod(node.args[0], node.args[1], node.args[2], scope);
        return;
      case 'list':
        walkAll(node.args, scope);
        return;
      case 'map':
        for (const entry of node.args) walkAll(entry, scope);
        return;
      case '!_':
      case '-_':
        walk(node.args, scope);
        return;
      case '.?':
      case '[?]':
        fault('Write has(...) instead of the optional ?.');
        return;
      default:
        // The remaining nodes are operators with two or three operands.
        walkAll(node.args, scope);
    }
  }

  /** `name` is null if it is only known when the expression runs. */
  function walkAccess(target: ASTNode, name: string | null, scope: Scope): void {
    if (name !== null && isPrototypeKey(name)) fault(`No value has ${name}.`);
    const root = target.op === 'id' && !scope.names.has(target.args) ? target.args : null;
    if (root !== 'step' && root !== 'context') walk(target, scope);
    else if (name === null) fault(bareName(root));
    else found[root === 'step' ? 'steps' : 'context'].add(name);
  }

  function walkCall(name: string, args: readonly ASTNode[], scope: Scope): void {
    if (name !== 'has' && !Object.hasOwn(CEL_FUNCTIONS, name)) {
      fault(`${name}() is not there; there are has, ${Object.keys(CEL_FUNCTIONS).join(', ')}.`);
    }
    walkAll(args, scope);
  }

  function walkMethod(
    name: string,
    receiver: ASTNode,
    args: readonly ASTNode[],
    scope: Scope,
  ): void {
    if (!(CEL_MACROS as readonly string[]).includes(name)) {
      if (name === 'matches')
        fault('matches is not supported; use contains, startsWith or endsWith.');
      else if (!Object.hasOwn(CEL_METHODS, name)) {
        fault(
          `.${name}() is not there; there are ${[...CEL_MACROS, ...Object.keys(CEL_METHODS)].join(', ')}.`,
        );
      }
      walkAll([receiver, ...args], scope);
      return;
    }
    walk(receiver, scope);
    const [variable, ...bodies] = args;
    const comprehensions = scope.comprehensions + 1;
    if (comprehensions > COMPREHENSION_NESTING_MAX) {
      fault(`all, exists, map and filter may stand ${COMPREHENSION_NESTING_MAX} deep at most.`);
    } else if (variable?.op !== 'id' || variable.args === 'step' || variable.args === 'context') {
      fault(`.${name}() first names the item, as in step.list.${name}(item, ...).`);
    } else {
      walkAll(bodies, { names: new Set([...scope.names, variable.args]), comprehensions });
    }
  }

  return walk;
}

function bareName(name: string): string {
  return name === 'step' || name === 'context'
    ? `${name} is not a value by itself; write ${name}.<name>.`
    : `${name} is not known here; expressions read step.<variable> and context.<name>.`;
}
