import type { GivenEvent } from '../../src/recall/event-checks.ts';
import { createUlids } from '../../src/recall/ulid.ts';

const ulid = createUlids(Math.random);
/** Something somebody said, at a moment such as 2024-01-15T09:00. */
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
