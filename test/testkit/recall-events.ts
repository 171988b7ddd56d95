import { createHash } from 'node:crypto';
import type { GivenEvent } from '../../src/agent-memory/events/event.ts';
import { createUlids, ulidFrom } from '../../src/agent-memory/events/ulid.ts';
import type { TestClient } from './client.ts';

const ulid = createUlids(Math.random);
/** An event of a user, at a moment such as 2024-01-15T09:00. */
export function said(at: string, text: string, more: Partial<GivenEvent> = {}): GivenEvent {
  const ms = Date.parse(`${at}:00Z`);
  return {
    eventId: ulid(ms),
    sessionId: 'talk',
    timestamp: new Date(ms).toISOString(),
    eventType: 'UserMessage',
    role: 'User',
    text,
    ...more,
  };
}

/** Sends events to the memory of this user over the API. */
export const ingests = (user: TestClient, input: readonly GivenEvent[]) =>
  user.one<{ created: number; duplicates: number }>(
    `mutation ($input: [MemoryEventInput!]!) { ingestEvents(input: $input) {
      created duplicates } }`,
    { input },
  );

const SESSIONS = 5;
const PER_TALK = 80;
/**
 * The events of some weeks, always the same of a seed: five sessions a day, each a talk of eighty
 * events. Some come late: of every ten the fourth is told after the next ten were.
 */
export function storyOf(seed: string, count: number): GivenEvent[] {
  const events = Array.from({ length: count }, (_, number) => {
    const [talk, turn] = [Math.floor(number / PER_TALK), number % PER_TALK];
    const [day, session] = [Math.floor(talk / SESSIONS), talk % SESSIONS];
    const ms = Date.parse('2024-04-01T08:00:00Z') + day * 86_400_000 + session * 5_400_000;
    const at = ms + turn * 30_000;
    return {
      eventId: ulidFrom(at, createHash('sha256').update(`${seed} ${number}`).digest(), 0),
      sessionId: `talk ${session}`,
      timestamp: new Date(at).toISOString(),
      eventType: 'UserMessage',
      role: 'User',
      text: `Point ${number} was made. It held.`,
    };
  });
  const place = (index: number) => (index % 10 === 3 ? index + 12.5 : index);
  return events
    .map((event, index) => ({ event, place: place(index) }))
    .sort((one, other) => one.place - other.place)
    .map(({ event }) => event);
}
