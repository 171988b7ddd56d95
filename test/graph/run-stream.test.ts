import { afterAll, describe, expect, it } from 'vitest';
import { decodeCursor } from '../../src/outbox/entry.ts';
import { openBus } from '../../src/outbox/local-bus.service.ts';
import { openRelay } from '../../src/outbox/relay.service.ts';
import {
  type EntryRun,
  type RunEntryKind,
  type RunEntryPayloads,
  runEntry,
} from '../../src/runs/events/run-entry.ts';
import {
  type CursoredRunEvent,
  watchRun,
  watchRunEvents,
} from '../../src/runs/events/run-stream.service.ts';
import { endedRun, PROCESS } from '../testkit/calls.ts';
import { testGraph } from '../testkit/graph.ts';
import { clock, eventually, newId, quiet, take, write } from '../testkit/outbox.ts';

const graph = testGraph();
const bus = openBus({ graph });
const relay = openRelay(
  { graph, clock, newId, bus, log: quiet },
  { settings: { leaseName: `test-${newId()}` } },
);
const deps = { graph, bus };
afterAll(async () => {
  bus.close();
  await relay.close();
  await graph.close();
});

/** A run's entries as its activities would write them. */
function aRun(above: EntryRun | null = null) {
  const runId = newId();
  const ada = { ownerId: 'ada', workspace: 'ada', conversationId: null };
  const rootRunId = above?.rootRunId ?? runId;
  const run: EntryRun = { runId, rootRunId, runPath: [...(above?.runPath ?? []), runId], ...ada };
  const place = (stepId: string) => ({ stepId, index: null, attempt: 1 });
  const say = async <K extends RunEntryKind>(kind: K, payload: RunEntryPayloads[K]) => {
    await write(graph, runEntry({ clock, newId }, run, kind, payload));
    relay.wake();
  };
  const broken = { code: 'TOOL_FAILED', message: 'It broke.', details: null } as const;
  const error = { ...broken, stepId: 'speak' };
  return {
    run,
    asked: { id: runId, rootRunId },
    requested: () => say('run.requested', { ...PROCESS, retryOfId: null }),
    text: (text: string) => say('step.text', { ...place('speak'), text, channel: 'text' }),
    skipped: (stepId: string) => say('step.skipped', { ...place(stepId), reason: 'not needed' }),
    ended: () => say('run.ended', endedRun(null, { status: 'failed', error })),
  };
}

const still = new AbortController().signal;
async function all<T>(items: AsyncIterable<T>, into: T[] = []): Promise<T[]> {
  for await (const item of items) into.push(item);
  return into;
}
type Scope = 'the run' | 'with sub-runs';
const watch = (
  run: { id: string; rootRunId: string },
  cursor: string | null = null,
  scope: Scope = 'with sub-runs',
) => {
  const after = cursor === null ? null : decodeCursor(cursor);
  return watchRunEvents(deps, { run, after, scope }, still);
};
const kinds = (events: readonly CursoredRunEvent[]) => events.map(({ kind }) => kind);

describe("a run's stream of events", () => {
  it('gives history, then live events, and ends with the run', async () => {
    const one = aRun();
    await one.requested();
    await one.text('Hel');
    const seen: CursoredRunEvent[] = [];
    const reading = all(watch(one.asked), seen);
    await eventually('history is read', () => seen.length === 2);
    await one.text('lo');
    await one.ended();
    await reading;
    expect(kinds(seen)).toEqual(['harness_start', 'text', 'text', 'error', 'harness_end']);
    expect(new Set(seen.map(({ cursor }) => cursor)).size).toBe(5);
  });

  it('goes on after any cursor with the rest, also inside an entry', async () => {
    const one = aRun();
    await one.requested();
    await one.text('Hello');
    await one.ended();
    const whole = await all(watch(one.asked));
    for (const [index, { cursor }] of whole.entries()) {
      expect(await all(watch(one.asked, cursor))).toEqual(whole.slice(index + 1));
    }
  });

  it('holds the runs below it, or leaves them out; a sub-run can be watched alone', async () => {
    const root = aRun();
    const child = aRun(root.run);
    await root.requested();
    await child.text('from below');
    await child.ended();
    await root.text('from above');
    await root.ended();
    const texts = (events: readonly CursoredRunEvent[]) =>
      events.flatMap((event) => (event.kind === 'text' ? [event.content] : []));
    expect(texts(await all(watch(root.asked)))).toEqual(['from below', 'from above']);
    expect(texts(await all(watch(root.asked, null, 'the run')))).toEqual(['from above']);
    expect(texts(await all(watch(child.asked)))).toEqual(['from below']);
  });

  it('of a run that is over ends by itself, whatever cursor it is asked for', async () => {
    const one = aRun();
    await one.requested();
    await one.ended();
    const later = aRun();
    await later.requested();
    await later.ended();
    const beyond = (await all(watch(later.asked))).at(-1)?.cursor ?? '';
    expect(await all(watch(one.asked, beyond))).toEqual([]);
  });
});

describe('the changes of a run', () => {
  it('are told at once, at each change of a step, and once more when it is over', async () => {
    const one = aRun();
    await one.requested();
    await take(bus.subscribe({ rootRunId: one.run.rootRunId }, 0), 1);
    const asked = { ...one.asked, status: 'pending' } as const;
    const seen: (typeof asked | string)[] = [];
    const reading = all(watchRun(deps, asked, still), seen);
    // How it is, and once more for the entry that is in the log already.
    await eventually('it has caught up', () => seen.length === 2);
    const before = seen.length;
    await one.text('streams and changes nothing');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(seen.length).toBe(before);
    await one.skipped('later');
    await eventually('it tells of the step', () => seen.length > before);
    await one.ended();
    await reading;
    expect(seen.shift()).toEqual(asked);
    expect(new Set(seen)).toEqual(new Set([one.run.runId]));
  });

  it('of a run that is over are told once', async () => {
    const one = aRun();
    await one.requested();
    await one.ended();
    await all(watch(one.asked));
    const asked = { ...one.asked, status: 'completed' } as const;
    expect(await all(watchRun(deps, asked, still))).toEqual([asked]);
  });
});
