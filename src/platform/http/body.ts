import type { IncomingMessage } from 'node:http';
import { HttpRefused } from './answer.ts';
import type { HttpRefusal } from './guards.ts';

/** A GraphQL request as sent; its parts are not yet known to have the right types. */
export type GraphqlParams = Readonly<Record<string, unknown>>;

export interface BodyLimits {
  readonly bytesMax: number;
  /** What this caller may send as an intake; at least `bytesMax`. */
  readonly intakeBytesMax: number;
  /** Whether a body above `bytesMax` may be that large; only certain mutations are. */
  isIntake(params: GraphqlParams): boolean;
}

/**
 * Reads the JSON object in a POST's body.
 * @throws HttpRefused 413 above the limits, 400 where it is no JSON object
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
    // What was not read would be taken for the next request.
    headers: { connection: 'close' },
  };
}
