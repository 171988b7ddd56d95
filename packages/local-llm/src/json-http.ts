import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { ApiError, errorBody } from './api-error.ts';
import { BODY_BYTES_MAX } from './limits.ts';

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    .end(JSON.stringify(body));
}

/** Answers with an error in OpenAI's form. */
export function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const known =
    error instanceof ApiError
      ? error
      : new ApiError(500, 'internal_error', 'The local model failed on this request.');
  if (known.status === 500) console.error(error);
  // The rest of a refused body is not worth reading.
  if (known.status === 413) response.setHeader('connection', 'close');
  if (known.retryAfterSeconds !== null)
    response.setHeader('retry-after', String(known.retryAfterSeconds));
  sendJson(response, known.status, errorBody(known));
}

/** @throws ApiError 415, 413 or 400 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw new ApiError(415, 'unsupported_media_type', 'Send application/json.');
  }
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > BODY_BYTES_MAX)
      throw new ApiError(413, 'payload_too_large', `A body may hold ${BODY_BYTES_MAX} bytes.`);
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    throw new ApiError(400, 'invalid_json', 'The body is no JSON.');
  }
}

/** @throws ApiError 400 that names the first field at fault and says all faults. */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const said = result.error.issues
    .slice(0, 5)
    .map(({ path, message: what }) => `${path.join('.') || 'body'}: ${what}`);
  throw new ApiError(
    400,
    'invalid_value',
    said.join('; '),
    result.error.issues[0]?.path.join('.') || null,
  );
}
