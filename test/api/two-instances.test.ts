import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { client, freshName } from '../testkit/client.ts';

const bus = process.env['AIDEN_TEST_REDIS'];
const FILE = fileURLToPath(new URL('../testkit/api-process.ts', import.meta.url));

let other: ChildProcess;
let otherUrl = '';
let dataDir = '';
beforeAll(async () => {
  if (bus === undefined) return;
  dataDir = await mkdtemp(join(tmpdir(), 'aiden-second-'));
  other = fork(FILE, {
    execArgv: [],
    env: { ...process.env, AIDEN_EVENT_BUS: bus, AIDEN_DATA_DIR: dataDir },
  });
  const [{ url }] = (await once(other, 'message')) as [{ url: string }];
  otherUrl = url;
});
afterAll(async () => {
  if (bus === undefined) return;
  const ended = once(other, 'exit');
  other.disconnect();
  await ended;
  await rm(dataDir, { recursive: true, force: true });
});

const EVENTS = `subscription ($id: ID!, $after: Cursor) {
  conversationEvents(conversationId: $id, after: $after) { ... on TurnAdded { cursor turn { id } } }
}`;
interface Seen {
  readonly conversationEvents: {
    readonly cursor?: string;
    readonly turn?: { readonly id: string };
  };
}

describe.skipIf(bus === undefined)('two API processes and one Redis (redis-server needed)', () => {
  it('both say that the bus is well', async () => {
    for (const url of [undefined, otherUrl]) {
      const health = await client('root', url === undefined ? {} : { url }).one<{
        eventBus: string;
      }>('{ health { eventBus } }');
      expect(health.eventBus).toBe('HEALTHY');
    }
  });

  it('a subscriber on one gets the events of the other, and resumes there', async () => {
    const name = freshName('ada');
    const here = client(name);
    const there = client(name, { url: otherUrl });
    const id = await here.creates('conversation');
    const turns: string[] = [];
    const says = async (who: typeof here, content: string) => {
      const input = { conversationId: id, content };
      const { turn } = await who.mutate<{ turn: { id: string } }>(
        'appendTurn',
        input,
        'turn { id }',
      );
      turns.push(turn.id);
    };
    await says(here, 'one');
    await says(there, 'two');
    await says(here, 'three');
    const read = async (who: typeof here, after: string | null, count: number) => {
      const seen: { cursor: string; turn: { id: string } }[] = [];
      for await (const { conversationEvents } of who.subscribeSse<Seen>(EVENTS, { id, after })) {
        const { cursor, turn } = conversationEvents;
        if (cursor === undefined || turn === undefined) continue;
        seen.push({ cursor, turn });
        if (seen.length === count) break;
      }
      return seen;
    };
    const all = await read(there, null, 3);
    expect(all.map(({ turn }) => turn.id)).toEqual(turns);
    expect(await read(here, null, 3)).toEqual(all);
    expect(await read(here, all[1]?.cursor ?? null, 1)).toEqual(all.slice(2));
    // Live, too: the reader is there before it is said.
    const live = read(there, all[2]?.cursor ?? null, 1);
    await says(here, 'four');
    expect((await live)[0]?.turn.id).toBe(turns[3]);
  });
});
