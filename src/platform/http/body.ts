import type { IncomingMessage } from 'node:http';
import { parseJson } from '../../common/exact-json.ts';
import { isJsonObject, type JsonObject } from '../../common/json.ts';
import { firstChars, wellFormedJsonText } from '../../common/well-formed.ts';
import { HttpRefused } from './answer.ts';
import type { HttpRefusal } from './guards.ts';

/** A GraphQL request as sent; the types of its fields are not checked yet. */
export type GraphqlParams = Readonly<Record<string, unknown>>;

export interface BodyLimits {
  readonly bytesMax: number;
  /** Maximum bytes of an intake of this caller; at least `bytesMax`. */
  readonly intakeBytesMax: number;
  /**
   * A sender that pauses for longer has given up: its part of the body takes memory. Default 10 s.
   */
  readonly pauseMsMax?: number;
  /** Whether the operation may have a body above `bytesMax`; only certain mutations may. */
  isIntake(params: GraphqlParams): boolean;
}

/**
 * Reads the JSON object in a POST's body.
 * @throws HttpRefused 413 above the limits, 408 when the sender pauses, 400 when the body is no
 * JSON object
 */
export async function readParams(
  request: IncomingMessage,
  limits: BodyLimits,
): Promise<GraphqlParams> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limits.intakeBytesMax) throw new HttpRefused(tooLarge(limits.bytesMax));

  const body = await readBytes(request, limits);
  const params = requestIn(parsed(body));
  if (body.length > limits.bytesMax && !limits.isIntake(params))
    throw new HttpRefused(tooLarge(limits.bytesMax));
  return params;
}

/**
 * Reads the JSON object in a POST's body of at most `bytesMax`. @throws HttpRefused as readParams
 */
export async function readJson(request: IncomingMessage, bytesMax: number): Promise<JsonObject> {
  const value = parsed(await readBody(request, bytesMax));
  if (isJsonObject(value)) return value;
  const message = 'The body has to be one JSON object.';
  throw new HttpRefused({ status: 400, code: 'BAD_USER_INPUT', message });
}

/**
 * Reads the text in a POST's body of at most `bytesMax`.
 * @throws HttpRefused as readParams; 400 when it is not UTF-8
 */
export async function readText(request: IncomingMessage, bytesMax: number): Promise<string> {
  const body = await readBody(request, bytesMax);
  try {
    return strictUtf8.decode(body);
  } catch {
    throw new HttpRefused(NOT_UTF8_JSON);
  }
}

async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > bytesMax) throw new HttpRefused(tooLarge(bytesMax));
  return readBytes(request, { bytesMax, intakeBytesMax: bytesMax });
}

const PAUSE_MS_MAX = 10_000;
/** Some clients name a charset or nothing here. */
const COMPRESSIONS = new Set(['gzip', 'x-gzip', 'deflate', 'compress', 'br', 'zstd']);

async function readBytes(
  request: IncomingMessage,
  limits: Omit<BodyLimits, 'isIntake'>,
): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity' } = request.headers;
  const isCompressed = encoding
    .split(',')
    .some((one) => COMPRESSIONS.has(one.trim().toLowerCase()));
  if (isCompressed) throw new HttpRefused(compressed(encoding));
  const chunks: Buffer[] = [];
  let bytes = 0;
  const iterator = request[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const step = await withinPause(iterator.next(), limits.pauseMsMax ?? PAUSE_MS_MAX);
    if (step.done === true) return Buffer.concat(chunks);
    bytes += step.value.length;
    if (bytes > limits.intakeBytesMax) throw new HttpRefused(tooLarge(limits.bytesMax));
    chunks.push(step.value);
  }
}

async function withinPause<T>(next: Promise<T>, pauseMsMax: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const paused = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new HttpRefused(halfSent(pauseMsMax))), pauseMsMax);
  });
  try {
    return await Promise.race([next, paused]);
  } finally {
    clearTimeout(timer);
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

function parsed(body: Buffer): unknown {
  try {
    return parseJson(wellFormedJsonText(strictUtf8.decode(body)));
  } catch {
    throw new HttpRefused(NOT_UTF8_JSON);
  }
}

const NOT_UTF8_JSON: HttpRefusal = {
  status: 400,
  code: 'BAD_USER_INPUT',
  message: 'The body is not JSON in UTF-8.',
};

function requestIn(value: unknown): GraphqlParams {
  if (Array.isArray(value))
    throw new HttpRefused({
      status: 400,
      code: 'BAD_USER_INPUT',
      message: 'Send one operation at a time; batching is off.',
    });
  if (typeof value !== 'object' || value === null)
    throw new HttpRefused({
      status: 400,
      code: 'BAD_USER_INPUT',
      message: 'The body has to be a JSON object with a query.',
    });
  return value as GraphqlParams;
}

const tooLarge = (bytesMax: number): HttpRefusal => ({
  status: 413,
  code: 'PAYLOAD_TOO_LARGE',
  message:
    `The body may have at most ${bytesMax} bytes; only intakes and imports of somebody signed ` +
    'in may be larger.',
  // Unread bytes would be taken for the next request.
  headers: { connection: 'close' },
});

const compressed = (encoding: string): HttpRefusal => ({
  status: 415,
  code: 'BAD_USER_INPUT',
  message:
    `The body is sent with Content-Encoding: ${firstChars(encoding, 100)}. Send it as it is, ` +
    'without compression.',
  headers: { 'accept-encoding': 'identity', connection: 'close' },
});

const halfSent = (pauseMsMax: number): HttpRefusal => ({
  status: 408,
  code: 'BAD_USER_INPUT',
  message: `The rest of the body did not arrive within ${pauseMsMax / 1_000} s.`,
  headers: { connection: 'close' },
});
