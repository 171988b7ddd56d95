import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../../testkit/client.ts';
import { oddPlaces } from '../../testkit/foreign/odd-mutations.ts';
import { each, FINAL, faultOf, runStatuses, tryPlace } from '../../testkit/foreign/odd-requests.ts';
import { type OddServers, openOddServers } from '../../testkit/foreign/odd-servers.ts';
import {
  LARGE_TEXT,
  ODD_TEXTS,
  oddJson,
  oddNumber,
  oddText,
  sample,
} from '../../testkit/foreign/odd-values.ts';
import { type OddWorld, openOddWorld } from '../../testkit/foreign/odd-world.ts';
import { TEXT_CASES } from '../text.cases.ts';

/** The same values in each run; another seed is tried by `npm run faults -- --foreign`. */
const SEED = 20_261_127;
const AT_ONCE = 6;
/** These end the account of their caller, or of another. */
const ENDING = ['deleteMyData', 'deleteUser'];
const START = `mutation ($input: StartProcessRunInput!) { it: startProcessRun(input: $input) {
  run { id }
    userErrors { code message path } } }`;

let servers: OddServers;
let ada: TestClient;
/** The mutations change it: an odd endpoint of a Tool is taken, and its calls pause. */
let changed: OddWorld;
let world: OddWorld;
beforeAll(async () => {
  servers = await openOddServers(SEED);
  ada = client(freshName('odd'));
  changed = await openOddWorld(ada, servers);
  world = await openOddWorld(ada, servers);
});
afterAll(() => servers.close());

/** Null where the run was refused, with a code. */
async function starts(processId: string, q: unknown): Promise<string | null> {
  const input = { processId, context: { q } };
  const answer = await ada.ask<{ it: { run: { id: string } | null; userErrors: [] } }>(START, {
    input,
  });
  expect(faultOf(answer)).toBeNull();
  return answer.data?.it.run?.id ?? null;
}

async function finalOf(ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const wanted = ids.filter((id) => id !== null);
  await expect
    .poll(
      async () => {
        const statuses = await runStatuses(ada);
        return wanted.filter((id) => !FINAL.includes(statuses.get(id) ?? ''));
      },
      { timeout: 120_000, interval: 500 },
    )
    .toEqual([]);
  const statuses = await runStatuses(ada);
  return new Map(wanted.map((id) => [id, statuses.get(id) ?? '']));
}

describe('odd values', () => {
  it('in each field of each mutation are refused with a code, or taken', async () => {
    const places = oddPlaces(changed.own).filter(({ mutation }) => !ENDING.includes(mutation));
    expect(places.length).toBeGreaterThan(400);
    const texts = [...ODD_TEXTS, ...sample(oddText, SEED, 100)];
    const values = sample(oddJson, SEED, 200);
    const numbers = sample(oddNumber, SEED, 50);
    const faults: string[] = [];
    await each(places, AT_ONCE, async (place, index) => {
      const text = texts[index % texts.length];
      const number = numbers[index % numbers.length];
      const value = values[index % values.length];
      const tried: unknown[] = /^(?:String|ID|DateTime)$/.test(place.type)
        ? [text]
        : /^(?:Int|Float)$/.test(place.type)
          ? [number, text]
          : /^JSON/.test(place.type)
            ? [{ ['\ud83d']: value, endpoint: text }, value]
            : [text];
      if (index % 40 === 0) tried.push(LARGE_TEXT);
      for (const one of tried) {
        const fault = await tryPlace(ada, place, one);
        if (fault !== null) faults.push(fault);
      }
    });
    expect(faults).toEqual([]);
  });

  it('in answers of REST, MCP and models, and in contexts, end each run', async () => {
    const contexts: unknown[] = [
      ...sample(oddJson, SEED + 3, 16),
      ...sample(oddText, SEED + 4, 10),
    ];
    const ids: (string | null)[] = [];
    await each(contexts, AT_ONCE, async (q, index) => {
      ids.push(await starts(world.processIds[index % world.processIds.length] ?? '', q));
    });
    const statuses = await finalOf(ids);
    expect(new Set(statuses.values()).size).toBeGreaterThan(1);
    expect(servers.calls()).toBeGreaterThan(20);
  });

  it('of other systems come back as they were sent, but for halves of characters', async () => {
    const [getter = ''] = world.processIds;
    const ids = await Promise.all(TEXT_CASES.map(({ input }) => starts(getter, input)));
    await finalOf(ids);
    const query = 'query ($id: ID!) { processRun(id: $id) { context } }';
    const runs = await Promise.all(
      ids.map((id) => ada.query<{ processRun: { context: { q: unknown } } }>(query, { id })),
    );
    expect(runs.map(({ processRun }) => processRun.context.q)).toEqual(
      TEXT_CASES.map(({ right }) => right),
    );
  });

  it('leave all Workers at work and the API ready', async () => {
    const ready = await fetch(ada.url.replace('/graphql', '/ready'));
    expect(ready.status).toBe(200);
    const workers = await ada.one<{ type: string; status: string }[]>(
      '{ workers { type status } }',
    );
    const atWork = workers.filter(({ status }) => status !== 'OFFLINE').map(({ type }) => type);
    expect(new Set(atWork)).toEqual(new Set(workers.map(({ type }) => type)));
    const [getter = ''] = world.processIds;
    await finalOf([await starts(getter, 'plain')]);
  });
});
