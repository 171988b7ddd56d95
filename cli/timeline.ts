import type { RunStatus, ShownRunFieldsFragment, StepStatus } from './generated/documents.ts';
import { oneLine, paint, seconds } from './terminal.ts';

type Step = Omit<ShownRunFieldsFragment['steps'][number], 'rounds'>;

export const FINAL_STATUSES: readonly RunStatus[] = [
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'TIMED_OUT',
];

export const MARK: Readonly<Record<RunStatus | StepStatus, string>> = {
  PAUSED: paint('yellow', '⏸'),
  PENDING: paint('dim', '·'),
  RUNNING: paint('cyan', '▶'),
  WAITING: paint('yellow', '⏸'),
  COMPLETED: paint('green', '✔'),
  FAILED: paint('red', '✘'),
  SKIPPED: paint('dim', '↷'),
  CANCELLED: paint('yellow', '■'),
  TIMED_OUT: paint('red', '⏱'),
};

/**
 * Prints the progress of a run: one line for each step whose status changed since the last call.
 * The input is the stream of states of one run (the `processRun` subscription). Each state holds
 * all steps, so no change is missed.
 */
export function createTimeline(
  print: (line: string) => void,
): (run: ShownRunFieldsFragment) => void {
  const seen = new Map<string, string>();
  let started = false;
  return (run) => {
    if (!started) {
      started = true;
      print(`${paint('bold', run.processName)} v${run.processVersion}  ${paint('dim', run.id)}`);
    }
    for (const step of run.steps.flatMap(withCalls)) {
      const key = step.index === null ? step.stepId : `${step.stepId}[${step.index}]`;
      const state = `${step.status}/${step.attempt}`;
      if (seen.get(key) === state) continue;
      // Skip steps that have not started. A quick step may appear only when it has ended.
      if (step.status === 'PENDING') continue;
      seen.set(key, state);
      print(stepLine(run, key, step));
    }
    if (FINAL_STATUSES.includes(run.status)) for (const line of closingLines(run)) print(line);
  };
}

/** A step, after the calls that its model requested. */
function withCalls({ rounds, ...step }: ShownRunFieldsFragment['steps'][number]): readonly Step[] {
  return [...rounds.flatMap(({ toolCalls }) => toolCalls), step];
}

function stepLine(run: ShownRunFieldsFragment, key: string, step: Step): string {
  // A step that waits for a decision has not started, so it has no time yet.
  const instant = step.completedAt ?? step.startedAt;
  const at =
    instant === null ? '' : seconds(Math.max(0, Date.parse(instant) - Date.parse(run.createdAt)));
  const parts = [`  ${MARK[step.status]} ${at.padStart(8)}  ${key.padEnd(24)}`];
  if (step.startedAt !== null && step.completedAt !== null && step.status !== 'SKIPPED') {
    parts.push(
      paint(
        'dim',
        `took ${Math.max(0, Date.parse(step.completedAt) - Date.parse(step.startedAt))} ms`,
      ),
    );
  }
  if (step.status !== 'COMPLETED') parts.push(step.status.toLowerCase());
  if (step.status === 'WAITING') parts.push(paint('dim', 'decide it: aiden approvals'));
  if (step.attempt > 1) parts.push(`attempt ${step.attempt}`);
  if (step.cached) parts.push('from the cache');
  if (step.error !== null)
    parts.push(paint('red', `${step.error.code}: ${oneLine(step.error.message)}`));
  return parts.join('  ');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function closingLines(run: ShownRunFieldsFragment): string[] {
  const took = Date.parse(run.completedAt ?? run.createdAt) - Date.parse(run.createdAt);
  const { inputTokens, outputTokens, toolCalls, llmCalls } = run.usage;
  const lines = [
    `  ${MARK[run.status]} ${seconds(Math.max(0, took)).padStart(8)}  ` +
      `${run.status.toLowerCase()}  ` +
      paint(
        'dim',
        `${count(toolCalls, 'tool call')}, ${count(llmCalls, 'model call')}, ${inputTokens} ` +
          `tokens in, ${outputTokens} out`,
      ),
  ];
  if (run.error !== null) {
    const where = run.error.stepId === null ? '' : ` at step ${run.error.stepId}`;
    lines.push(paint('red', `  ${run.error.code}${where}: ${run.error.message}`));
  }
  if (run.output !== null) lines.push('', run.output);
  return lines;
}
