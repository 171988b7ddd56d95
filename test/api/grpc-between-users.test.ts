import { once } from 'node:events';
import { connect } from 'node:http2';
import { type Metadata, status } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from 'vitest';
import type { GrpcParts } from '../../src/main/grpc/grpc.ts';
import { freshName } from '../testkit/client.ts';
import { metadataOf, openMemoryRpc, startMemoryGrpc } from '../testkit/memory-rpc.ts';
import { said } from '../testkit/recall-events.ts';

// One user's many, slow or half-sent calls must not keep other users from the memory over gRPC.

const SMALL = { places: 6, placesPerOwner: 2, waiting: 12, waitingPerOwner: 5 };
const TOC = 'GetTocRoot';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/**
 * A server of the memory over gRPC. With `hold`, each read of a call waits until the test lets it
 * go on.
 */
async function open({ hold, ...parts }: Partial<GrpcParts> & { hold?: boolean } = {}) {
  const reads: (() => void)[] = [];
  const { address, stop } = await startMemoryGrpc(
    { mode: 'dev' },
    parts,
    (graph) => async (work) => {
      if (hold === true) await new Promise<void>((resolve) => reads.push(resolve));
      return graph.read(work);
    },
  );
  ends.push(stop);
  // Reads that began and wait, in order; calling one lets it go on.
  return { reads, address };
}

interface Outcome {
  readonly code: number;
  readonly details: string;
  readonly metadata?: Metadata;
}

/** A connection of its own for this user. */
function caller(address: string, user = freshName()) {
  const { memory, close } = openMemoryRpc(address);
  ends.push(close);
  const metadata = metadataOf({ authorization: `Bearer dev:${user}` });
  const begin = (name: string, request: object = {}) => {
    let stop = () => {};
    const outcome = new Promise<Outcome>((resolve) => {
      const call = memory[name](request, metadata, (error: Outcome | null) =>
        resolve(error ?? { code: status.OK, details: '' }),
      );
      stop = () => call.cancel();
    });
    return { outcome, stop };
  };
  return { begin, call: (name: string, request?: object) => begin(name, request).outcome };
}
const many = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

describe('calls over gRPC', () => {
  it('that are too many of one user are RESOURCE_EXHAUSTED, with the remedy', async ({
    expect,
  }) => {
    const { reads, address } = await open({ hold: true, calls: SMALL });
    const [eve, ann] = [caller(address), caller(address)];
    const running = many(7, () => eve.call(TOC));
    await expect.poll(() => reads.length).toBe(2);
    const refused = await eve.call(TOC);
    expect(refused).toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
      details:
        'You have 2 calls running and 5 waiting, the most of one user. Try again when one has ' +
        'ended.',
    });
    expect(refused.metadata?.get('grpc-retry-pushback-ms')).toEqual(['5000']);
    const ofAnn = ann.call(TOC);
    await expect.poll(() => reads.length).toBe(3);
    const letAll = () => {
      for (const go of reads) go();
      return reads.length;
    };
    await expect.poll(letAll).toBe(8);
    await Promise.all([...running, ofAnn]);
    const after = eve.call(TOC);
    await expect.poll(letAll).toBe(9);
    expect((await after).code).toBe(status.OK);
  });

  it('that are cancelled at once still count until their work ends', async ({ expect }) => {
    const { reads, address } = await open({ hold: true, calls: SMALL });
    const [eve, ann] = [caller(address), caller(address)];
    const first = many(2, () => eve.begin(TOC));
    await expect.poll(() => reads.length).toBe(2);
    for (const { stop } of first) stop();
    const codes = await Promise.all(first.map(async ({ outcome }) => (await outcome).code));
    expect(codes).toEqual([status.CANCELLED, status.CANCELLED]);
    const next = eve.call(TOC);
    const ofAnn = ann.call(TOC);
    await expect.poll(() => reads.length).toBe(3);
    reads[2]?.();
    expect((await ofAnn).code).toBe(status.OK);
    expect(reads).toHaveLength(3);
    reads[0]?.();
    await expect.poll(() => reads.length).toBe(4);
    reads[3]?.();
    expect((await next).code).toBe(status.OK);
    reads[1]?.();
  });

  it('that are cancelled while they wait cost nothing', async ({ expect }) => {
    const { reads, address } = await open({ hold: true, calls: SMALL });
    const eve = caller(address);
    const running = many(2, () => eve.call(TOC));
    await expect.poll(() => reads.length).toBe(2);
    const waiting = many(5, () => eve.begin(TOC));
    await expect.poll(async () => (await eve.call(TOC)).code).toBe(status.RESOURCE_EXHAUSTED);
    for (const { stop } of waiting) stop();
    await Promise.all(waiting.map(({ outcome }) => outcome));
    for (const go of reads) go();
    await Promise.all(running);
    const next = eve.call(TOC);
    await expect.poll(() => reads.length).toBe(3);
    reads[2]?.();
    expect((await next).code).toBe(status.OK);
    expect(reads).toHaveLength(3);
  });

  it('with large messages are all kept, though most of them wait', async () => {
    const { address } = await open();
    const eve = caller(address);
    const text = 'x'.repeat(300_000);
    const ingest = (minute: number) => {
      const { eventId, timestamp } = said(`2024-01-15T09:${10 + minute}`, text);
      const timestamp_ms = String(Date.parse(timestamp));
      const event_type = 'EVENT_TYPE_USER_MESSAGE';
      const event = { event_id: eventId, session_id: 'large', timestamp_ms, event_type, text };
      return eve.call('IngestEvent', { event: { ...event, role: 'EVENT_ROLE_USER' } });
    };
    const outcomes = await Promise.all(many(40, () => 0).map((_, index) => ingest(index)));
    expect([...new Set(outcomes.map(({ code, details }) => `${code} ${details}`))]).toEqual(['0 ']);
  });
});

describe('half-sent messages over gRPC', () => {
  /** Announces a message of 1,000,000 bytes and sends the beginning. */
  async function halfSent(address: string, user: string): Promise<() => Promise<string[]>> {
    const session = connect(`http://${address}`);
    ends.push(() => session.destroy());
    await once(session, 'connect');
    const stream = session.request({
      ':method': 'POST',
      ':path': '/memory.MemoryService/IngestEvent',
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: `Bearer dev:${user}`,
    });
    stream.on('error', () => {});
    const head = Buffer.alloc(5);
    head.writeUInt32BE(1_000_000, 1);
    stream.write(Buffer.concat([head, Buffer.from([0x0a, 100])]));
    const answered = once(stream, 'response');
    return async () => {
      const [headers] = await answered;
      return [String(headers['grpc-status']), decodeURI(String(headers['grpc-message']))];
    };
  }

  it('of one user keep no other user waiting, and end with DEADLINE_EXCEEDED', async ({
    expect,
  }) => {
    const { address } = await open({ calls: SMALL, messageMsMax: 1_500 });
    const eve = freshName();
    const halves = await Promise.all(many(6, () => halfSent(address, eve)));
    expect((await caller(address).call(TOC)).code).toBe(status.OK);
    for (const answer of halves) {
      const [code, message] = await answer();
      expect(code).toBe(String(status.DEADLINE_EXCEEDED));
      expect(message).toBe('The message did not arrive within 1.5 s. Send it again.');
    }
    expect((await caller(address, eve).call(TOC)).code).toBe(status.OK);
  });
});
