import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { client, type TestClient } from '../test/testkit/client.ts';
import type { RestServer } from '../test/testkit/rest-server.ts';
import { runWorld } from '../test/testkit/run-world.ts';
import type { Random } from './random.ts';

export const STEPS = ['left', 'right', 'last'] as const;
/** Runs of one client that may be open at once. */
const OPEN_MAX = 4;
const RETRY_MS = 400;
/** Share of the runs whose values are too large for a property, and lie in the blob store. */
const LARGE = 0.05;
const LARGE_CHARS = 300_000;
/** Share of the runs whose events a subscriber follows. */
const FOLLOWED = 0.25;

/** A change that the API accepted. */
export interface Accepted {
  /** Id of the run, or of the turn. */
  readonly id: string;
  /** Text that only this change has. */
  readonly text: string;
}

/** A subscription that went on over faults, by its cursor. */
export interface Followed {
  readonly document: string;
  readonly field: 'runEvents' | 'conversationEvents';
  readonly id: string;
  /** Cursors in the order of their arrival. */
  readonly cursors: string[];
}

/** One user with a Process and a conversation. */
export interface Person {
  readonly ownerId: string;
  readonly workspace: string;
  readonly processId: string;
  readonly conversationId: string;
  readonly runs: Accepted[];
  readonly turns: Accepted[];
  readonly followed: Followed[];
  /** The subscriptions at work. They go on after the load, until all is settled. */
  readonly following: Promise<void>[];
  /** Speaks to one of the API processes. */
  at(url: string): TestClient;
}

/** How often requests failed, by code; NETWORK: no answer at all. */
export type Failures = Map<string, number>;

/** Tells of a failed request as it happens: its code, address and time. */
export type OnFailure = (line: string) => void;

const RUN_EVENTS =
  'subscription ($id: ID!, $after: Cursor) { runEvents(runId: $id, after: $after) { cursor } }';
const CONVERSATION_EVENTS = `subscription ($id: ID!, $after: Cursor) {
  conversationEvents(conversationId: $id, after: $after, includeText: false) {
    cursor
  }
}`;
const START = `mutation ($input: StartProcessRunInput!) {
  it: startProcessRun(input: $input) { made: run { id } userErrors { code message } } }`;
const APPEND = `mutation ($input: AppendTurnInput!) {
  it: appendTurn(input: $input) { made: turn { id } userErrors { code message } } }`;

/** Makes a user with a Process of three steps: two at once, and one after both. */
export async function openPerson(name: string, url: string, origin: string): Promise<Person> {
  const at = (api: string) => client(name, { url: api });
  const ada = at(url);
  const world = await runWorld(ada, { origin } as RestServer, '/work');
  const processId = await world.createsProcess(
    STEPS.map((stepId) => ({
      stepId,
      dependsOn: stepId === 'last' ? ['left', 'right'] : [],
      ...(stepId === 'left' && { inputs: { name: '{context.large}' } }),
    })),
    { initialContext: ['name', 'large'], outputTemplate: 'done: {{name}}' },
  );
  const { createConversation, viewer } = await ada
    .query<{
      createConversation: { conversation: { id: string } };
      viewer: { id: string; workspace?: string };
    }>('mutation { createConversation(input: {}) { conversation { id } } }')
    .then(async (made) => ({
      ...made,
      ...(await ada.query<{ viewer: { id: string } }>('{ viewer { id } }')),
    }));
  return {
    ownerId: viewer.id,
    workspace: viewer.id,
    processId,
    conversationId: createConversation.conversation.id,
    runs: [],
    turns: [],
    followed: [],
    following: [],
    at,
  };
}

/** Starts runs and appends turns until `stopping`; a failed request is sent again under its key. */
export async function load(
  person: Person,
  parts: {
    /** The API processes of the moment. */
    readonly urls: readonly string[];
    readonly random: Random;
    readonly failures: Failures;
    readonly onFailure?: OnFailure;
    readonly stopping: AbortSignal;
    /** Aborts when all runs have ended. */
    readonly settled: AbortSignal;
  },
): Promise<void> {
  const { random, stopping } = parts;
  const open = new Set<Promise<void>>();
  const conversation = { field: 'conversationEvents', id: person.conversationId } as const;
  person.following.push(follow(person, parts, CONVERSATION_EVENTS, conversation));
  while (!stopping.aborted) {
    const text = randomUUID();
    if (random.next() < 0.3) {
      const { conversationId } = person;
      const id = await send(person, parts, APPEND, { conversationId, content: text });
      if (id !== null) person.turns.push({ id, text });
    } else {
      const large = random.next() < LARGE ? 'x'.repeat(LARGE_CHARS) : 'x';
      const input = { processId: person.processId, context: { name: text, large } };
      const id = await send(person, parts, START, input);
      if (id !== null) {
        person.runs.push({ id, text });
        if (random.next() < FOLLOWED)
          person.following.push(follow(person, parts, RUN_EVENTS, { field: 'runEvents', id }));
        const ended = untilEnd(person, parts, id).finally(() => open.delete(ended));
        open.add(ended);
      }
    }
    if (open.size >= OPEN_MAX) await Promise.race(open);
    await sleep(random.between(50, 500));
  }
  await Promise.all(open);
}

type Parts = Parameters<typeof load>[1];

/** Sends a mutation until an API process has answered it. Null: it was refused, or time is up. */
async function send(
  person: Person,
  parts: Parts,
  document: string,
  input: object,
): Promise<string | null> {
  const { random, failures, stopping } = parts;
  const idempotencyKey = randomUUID();
  type Made = { it: { made: { id: string } | null; userErrors: { message: string }[] } };
  const variables = { input: { ...input, idempotencyKey } };
  while (!stopping.aborted) {
    const url = random.pick(parts.urls);
    const ada = person.at(url);
    const sentMs = performance.now();
    let cause = '';
    const answer = await ada.ask<Made>(document, variables).catch((error: unknown) => {
      cause = causeOf(error);
      return null;
    });
    if (answer?.data != null && answer.errors.length === 0) {
      const { made, userErrors } = answer.data.it;
      if (made === null) note(failures, `refused: ${userErrors[0]?.message}`);
      return made?.id ?? null;
    }
    const code =
      answer === null ? `NETWORK ${cause}` : (answer.errors[0]?.extensions.code ?? 'NO ERROR');
    note(failures, code);
    const words = answer?.errors[0]?.message ?? '';
    const seconds = ((performance.now() - sentMs) / 1_000).toFixed(1);
    parts.onFailure?.(`a request to ${url} failed after ${seconds} s: ${code} ${words}`);
    await sleep(RETRY_MS);
  }
  return null;
}

/** The code of a connection's fault, such as ECONNRESET. */
function causeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return String(cause?.code ?? error);
}

function note(failures: Failures, code: string): void {
  failures.set(code, (failures.get(code) ?? 0) + 1);
}

/** Waits for the end of a run; the load goes on meanwhile with other runs. */
async function untilEnd(person: Person, parts: Parts, id: string) {
  const { random, stopping } = parts;
  while (!stopping.aborted) {
    await sleep(1_000);
    const query = 'query ($id: ID!) { processRun(id: $id) { completedAt } }';
    const answer = await person
      .at(random.pick(parts.urls))
      .ask<{ processRun: { completedAt: string | null } | null }>(query, { id })
      .catch(() => null);
    if (answer?.data?.processRun?.completedAt != null) return;
  }
}

/** Subscribes, and after each break again with the last cursor, until all is settled. */
async function follow(
  person: Person,
  parts: Parts,
  document: string,
  { field, id }: Pick<Followed, 'field' | 'id'>,
): Promise<void> {
  const { random, settled } = parts;
  const cursors: string[] = [];
  person.followed.push({ document, field, id, cursors });
  while (!settled.aborted) {
    const after = cursors.at(-1) ?? null;
    const ada = person.at(random.pick(parts.urls));
    const events = ada.subscribeSse<Record<string, { cursor: string }>>(document, { id, after });
    try {
      for (;;) {
        const next = await Promise.race([events.next(), aborted(settled)]);
        if (next === null) return;
        if (next.done === true) break;
        cursors.push(next.value[field]?.cursor ?? 'no cursor');
      }
      // The events of a run end with it.
      if (field === 'runEvents') return;
    } catch {
      await sleep(RETRY_MS);
    }
  }
}

/**
 * Null when the signal aborts. A generator that waits for an event can not be ended from outside.
 */
function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}

/** All cursors of a subscription from its beginning, up to the given number or its end. */
export async function allCursors(
  ada: TestClient,
  { document, field, id }: Followed,
  atLeast: number,
): Promise<string[]> {
  const cursors: string[] = [];
  const variables = { id, after: null };
  for await (const event of ada.subscribeSse<Record<string, { cursor: string }>>(
    document,
    variables,
  )) {
    cursors.push(event[field]?.cursor ?? 'no cursor');
    if (field === 'conversationEvents' && cursors.length >= atLeast) break;
  }
  return cursors;
}
