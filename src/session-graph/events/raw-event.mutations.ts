import { SESSION_EVENTS_PER_BATCH_MAX } from '../../common/limits.ts';
import { type Problem, problem, refuse } from '../../common/refusal.ts';
import type { Viewer } from '../../users/user.ts';
import { checkEvent, type RawEvent, type SessionEventInput } from './raw-event.ts';
import { type SessionGraphDeps, writeRawEvents } from './write-events.service.ts';

/** Outcome of a batch. Events with problems are left out; the others are recorded. */
export interface RecordedEvents {
  readonly recorded: number;
  /** Events that were recorded before. */
  readonly duplicates: number;
  /** Paths begin with the event's index in the batch. */
  readonly problems: readonly Problem[];
}

/**
 * Records events of another system in the viewer's session graph, in the viewer's workspace
 * (S0-WS-01). Idempotent.
 * @throws Refusal TOO_LARGE for more than 1,000 events; then nothing was written
 */
export async function recordSessionEvents(
  deps: SessionGraphDeps,
  viewer: Viewer,
  input: readonly SessionEventInput[],
): Promise<RecordedEvents> {
  const max = SESSION_EVENTS_PER_BATCH_MAX;
  const message = `A batch has at most ${max} events; this one has ${input.length}.`;
  refuse(input.length > max ? [problem('TOO_LARGE', [], message)] : []);

  const problems: Problem[] = [];
  const events: RawEvent[] = [];
  const indexes: number[] = [];
  const report = (index: number, { code, path, message }: Problem) =>
    problems.push(problem(code, [index, ...path], message));
  for (const [index, item] of input.entries()) {
    const checked = checkEvent(item);
    if ('event' in checked) {
      events.push(checked.event);
      indexes.push(index);
    } else for (const found of checked.problems) report(index, found);
  }
  const { userId: ownerId, workspace } = viewer;
  const owned = events.map((event) => ({ event, ownerId, workspace, origin: 'user' as const }));
  const outcomes = await writeRawEvents(deps, 'intake', owned);
  for (const [at, outcome] of outcomes.entries())
    if (typeof outcome === 'object') report(indexes[at] ?? 0, outcome);
  problems.sort((left, right) => Number(left.path[0]) - Number(right.path[0]));
  const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
  return { recorded: count('recorded'), duplicates: count('duplicate'), problems };
}
