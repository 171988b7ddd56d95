import type { IncomingMessage } from 'node:http';
import proto from '@temporalio/proto';
import { z } from 'zod';
import { INTAKE_BODY_BYTES_MAX } from '../../common/limits.ts';
import { answerJson, answerPreflight, HttpRefused } from '../../platform/http/answer.ts';
import { readJson } from '../../platform/http/body.ts';
import type { HttpRefusal } from '../../platform/http/guards.ts';
import { isJson } from '../../platform/http/guards.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import { type PayloadCrypt, PayloadFault } from '../../platform/temporal/payload-codec.ts';
import { isAdmin, type Viewer } from '../../users/user.ts';
import { type CallerCount, countedCaller } from './sign-in.ts';
import type { Serve } from './watched.ts';

const { Payload } = proto.temporal.api.common.v1;

/** Base path for `--codec-endpoint` of Temporal's command line and for its web UI. */
export const CODEC_PATH = '/temporal/codec';

const PAYLOADS_MAX = 10_000;
const PREFLIGHT = {
  methods: 'POST, OPTIONS',
  headers: 'content-type, authorization, x-namespace',
};
const Body = z.object({ payloads: z.array(z.record(z.string(), z.unknown())).max(PAYLOADS_MAX) });

/**
 * Temporal's codec protocol: POST `{payloads}` in JSON to `/encode` or `/decode`. The web UI and the
 * command line show encrypted histories by it. Admins only, since a history holds other users' data.
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
      const payloads = payloadsOf(await readJson(request, INTAKE_BODY_BYTES_MAX));
      log.info('An admin used the payload codec', { operation: work, userId: viewer.userId });
      const done = await codec[work](payloads).catch((error: unknown) => {
        throw error instanceof PayloadFault ? new HttpRefused(unreadable(error)) : error;
      });
      // toJSON of protobufjs writes bytes as base64, as the protocol asks for.
      answerJson(response, 200, {
        payloads: done.map((payload) => Payload.fromObject(payload).toJSON()),
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

function payloadsOf(body: unknown) {
  const parsed = Body.safeParse(body);
  if (!parsed.success) throw new HttpRefused(NOT_PAYLOADS);
  try {
    return parsed.data.payloads.map((payload) => Payload.fromObject(payload));
  } catch {
    throw new HttpRefused(NOT_PAYLOADS);
  }
}

function unreadable({ message }: PayloadFault): HttpRefusal {
  return { status: 400, code: 'BAD_USER_INPUT', message };
}

const NOT_JSON: HttpRefusal = {
  status: 415,
  code: 'BAD_USER_INPUT',
  message: 'POST JSON: Content-Type has to be application/json.',
};
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
const NOT_PAYLOADS: HttpRefusal = {
  status: 400,
  code: 'BAD_USER_INPUT',
  message: `The body is {"payloads": [{"metadata": {"encoding": base64}, "data": base64}]}, at most ${PAYLOADS_MAX} of them.`,
};
