import type { IncomingMessage } from 'node:http';
import { HttpRefused } from './answer.ts';
import type { HttpRefusal } from './guards.ts';

/** A GraphQL request as sent; the types of its fields are not checked yet. */
export type GraphqlParams = Readonly<Record<string, unknown>>;

export interface BodyLimits {
  readonly bytesMax: number;
  /** Maximum bytes of an intake of this caller; at least `bytesMax`. */
  readonly intakeBytesMax: number;
  /** Whether the operation may have a body above `bytesMax`; only certain mutations may. */
  isIntake(params: GraphqlParams): boolean;
}

/**
 * Reads the JSON object in a POST's body.
 * @throws HttpRefused 413 above the limits, 400 when the body is no JSON object
 */
export async function readParams(
  request: IncomingMessage,
  limits: BodyLimits,
): Promise<GraphqlParams> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limits.intakeBytesMax) throw new HttpRefused(tooLarge(limits.bytesMax));

  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limits.intakeBytesMax) throw new HttpRefused(tooLarge(limits.bytesMax));
    chunks.push(chunk);
  }
  const params = parsed(Buffer.concat(chunks));
  if (bytes > limits.bytesMax && !limits.isIntake(params))
    throw new HttpRefused(tooLarge(limits.bytesMax));
  return params;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

function parsed(body: Buffer): GraphqlParams {
  let value: unknown;
  try {
    value = JSON.parse(strictUtf8.decode(body));
  } catch {
    throw new HttpRefused({
      status: 400,
      code: 'BAD_USER_INPUT',
      message: 'The body is not JSON in UTF-8.',
    });
  }
  if (Array.isArray(value)) {
    throw new HttpRefused({
      status: 400,
      code: 'BAD_USER_INPUT',
      message: 'Send one operation at a time; batching is off.',
    });
  }
  if (typeof value !== 'object' || value === null) {
    throw new HttpRefused({
      status: 400,
      code: 'BAD_USER_INPUT',
      message: 'The body has to be a JSON object with a query.',
    });
  }
  return value as GraphqlParams;
}

function tooLarge(bytesMax: number): HttpRefusal {
  return {
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
    message: `The body may have at most ${bytesMax} bytes; only intakes and imports of somebody signed in may be larger.`,
    // Unread bytes would be taken for the next request.
    headers: { connection: 'close' },
  };
}
