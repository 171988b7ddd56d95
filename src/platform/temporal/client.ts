import { readFileSync } from 'node:fs';
import {
  Client,
  Connection,
  type ConnectionLike,
  defaultGrpcRetryOptions,
  isGrpcServiceError,
  makeGrpcRetryInterceptor,
  ServiceError,
} from '@temporalio/client';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { activeTracing } from '../telemetry/tracing.ts';
import { dataConverterOf, type PayloadCrypt } from './payload-codec.ts';
import { writeWellFormedTexts } from './well-formed-writer.ts';

export interface TemporalSettings {
  /** host:port of the Temporal frontend. */
  readonly address: string;
  readonly namespace: string;
  /** Use TLS without an API key. An API key (Temporal Cloud) turns TLS on by itself. */
  readonly tls?: boolean;
  readonly apiKey?: string;
  /** Client certificate files in PEM: Temporal Cloud's authentication without an API key. */
  readonly tlsCertFile?: string;
  readonly tlsKeyFile?: string;
  /** Encrypts payloads; absent: they are plain. */
  readonly codec?: PayloadCrypt;
}

export interface TemporalClient {
  readonly client: Client;
  readonly connection: Connection;
  /** As in the settings. */
  readonly codec: PayloadCrypt | undefined;
  /**
   * Checks that the frontend answers and the namespace exists.
   * @throws Error that states the problem
   */
  verify(): Promise<{ readonly serverVersion: string }>;
  /**
   * Limits every call to Temporal inside `work` to 10 s, so that a server that never answers does
   * not block a caller.
   */
  bounded<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Limit of a call to Temporal. */
export const CALL_MS_MAX = 10_000;
const CALL_ATTEMPTS_MAX = 4;

/** Connection options of both clients and Workers. */
export function connectionOptions(
  settings: TemporalSettings,
): Pick<NativeConnectionOptions, 'address' | 'tls'> & { readonly apiKey?: string } {
  const { address, tls = false, apiKey, tlsCertFile, tlsKeyFile } = settings;
  const pair =
    tlsCertFile === undefined || tlsKeyFile === undefined
      ? null
      : { crt: readFileSync(tlsCertFile), key: readFileSync(tlsKeyFile) };
  const isSecure = tls || apiKey !== undefined || pair !== null;
  return {
    address,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(isSecure ? { tls: pair === null ? true : { clientCertPair: pair } } : {}),
  };
}

/** A client on this connection, with the codec and the tracing of all others. */
export function clientOn(
  connection: ConnectionLike,
  settings: Pick<TemporalSettings, 'namespace' | 'codec'>,
): Client {
  const tracing = activeTracing();
  return new Client({
    connection,
    namespace: settings.namespace,
    dataConverter: dataConverterOf(settings.codec),
    ...(tracing === null ? {} : { interceptors: { workflow: tracing.clientInterceptors } }),
  });
}

/** Opens a client that connects on first use and reconnects when needed. It never fails here. */
export function openTemporal(settings: TemporalSettings): TemporalClient {
  writeWellFormedTexts();
  const connection = Connection.lazy({
    ...connectionOptions(settings),
    connectTimeout: '10 seconds',
    // The SDK's ten attempts would block a caller for 15 s. The run starter retries by itself.
    interceptors: [
      makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: CALL_ATTEMPTS_MAX })),
    ],
  });
  const client = clientOn(connection, settings);
  const bounded = <T>(work: () => Promise<T>) =>
    connection.withDeadline(Date.now() + CALL_MS_MAX, work);
  return {
    client,
    connection,
    codec: settings.codec,
    bounded,
    verify() {
      return bounded(async () => {
        const { serverVersion } = await connection.workflowService.getSystemInfo({});
        await connection.workflowService.describeNamespace({ namespace: settings.namespace });
        return { serverVersion: serverVersion ?? 'unknown' };
      });
    },
    close: () => connection.close(),
  };
}

// gRPC codes DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED and UNAVAILABLE.
const AWAY_CODES = [4, 8, 14];

/** Whether Temporal was unreachable or overloaded, so that a retry may succeed. */
export function isTemporalOutage(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && AWAY_CODES.includes(cause.code);
}

/**
 * Whether Temporal itself was away. The core of the Workers reports it as text:
 * `Status { code: Unavailable, … }`.
 */
export function isTemporalAway(error: unknown): boolean {
  if (typeof error === 'string') return CORE_AWAY.test(error);
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && (cause.code === 4 || cause.code === 14);
}

const CORE_AWAY = /code: (Unavailable|DeadlineExceeded)|transport error|Connection refused/i;
