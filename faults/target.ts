import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A call that the target received. */
export interface ReceivedCall {
  readonly atMs: number;
  /** Whether the caller hung up before it had its answer, or at its limit as the answer came. */
  wasLeft: boolean;
  /** Undefined until its answer was sent. */
  answeredMs?: number;
}

/** A quick call of a workflow ends after 500 ms; a busy process closes its socket later. */
const LIMIT_MS = { answered: 450, from: 500, to: 750 };

/** The REST service that the Tools of the load call. It keeps each call by its key. */
export interface Target {
  readonly origin: string;
  /** All calls with an Idempotency-Key, by key, in the order of their arrival. */
  readonly calls: ReadonlyMap<string, readonly ReceivedCall[]>;
  close(): Promise<void>;
}

/** @param answerMs gives the time that the next call takes */
export async function openTarget(answerMs: () => number): Promise<Target> {
  const calls = new Map<string, ReceivedCall[]>();
  // Who has read an answer keeps the connection.
  const lastOf = new WeakMap<Socket, ReceivedCall>();
  const noteClosed = (socket: Socket) => {
    const last = lastOf.get(socket);
    if (last === undefined) return;
    const ms = Date.now() - last.atMs;
    const answeredMs = (last.answeredMs ?? 0) - last.atMs;
    if (answeredMs >= LIMIT_MS.answered && ms >= LIMIT_MS.from && ms <= LIMIT_MS.to)
      last.wasLeft = true;
  };
  const server = createServer((request, response) => {
    const key = request.headers['idempotency-key'];
    const call: ReceivedCall = { atMs: Date.now(), wasLeft: false };
    if (typeof key === 'string') calls.set(key, [...(calls.get(key) ?? []), call]);
    lastOf.set(request.socket, call);
    response.once('close', () => {
      call.wasLeft = !response.writableFinished;
    });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(Buffer.concat(chunks).toString('utf8') || '{}');
        call.answeredMs = Date.now();
      }, answerMs());
    });
    request.on('error', () => {});
    response.on('error', () => {});
  });
  server.on('connection', (socket) => socket.once('close', () => noteClosed(socket)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    calls,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
