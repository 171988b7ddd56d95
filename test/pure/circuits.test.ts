import { describe, expect, it } from 'vitest';
import {
  type CircuitCall,
  createCircuits,
  FAILURES_BEFORE_PAUSE,
} from '../../activities/run-step/circuits.ts';
import { ToolFault } from '../../src/common/tool-fault.ts';

const T0 = Date.parse('2026-05-01T12:00:00Z');

function world() {
  let nowMs = T0;
  const circuits = createCircuits(
    { nowMs: () => nowMs },
    () => 0,
    () => nowMs,
  );
  const job = (ownerId = 'ada', endpoint = 'https://weather.example.com/v1') =>
    ({
      call: { run: { ownerId } },
      tool: {
        name: 'weather',
        serviceId: 's1',
        protocol: 'https' as const,
        connectionParams: { endpoint },
      },
    }) satisfies CircuitCall;
  const away = () => new ToolFault('TOOL_FAILED', 'ECONNREFUSED', { retryable: true });
  const fails = (times: number, of = job()) => {
    for (let each = 0; each < times; each++) circuits.ended(of, away());
  };
  const waitOf = (of = job()) => circuits.pauseOf(of)?.retryAfterMs ?? 0;
  return { circuits, job, fails, waitOf, passes: (ms: number) => (nowMs += ms) };
}

describe('a destination that fails again and again', () => {
  it('gets a pause that says since how many failures, why and until when', () => {
    const { circuits, job, fails } = world();
    fails(FAILURES_BEFORE_PAUSE);
    expect(circuits.pauseOf(job())?.message).toBe(
      'Calls to the target of weather pause until 2026-05-01T12:00:02.000Z, because the last ' +
        '5 failed: ECONNREFUSED',
    );
  });

  it('is called freely until its fifth failure in a row', () => {
    const { circuits, job, fails, waitOf } = world();
    fails(FAILURES_BEFORE_PAUSE - 1);
    expect(waitOf()).toBe(0);
    circuits.ended(job(), null);
    fails(FAILURES_BEFORE_PAUSE - 1);
    expect(waitOf()).toBe(0);
  });

  it('gets one call after each pause, and longer pauses up to a minute', () => {
    const { fails, waitOf, passes } = world();
    fails(FAILURES_BEFORE_PAUSE);
    const pauses: number[] = [];
    for (let each = 0; each < 8; each++) {
      const waitMs = waitOf();
      pauses.push(waitMs);
      passes(waitMs);
      expect(waitOf()).toBe(0);
      expect(waitOf()).toBe(waitMs);
      fails(1);
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000));
  });

  it('is called freely again after one success', () => {
    const { circuits, job, fails, waitOf, passes } = world();
    fails(FAILURES_BEFORE_PAUSE + 3);
    passes(60_000);
    expect(waitOf()).toBe(0);
    circuits.ended(job(), null);
    expect([waitOf(), waitOf(), waitOf()]).toEqual([0, 0, 0]);
  });

  it('is paused neither for other owners nor for other destinations of the same owner', () => {
    const { job, fails, waitOf } = world();
    fails(FAILURES_BEFORE_PAUSE);
    expect(waitOf(job('eve'))).toBe(0);
    expect(waitOf(job('ada', 'https://maps.example.com'))).toBe(0);
    expect(waitOf(job('ada', 'https://weather.example.com/v2'))).toBeGreaterThan(0);
  });

  it('is not paused for answers: refusals of a server, or a request to come back later', () => {
    const { circuits, job, waitOf } = world();
    for (let each = 0; each < 20; each++) {
      circuits.ended(job(), new ToolFault('TOOL_FAILED', 'HTTP 404'));
      circuits.ended(
        job(),
        new ToolFault('TOOL_FAILED', 'HTTP 429', { retryable: true, retryAfterMs: 500 }),
      );
    }
    expect(waitOf()).toBe(0);
  });
});
