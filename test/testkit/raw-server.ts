import { createServer, type OutgoingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closing, listening } from './listen.ts';

export interface RawRequest {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface RawAnswer {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
}

/** A server on loopback that answers as told, and keeps requests byte by byte. */
export interface RawServer {
  readonly origin: string;
  readonly requests: readonly RawRequest[];
  close(): Promise<void>;
}

export async function openRawServer(
  answer: (request: RawRequest) => RawAnswer,
): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const request = {
      method: incoming.method ?? '',
      target: incoming.url ?? '',
      headers: incoming.headers,
      body: await buffer(incoming),
    };
    requests.push(request);
    const { status = 200, headers = {}, body } = answer(request);
    response.writeHead(status, headers).end(body);
  });
  const origin = `http://${await listening(server)}`;
  return { origin, requests, close: () => closing(server) };
}
