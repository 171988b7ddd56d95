export interface Known {
  readonly tools: readonly string[];
  readonly processes: readonly string[];
}

export interface Completions {
  /** Start of the word that is replaced. */
  readonly from: number;
  readonly options: readonly { readonly label: string; readonly detail?: string }[];
  /** The words that the options stay right for; another one is completed anew. */
  readonly validFor: RegExp;
}

const WORD = /^\w*$/;
/** Names of Tools and Processes have more signs. */
const NAME = /^[\w. -]*$/;

const ENUMS: Readonly<Record<string, readonly string[]>> = {
  mode: ['sequential', 'parallel'],
  interactionMode: ['auto', 'manual'],
  onFailure: ['fail', 'continue', 'fallback'],
  permission: ['allow', 'ask', 'deny'],
};
const IN_BRACES = /\{([A-Za-z_]*)$/;
const REFERENCE = /\b(step|context)\.([A-Za-z_]*\w*)$/;
const VARIABLE = /^\s*variable:\s*["']?([A-Za-z_]\w*)/;
const STEP = /^\s*-?\s*stepId:\s*["']?([A-Za-z_]\w*)/;
const CALLED = /(?:^\s*(?:-\s*)?|[{,]\s*)(tool|process):\s*["']?([^"'}\n]*)$/;
const CHOICE = /^\s*(\w+):\s*(\w*)$/;

/** The words that may stand at a place of a definition's text; null where nothing is known. */
export function completionsAt(text: string, at: number, known: Known): Completions | null {
  const before = text.slice(0, at);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const reference = REFERENCE.exec(line);
  if (reference !== null) {
    const [, kind, word = ''] = reference;
    const options =
      kind === 'context'
        ? contextOf(text).map((label) => ({ label, detail: 'context' }))
        : variablesBefore(before).map(({ variable, stepId }) => ({
            label: variable,
            detail: `output of ${stepId}`,
          }));
    return { from: at - word.length, options, validFor: WORD };
  }
  const braces = IN_BRACES.exec(line);
  if (braces !== null) {
    const options = ['step.', 'context.', 'item', 'index'].map((label) => ({ label }));
    // After the dot of `{context.`, the variables are offered.
    return { from: at - (braces[1] ?? '').length, options, validFor: WORD };
  }
  const called = CALLED.exec(line);
  if (called !== null) {
    const [, kind, word = ''] = called;
    const names = kind === 'tool' ? known.tools : known.processes;
    const options = names.map((label) => ({ label }));
    return { from: at - word.length, options, validFor: NAME };
  }
  const choice = CHOICE.exec(line);
  const values = choice === null ? undefined : ENUMS[choice[1] ?? ''];
  if (choice === null || values === undefined) return null;
  const options = values.map((label) => ({ label }));
  return { from: at - (choice[2] ?? '').length, options, validFor: WORD };
}

/** Names of the initial context, while the text may be broken elsewhere. */
function contextOf(text: string): string[] {
  const flow = /^initialContext:\s*\[([^\]]*)\]/m.exec(text)?.[1];
  if (flow !== undefined) return words(flow.split(','));
  const block = /^initialContext:\s*\n((?:\s*-\s*.*\n?)*)/m.exec(text)?.[1] ?? '';
  return words(block.split('\n'));
}

function words(parts: readonly string[]): string[] {
  return parts.flatMap((part) => /[A-Za-z_]\w*/.exec(part)?.[0] ?? []);
}

/** Variables of the steps that are written before a place, but not of the step at the place. */
function variablesBefore(before: string): { variable: string; stepId: string }[] {
  const found: { variable: string; stepId: string }[] = [];
  let stepId = '';
  for (const line of before.split('\n')) {
    const step = STEP.exec(line)?.[1];
    if (step !== undefined) stepId = step;
    const variable = VARIABLE.exec(line)?.[1];
    if (variable !== undefined) found.push({ variable, stepId });
  }
  return found.filter((one) => one.stepId !== stepId);
}
