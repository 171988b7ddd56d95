import type { IncomingMessage } from 'node:http';
import type { Payload } from '@temporalio/common';
import proto from '@temporalio/proto';
import { withEllipsis } from '../../common/ellipsis.ts';
import { isJsonObject, type Json } from '../../common/json.ts';
import { answerJson, answerPreflight, HttpRefused, NOT_JSON } from '../../platform/http/answer.ts';
import { readJson } from '../../platform/http/body.ts';
import type { HttpRefusal } from '../../platform/http/guards.ts';
import { isJson } from '../../platform/http/guards.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import { type PayloadCrypt, PayloadFault } from '../../platform/temporal/payload-codec.ts';
import { isAdmin, type Viewer } from '../../users/user.ts';
import { type CallerCount, countedCaller } from './sign-in.ts';
import type { Serve } from './watched.ts';

const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

/** Base path for `--codec-endpoint` of Temporal's command line and for its web UI. */
export const CODEC_PATH = '/temporal/codec';

const PAYLOADS_MAX = 10_000;
/** Maximum size of a body. Temporal's own messages have at most 4 MB. */
const BODY_BYTES_MAX = 16 * 1024 * 1024;
const METADATA_ENTRIES_MAX = 50;
const METADATA_NAME_CHARS_MAX = 200;
/** Problems that a refusal lists. */
const PROBLEMS_MAX = 20;
/** JSON of protobuf takes both alphabets of base64, with and without `=`. */
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const PREFLIGHT = {
  methods: 'POST, OPTIONS',
  headers: 'content-type, authorization, x-namespace',
};

/**
 * Temporal's codec protocol: POST `{payloads}` in JSON to `/encode` or `/decode`. The web UI and
 * the command line show encrypted histories by it. Admins only, since a history holds other users'
 * data.
 */
export function codecRoutes(
  parts: CallerCount & {
    readonly codec: PayloadCrypt;
    readonly log: Log;
  },
): Readonly<Record<string, Serve>> {
  const { codec, log } = parts;
  const route =
    (work: 'encode' | 'decode'): Serve =>
    async (request, response) => {
      if (request.method === 'OPTIONS') return answerPreflight(response, PREFLIGHT);
      if (request.method !== 'POST' || !isJson(request.headers['content-type']))
        throw new HttpRefused(NOT_JSON);
      const viewer = await adminOf(parts, request);
      const payloads = payloadsOf(await readJson(request, BODY_BYTES_MAX));
      log.info('An admin used the payload codec', { operation: work, userId: viewer.userId });
      const done = await codec[work](payloads).catch((error: unknown) => {
        throw error instanceof PayloadFault ? new HttpRefused(unreadable(error)) : error;
      });
      // toJSON of protobufjs writes bytes as base64, as the protocol asks for.
      answerJson(response, 200, {
        payloads: done.map((payload) => PayloadMessage.fromObject(payload).toJSON()),
      });
    };
  return { [`${CODEC_PATH}/encode`]: route('encode'), [`${CODEC_PATH}/decode`]: route('decode') };
}

/** @throws HttpRefused 401 without sign-in, 403 for others than admins, 429 above the rate */
async function adminOf(parts: CallerCount, request: IncomingMessage): Promise<Viewer> {
  const signedIn = await countedCaller(parts, request);
  if (signedIn === null) throw new HttpRefused(SIGN_IN);
  if (!isAdmin(signedIn.viewer)) throw new HttpRefused(ADMINS_ONLY);
  return signedIn.viewer;
}

/**
 * The payloads of a body. Each field is checked before it is read: protobufjs copies a value that
 * looks like a list, such as `{"length": 4e9}`.
 * @throws HttpRefused that names all problems
 */
function payloadsOf(body: unknown): Payload[] {
  const problems: string[] = [];
  const given = isJsonObject(body) ? body['payloads'] : undefined;
  if (!Array.isArray(given) || given.length > PAYLOADS_MAX) throw new HttpRefused(notPayloads([]));
  const payloads = given.map((payload, index) =>
    payloadOf(payload, `payloads[${index}]`, problems),
  );
  if (problems.length > 0) throw new HttpRefused(notPayloads(problems));
  return payloads;
}

function payloadOf(payload: Json, path: string, problems: string[]): Payload {
  if (!isJsonObject(payload)) {
    problems.push(`${path} is no object`);
    return {};
  }
  const { metadata = null, data = null } = payload;
  const metadataEntries = entriesOf(metadata, `${path}.metadata`, problems);
  return {
    ...(metadata === null ? {} : { metadata: Object.fromEntries(metadataEntries) }),
    ...(data === null ? {} : { data: bytesOf(data, `${path}.data`, problems) }),
  };
}

function entriesOf(metadata: Json, path: string, problems: string[]): [string, Uint8Array][] {
  if (metadata === null) return [];
  const entries = isJsonObject(metadata) ? Object.entries(metadata) : null;
  if (entries === null || entries.length > METADATA_ENTRIES_MAX) {
    problems.push(`${path} is no object of at most ${METADATA_ENTRIES_MAX} base64 texts`);
    return [];
  }
  return entries.map(([name, value]) => {
    const isName = name !== '__proto__' && name.length <= METADATA_NAME_CHARS_MAX;
    const shown = withEllipsis(name, 40).toWellFormed();
    if (!isName) problems.push(`${path} has the name ${shown}, which no payload has`);
    return [name, bytesOf(value, `${path}.${shown}`, problems)];
  });
}

function bytesOf(value: Json, path: string, problems: string[]): Uint8Array {
  if (typeof value === 'string' && BASE64.test(value)) return Buffer.from(value, 'base64');
  problems.push(`${path} is no base64 text`);
  return new Uint8Array();
}

function unreadable({ message }: PayloadFault): HttpRefusal {
  return { status: 400, code: 'BAD_USER_INPUT', message };
}

const SIGN_IN: HttpRefusal = {
  status: 401,
  code: 'UNAUTHENTICATED',
  message: 'Sign in as an admin: Authorization: Bearer <token>.',
  headers: { 'www-authenticate': 'Bearer' },
};
const ADMINS_ONLY: HttpRefusal = {
  status: 403,
  code: 'FORBIDDEN',
  message: 'Only an admin may read the payloads of Temporal.',
};
function notPayloads(problems: readonly string[]): HttpRefusal {
  const more = problems.length - PROBLEMS_MAX;
  const listed = [...problems.slice(0, PROBLEMS_MAX), ...(more > 0 ? [`${more} more`] : [])];
  const form =
    'The body is {"payloads": [{"metadata": {"encoding": base64}, "data": base64}]}, at most ' +
    `${PAYLOADS_MAX} of them.`;
  return {
    status: 400,
    code: 'BAD_USER_INPUT',
    message: listed.length === 0 ? form : `${form} ${listed.join('; ')}.`,
  };
}
