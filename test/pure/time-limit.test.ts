import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runWithin } from '../../activities/run-step/time-limit.ts';

// docs/decisions/0123: the time that one call may take.

const never = new AbortController().signal;
const fault = () => new Error('too late');

/** Of a thread of its own, so that it answers while this one is busy. */
const SERVER = `
  const { createServer } = require('node:http');
  const { parentPort, workerData: answerMs } = require('node:worker_threads');
  const server = createServer((_, response) => {
    setTimeout(() => response.end('answer'), answerMs);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/** A call of a server that answers after `answerMs`. */
async function slowCall(answerMs: number): Promise<(signal: AbortSignal) => Promise<string>> {
  const server = new Worker(SERVER, { eval: true, workerData: answerMs });
  onTestFinished(async () => void (await server.terminate()));
  const [port] = await once(server, 'message');
  return async (signal) => (await fetch(`http://127.0.0.1:${port}`, { signal })).text();
}

function keepBusy(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

describe('the time limit of a call', () => {
  it('ends work that takes longer, and takes the answer that comes before', async () => {
    const slow = runWithin(never, { ms: 50, fault }, await slowCall(5_000));
    await expect(slow).rejects.toThrow('too late');
    const quick = runWithin(never, { ms: 5_000, fault }, await slowCall(0));
    await expect(quick).resolves.toBe('answer');
  });

  it('takes an answer that came in time while the process was busy', async () => {
    const call = await slowCall(300);
    const answer = runWithin(never, { ms: 500, fault }, async (signal) => {
      const text = call(signal);
      // The request leaves before.
      await sleep(100);
      // Late timers come after it, and only then what the sockets have.
      await new Promise(setImmediate);
      keepBusy(800);
      return text;
    });
    await expect(answer).resolves.toBe('answer');
  });

  it('leaves work behind that ignores its signal', async () => {
    const deaf = () => new Promise<never>(() => {});
    await expect(runWithin(never, { ms: 10, fault }, deaf)).rejects.toThrow('too late');
  });
});
