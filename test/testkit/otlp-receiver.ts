import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A span as it arrives over OTLP/HTTP in JSON. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface OtlpReceiver {
  readonly endpoint: string;
  readonly spans: readonly ReceivedSpan[];
  /** Everything that arrived, as text. */
  text(): string;
  close(): Promise<void>;
}

interface Body {
  readonly resourceSpans: {
    readonly scopeSpans: {
      readonly spans: (Omit<ReceivedSpan, 'attributes'> & {
        readonly attributes?: { readonly key: string; readonly value: object }[];
      })[];
    }[];
  }[];
}

/** A collector on loopback that takes OTLP/HTTP at /v1/traces and keeps it. */
export async function openOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: unknown[] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/traces') {
      response.writeHead(404).end();
      return;
    }
    const body = (await json(request)) as Body;
    bodies.push(body);
    for (const { scopeSpans } of body.resourceSpans)
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          ...span,
          attributes: Object.fromEntries(
            (span.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]),
          ),
        });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => JSON.stringify(bodies),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
