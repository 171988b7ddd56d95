import { type Document, isNode, parseDocument, stringify } from 'yaml';
import type {
  CallablesQuery,
  CreateProcessInput,
  ProblemFragment,
  ProcessPageQuery,
} from '../generated/documents.ts';
import { isRecord } from '../runs/context-schema.ts';

type Process = NonNullable<ProcessPageQuery['process']>;

/** A fault of the text, with its place in characters. */
export interface TextFault {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

export interface ReadText {
  /** Null while the text is not a Process. */
  readonly input: CreateProcessInput | null;
  readonly faults: readonly TextFault[];
  readonly document: Document;
}

const ENUMS = ['mode', 'interactionMode', 'onFailure'] as const;
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
    },
    ...executionOf(step.execution),
    ...(step.dependsOn.length === 0 ? {} : { dependsOn: step.dependsOn }),
  }));
  return stringify(
    {
      name,
      ...given({ description }),
      initialContext,
      ...given({ contextSchema }),
      steps,
      outputTemplate,
      ...(maxRecursionDepth === 10 ? {} : { maxRecursionDepth }),
      ...given({ tokenBudget }),
    },
    { lineWidth: 96 },
  );
}

function executionOf(execution: Process['steps'][number]['execution']): object {
  const { retry, ...rest } = execution as Record<string, unknown>;
  const shown = Object.entries({ ...rest, retry: isRecord(retry) ? shownRetry(retry) : undefined })
    .filter(([key, value]) => key !== '__typename' && value != null && value !== DEFAULTS[key])
    .map(([key, value]) => [
      key,
      (ENUMS as readonly string[]).includes(key) ? String(value).toLowerCase() : value,
    ]);
  return shown.length === 0 ? {} : { execution: Object.fromEntries(shown) };
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
export function readText(text: string, callables: CallablesQuery): ReadText {
  const document = parseDocument(text);
  const faults: TextFault[] = document.errors.map(({ message, pos: [from, to] }) => ({
    from,
    to: Math.max(to, from + 1),
    message: message.split('\n', 1)[0] ?? message,
  }));
  if (faults.length > 0) return { input: null, faults, document };
  const value: unknown = document.toJS();
  if (!isRecord(value) || !Array.isArray(value['steps'])) {
    const message = 'A Process has name, initialContext, steps and outputTemplate.';
    return { input: null, faults: [{ from: 0, to: Math.max(1, text.length), message }], document };
  }
  const steps = value['steps'].map((step: unknown, index: number) => {
    if (!isRecord(step)) return step;
    return {
      inputs: {},
      ...step,
      calls: targetOf(step['calls'], callables, (message) =>
        faults.push({ ...placeOf(document, ['steps', index, 'calls']), message }),
      ),
      ...(isRecord(step['execution']) ? { execution: enumsOf(step['execution']) } : {}),
    };
  });
  // Not checked here: the API names every problem with its path.
  const input = { initialContext: [], outputTemplate: '', ...value, steps } as unknown;
  return { input: faults.length === 0 ? (input as CreateProcessInput) : null, faults, document };
}

function targetOf(
  calls: unknown,
  { tools, processes }: CallablesQuery,
  refuse: (message: string) => void,
): object {
  if (!isRecord(calls)) {
    refuse('calls is { tool: NAME } or { process: NAME }.');
    return {};
  }
  const { tool, process } = calls;
  const kind = tool === undefined ? 'process' : 'tool';
  const list = kind === 'tool' ? tools.nodes : processes.nodes;
  const found = list.find(({ name }) => name === (tool ?? process));
  if (found === undefined) {
    refuse(`There is no ${kind} named ${String(tool ?? process)} that you can see.`);
    return {};
  }
  return kind === 'tool' ? { toolId: found.id } : { processId: found.id };
}

function enumsOf(execution: Record<string, unknown>): object {
  const upper = ENUMS.filter((key) => typeof execution[key] === 'string').map((key) => [
    key,
    String(execution[key]).toUpperCase(),
  ]);
  return { ...execution, ...Object.fromEntries(upper) };
}

/** The problems of validateProcess at their places in the text. */
export function faultsOf(document: Document, problems: readonly ProblemFragment[]): TextFault[] {
  return problems.map(({ path, message }) => {
    const own = path
      .filter((part, index) => !(index === 0 && part === 'input'))
      .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    return { ...placeOf(document, own), message };
  });
}

/** The characters of a path; of the nearest part above it that the text has. */
function placeOf(
  document: Document,
  path: readonly (string | number)[],
): Omit<TextFault, 'message'> {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range != null) {
      const [from, to] = node.range;
      return { from, to: Math.max(to, from + 1) };
    }
  }
  return { from: 0, to: 1 };
}
