import { type Document, isMap, isNode, isScalar, parseDocument, stringify } from 'yaml';
import type {
  CreateProcessInput,
  ProblemFragment,
  ProcessPageQuery,
} from '../generated/documents.ts';
import { isRecord } from '../runs/context-schema.ts';
import type { Callables } from './callables.ts';
import { type Fix, nearestOf } from './did-you-mean.ts';
import { BLANK } from './step-choices.ts';

type Process = NonNullable<ProcessPageQuery['process']>;

/** A fault of the text, with its place in characters. */
export interface TextFault {
  readonly from: number;
  readonly to: number;
  readonly message: string;
  /** Replacement that mends it, where one is certain. */
  readonly fix?: Fix;
}

export interface ReadText {
  /** Null while the text is not a Process. */
  readonly input: CreateProcessInput | null;
  readonly faults: readonly TextFault[];
  readonly document: Document;
}

/** The words of a Process and of a step; any other one is a slip. */
const PROCESS_KEYS = [
  'name',
  'description',
  'initialContext',
  'contextSchema',
  'steps',
  'outputTemplate',
  'maxRecursionDepth',
  'tokenBudget',
  'enabled',
  'shared',
  'exposeAsTool',
];
const STEP_KEYS = [
  'stepId',
  'description',
  'calls',
  'inputs',
  'output',
  'execution',
  'dependsOn',
  'tools',
  'agent',
];

const ENUMS = ['mode', 'interactionMode', 'onFailure'] as const;
const AGENT_DEFAULTS: Readonly<Record<string, unknown>> = {
  maxRounds: 8,
  maxToolCalls: 32,
  toolChoice: 'AUTO',
  approvalTimeout: null,
};
/** Values that a step has when the text does not name them. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  mode: 'SEQUENTIAL',
  interactionMode: 'AUTO',
  onFailure: 'FAIL',
  maximumAttempts: undefined,
};

/** A Process as YAML, in the words of the bundle files: Tools and Processes by name. */
export function textOf(process: Process): string {
  const { name, description, initialContext, contextSchema, outputTemplate } = process;
  const { maxRecursionDepth, tokenBudget } = process;
  const steps = process.steps.map((step) => ({
    stepId: step.id,
    ...given({ description: step.description }),
    calls: { [step.target.__typename === 'Tool' ? 'tool' : 'process']: step.target.name },
    inputs: step.inputs,
    output: {
      variable: step.output.variable,
      ...(step.output.required ? {} : { required: false }),
      ...given({ tokenBudget: step.output.tokenBudget }),
      ...(step.output.asFile ? { asFile: true } : {}),
    },
    ...executionOf(step.execution),
    ...(step.dependsOn.length === 0 ? {} : { dependsOn: step.dependsOn }),
    ...toolsOf(step),
  }));
  return stringify(
    {
      name,
      ...given({ description }),
      initialContext,
      ...given({ contextSchema }),
      steps,
      outputTemplate,
      ...(maxRecursionDepth === 5 ? {} : { maxRecursionDepth }),
      ...given({ tokenBudget }),
    },
    { lineWidth: 96 },
  );
}

/** Offered tools and their limits, as far as they differ from the defaults. */
function toolsOf({ tools, agent }: Process['steps'][number]): object {
  if (tools.length === 0) return {};
  const limits = Object.entries(AGENT_DEFAULTS)
    .map(([key, value]) => [key, (agent as Record<string, unknown> | null)?.[key], value] as const)
    .filter(([, value, usual]) => value != null && value !== usual)
    .map(([key, value]) => [key, key === 'toolChoice' ? String(value).toLowerCase() : value]);
  return {
    tools: tools.map(({ name, description, permission, target }) => ({
      [target.__typename === 'Tool' ? 'tool' : 'process']: target.name,
      ...given({ name, description, permission: permission?.toLowerCase() }),
    })),
    ...(limits.length === 0 ? {} : { agent: Object.fromEntries(limits) }),
  };
}

function executionOf(execution: Process['steps'][number]['execution']): object {
  const { retry, pages, ...rest } = execution as Record<string, unknown>;
  const shown = Object.entries({
    ...rest,
    pages: isRecord(pages) ? shownPages(pages) : undefined,
    retry: isRecord(retry) ? shownRetry(retry) : undefined,
  })
    .filter(([key, value]) => key !== '__typename' && value != null && value !== DEFAULTS[key])
    .map(([key, value]) => [
      key,
      (ENUMS as readonly string[]).includes(key) ? String(value).toLowerCase() : value,
    ]);
  return shown.length === 0 ? {} : { execution: Object.fromEntries(shown) };
}

function shownPages({ list, next, first, maxPages }: Record<string, unknown>): object {
  return { list, next, ...given({ first }), ...(maxPages === 100 ? {} : { maxPages }) };
}

function shownRetry(retry: Record<string, unknown>): object {
  const { __typename, nonRetryableErrors, ...rest } = retry;
  const hasErrors = Array.isArray(nonRetryableErrors) && nonRetryableErrors.length > 0;
  return { ...rest, ...(hasErrors ? { nonRetryableErrors } : {}) };
}

function given(fields: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
}

/** Reads a text back into the input that the API validates and saves. */
export function readText(text: string, callables: Callables): ReadText {
  const document = parseDocument(text);
  const tabs = document.errors.filter(({ code }) => code === 'TAB_AS_INDENT');
  // A Tab makes many other faults.
  const faults: TextFault[] = (tabs.length > 0 ? tabs : document.errors).map(
    ({ code, message, pos: [from, to] }) => ({
      from,
      to: Math.max(to, from + 1),
      message:
        code === 'TAB_AS_INDENT'
          ? 'The line begins with a Tab. YAML takes spaces only.'
          : (message.split('\n', 1)[0] ?? message),
    }),
  );
  if (faults.length > 0) return { input: null, faults, document };
  const value: unknown = document.toJS();
  if (!isRecord(value) || !Array.isArray(value['steps'])) {
    const message = 'A Process has name, initialContext, steps and outputTemplate.';
    return { input: null, faults: [{ from: 0, to: Math.max(1, text.length), message }], document };
  }
  faults.push(...slipsOf(document, [], value, PROCESS_KEYS, 'a Process'));
  const steps = value['steps'].map((step: unknown, index: number) => {
    if (!isRecord(step)) return step;
    const slips = slipsOf(document, ['steps', index], step, STEP_KEYS, 'a step');
    faults.push(...slips, ...blanksOf(document, step, index));
    return {
      inputs: {},
      ...step,
      calls: targetOf(step['calls'], callables, (given) => {
        const message = isBlank(step['calls'])
          ? blankOf(step, 'Choose a Tool or a Process.')
          : given;
        // It is there under a mistyped name.
        if (step['calls'] === undefined && slips.length > 0) return;
        faults.push({ ...placeOf(document, ['steps', index, 'calls']), message });
      }),
      ...(isRecord(step['execution']) ? { execution: enumsOf(step['execution'], ENUMS) } : {}),
      ...(Array.isArray(step['tools'])
        ? {
            tools: step['tools'].map((offered: unknown, at: number) =>
              offeredOf(offered, callables, (message) =>
                faults.push({ ...placeOf(document, ['steps', index, 'tools', at]), message }),
              ),
            ),
          }
        : {}),
      ...(isRecord(step['agent']) ? { agent: enumsOf(step['agent'], ['toolChoice']) } : {}),
    };
  });
  // Not checked here: the API names every problem with its path.
  const input = { initialContext: [], outputTemplate: '', ...value, steps } as unknown;
  return { input: faults.length === 0 ? (input as CreateProcessInput) : null, faults, document };
}

/** Keys that are none, each at its own place. */
function slipsOf(
  document: Document,
  path: readonly (string | number)[],
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  of: string,
): TextFault[] {
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const meant = nearestOf(key, known);
      const advice = meant === null ? '' : ` Did you mean "${meant}"?`;
      return {
        ...keyPlaceOf(document, path, key),
        message: `"${key}" is no field of ${of}.${advice}`,
      };
    });
}

function keyPlaceOf(document: Document, path: readonly (string | number)[], key: string) {
  const map = path.length === 0 ? document.contents : document.getIn(path, true);
  const pair = isMap(map)
    ? map.items.find((item) => isScalar(item.key) && item.key.value === key)
    : undefined;
  const range = isScalar(pair?.key) ? pair.key.range : null;
  if (range == null) return placeOf(document, path);
  return { from: range[0], to: Math.max(range[1], range[0] + 1) };
}

const BLANKS: Readonly<Record<string, string>> = {
  condition: 'Write when this step runs, in “Only if”, or remove the line.',
  forEach: 'Choose the list that this step runs for, in “For each”, or remove the line.',
};

function isBlank(calls: unknown): boolean {
  return isRecord(calls) && [calls['tool'], calls['process']].includes(BLANK);
}

/** The choices that a draft leaves open in the execution of a step. */
function blanksOf(document: Document, step: Record<string, unknown>, index: number): TextFault[] {
  const execution = isRecord(step['execution']) ? step['execution'] : {};
  return Object.entries(BLANKS).flatMap(([field, message]) =>
    execution[field] === BLANK
      ? [
          {
            ...placeOf(document, ['steps', index, 'execution', field]),
            message: blankOf(step, message),
          },
        ]
      : [],
  );
}

function blankOf({ stepId }: Record<string, unknown>, message: string): string {
  return `${String(stepId)}: ${message}`;
}

function targetOf(
  calls: unknown,
  { tools, processes }: Callables,
  refuse: (message: string) => void,
): object {
  if (!isRecord(calls)) {
    refuse('This is { tool: NAME } or { process: NAME }.');
    return {};
  }
  const { tool, process } = calls;
  const kind = tool === undefined ? 'process' : 'tool';
  const list = kind === 'tool' ? tools.nodes : processes.nodes;
  const found = list.find(({ name }) => name === (tool ?? process));
  if (found === undefined) {
    const name = String(tool ?? process);
    const meant = nearestOf(
      name,
      list.map((one) => one.name),
    );
    const advice = meant === null ? '' : ` Did you mean "${meant}"?`;
    refuse(`There is no ${kind} named "${name}" that you can see.${advice}`);
    return {};
  }
  return kind === 'tool' ? { toolId: found.id } : { processId: found.id };
}

/** A tool that a step offers: its target by id, and the rest as it is written. */
function offeredOf(
  offered: unknown,
  callables: Callables,
  refuse: (message: string) => void,
): object {
  const target = targetOf(offered, callables, refuse);
  if (!isRecord(offered)) return target;
  const { tool: _tool, process: _process, ...rest } = offered;
  return { ...target, ...enumsOf(rest, ['permission']) };
}

function enumsOf(values: Record<string, unknown>, keys: readonly string[]): object {
  const upper = keys
    .filter((key) => typeof values[key] === 'string')
    .map((key) => [key, String(values[key]).toUpperCase()]);
  return { ...values, ...Object.fromEntries(upper) };
}

/** The problems of validateProcess at their places in the text. */
export function faultsOf(document: Document, problems: readonly ProblemFragment[]): TextFault[] {
  return problems.map(({ path, message }) => {
    const own = path
      .filter((part, index) => !(index === 0 && part === 'input'))
      .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    // Words of the schema do not say which input they mean.
    const [, , inputs, name] = own;
    const isNamed = name === undefined || message.includes(`"${name}"`);
    const said = inputs === 'inputs' && !isNamed ? `${name}: ${message}` : message;
    return { ...placeOf(document, own), message: said };
  });
}

/** The characters of a path; of the nearest part above it that the text has. */
function placeOf(
  document: Document,
  path: readonly (string | number)[],
): { readonly from: number; readonly to: number } {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range != null) {
      const [from, to] = node.range;
      return { from, to: Math.max(to, from + 1) };
    }
  }
  return { from: 0, to: 1 };
}
