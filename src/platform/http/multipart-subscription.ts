import type { ExecutionResult } from 'graphql';

/** Clients close a connection that is silent for longer; Apollo's router sends as often. */
const HEARTBEAT_MS = 5_000;
const BOUNDARY = 'graphql';

/**
 * Whether a request asks for a subscription as parts of one response, as Apollo Client does over
 * HTTP: `Accept: multipart/mixed;subscriptionSpec=1.0`.
 */
export function asksMultipart(accept: string | null | undefined): boolean {
  return /multipart\/mixed\s*;[^,]*subscriptionSpec/i.test(accept ?? '');
}

/**
 * Apollo's multipart subscription protocol: one part of JSON per result, as `{payload}`; an empty
 * object as heartbeat. The boundary after a part is sent with it, because clients wait for it.
 */
export function multipartResponse(results: AsyncIterable<ExecutionResult>): Response {
  const iterator = results[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const part = (value: object) =>
    encoder.encode(
      `\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(value)}\r\n--${BOUNDARY}`,
    );
  let heartbeat: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(`\r\n--${BOUNDARY}`));
      heartbeat = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(part({}));
      }, HEARTBEAT_MS);
    },
    async pull(controller) {
      const { done, value } = await iterator.next().catch((error: unknown) => {
        clearInterval(heartbeat);
        throw error;
      });
      if (value !== undefined) controller.enqueue(part({ payload: value }));
      if (done !== true) return;
      clearInterval(heartbeat);
      controller.enqueue(encoder.encode('--\r\n'));
      controller.close();
    },
    async cancel() {
      clearInterval(heartbeat);
      await iterator.return?.();
    },
  });
  return new Response(body, {
    headers: {
      'content-type': `multipart/mixed;boundary="${BOUNDARY}";subscriptionSpec=1.0`,
      'cache-control': 'no-cache',
    },
  });
}
