import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { storeOf } from '../../src/agent-memory/store.ts';
import type { Viewer } from '../../src/users/user.ts';
import { storyOf } from '../testkit/recall-events.ts';
import type { Task, Told } from '../testkit/recall-process.ts';
import { recallWorld } from '../testkit/recall-world.ts';
import { worldGraph } from '../testkit/world.ts';

const KILLS = 20;
const EVENTS = 10_000;
const BATCH = 50;
/** A process is killed in one of so many turns of its jobs. */
const TURNS = 8;

const here = recallWorld();
const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

const contents = async (viewer: Viewer) => {
  const below = (depth: number): string =>
    `nodeId title startsAt endsAt keywords childNodeIds
      bullets { text grips { excerpt eventIdStart eventIdEnd } }
     ${depth === 0 ? '' : `children(first: 200) { nodes { ${below(depth - 1)} } }`}`;
  const { data, errors } = await here.ask(viewer, `{ tocRoot { ${below(4)} } }`);
  expect(errors).toEqual([]);
  return data.tocRoot;
};

/** What there is of a store, and what is left to be done. */
const counted = async (viewer: Viewer) => {
  const { key: store } = storeOf(viewer, here.deps.memoryMode, null);
  const [row] = await worldGraph().read((tx) =>
    tx.run(
      `// counted
      MATCH (s:Segment {store: $store})
      WITH sum(s.eventCount) AS segmented, count(s) AS segments
      MATCH (m:MemoryEvent {store: $store})
      RETURN segmented, segments, count(m) AS events, count(DISTINCT m.eventId) AS ids,
        count(CASE WHEN m:IndexedEvent THEN 1 END) AS indexed,
        COUNT { MATCH (w:Work {ownerId: $userId}) } AS waiting`,
      { store, userId: viewer.userId },
    ),
  );
  return row;
};

// Each event is kept, indexed and in a segment once, and the table of contents is as from scratch
// (S2-OUT-02, S2-OUT-03, S2-OUT-04, S2-KEY-03, S2-EVT-06).
it(`keeps ${EVENTS} events once while the memory is killed ${KILLS} times`, async () => {
  const [ada, bob] = [await here.person(), await here.person()];
  const seed = ada.userId;
  let known = 0;

  // The next one starts while this one lives, or most of the time would go by waiting for processes
  // to start.
  const prepare = async (): Promise<ChildProcess> => {
    const path = new URL('../testkit/recall-process.ts', import.meta.url);
    const child = fork(path, [], { execArgv: [] });
    children.add(child);
    await once(child, 'message');
    return child;
  };
  const kill = async (child: ChildProcess) => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    children.delete(child);
  };
  const ready = [prepare(), prepare()];
  for (let kills = 0; kills < KILLS; kills++) {
    const child = (await ready.shift()) as ChildProcess;
    if (kills < KILLS - 2) ready.push(prepare());
    // The flow lasts as long as there is somebody left to kill.
    const until = Math.ceil(((kills + 1) / KILLS) * EVENTS);
    const task: Task = { viewer: ada, seed, count: EVENTS, from: known, until, batch: BATCH };
    // In the middle of any of its first turns, however fast the machine is.
    let turnsLeft = Math.floor(Math.random() * TURNS);
    const isDue = new Promise<void>((resolve) => {
      if (turnsLeft === 0) resolve();
      child.on('message', ({ reached }: Told) => {
        if (reached !== undefined) known = Math.max(known, reached);
        else if (--turnsLeft === 0) resolve();
      });
    });
    child.send(task);
    await isDue;
    await setTimeout(20 + Math.random() * 200);
    expect(child.exitCode).toBeNull();
    await kill(child);
  }
  const runState = storyOf(seed, EVENTS);
  const [amid] = await worldGraph().read((tx) =>
    tx.run('// amid\nMATCH (n:TocLatest {store: $store}) RETURN count(n) AS nodes', {
      store: storeOf(ada, here.deps.memoryMode, null).key,
    }),
  );
  // What came last, and what nobody heard of any more, comes again.
  for (let at = known; at < EVENTS; at += 1_000)
    await here.ingest(ada, runState.slice(at, at + 1_000));
  await here.settle();

  for (let at = 0; at < EVENTS; at += 1_000) await here.ingest(bob, runState.slice(at, at + 1_000));
  await here.settle();
  const whole = { segmented: EVENTS, events: EVENTS, ids: EVENTS, indexed: EVENTS, waiting: 0 };
  expect(await counted(ada)).toEqual(await counted(bob));
  expect(await counted(ada)).toMatchObject(whole);
  expect(await contents(ada)).toEqual(await contents(bob));
  // The jobs were at work while it was killed.
  expect(Number(amid?.['nodes'])).toBeGreaterThan(10);
}, 900_000);
