import type { ServerResponse } from 'node:http';

const PAUSE_MS = 15_000;

/** Writes a comment into an open stream of events every 15 s, so that proxies do not cut it. */
export function keepAlive(response: ServerResponse, comment: string): void {
  // What has ended may wait long for its turn: for a reader that is slow, or behind another answer.
  const write = () => response.writableEnded || response.write(`: ${comment}\n\n`);
  const timer = setInterval(write, PAUSE_MS).unref();
  response.once('close', () => clearInterval(timer));
  response.once('finish', () => clearInterval(timer));
}
