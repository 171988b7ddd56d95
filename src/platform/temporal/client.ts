import { readFileSync } from 'node:fs';
import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  isGrpcServiceError,
  makeGrpcRetryInterceptor,
  ServiceError,
} from '@temporalio/client';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { activeTracing } from '../telemetry/tracing.ts';

export interface TemporalSettings {
  /** host:port of the frontend. */
  readonly address: string;
  readonly namespace: string;
  /** TLS without an API key: for a cluster behind TLS. An API key (Temporal Cloud) turns it on by itself. */
  readonly tls?: boolean;
  readonly apiKey?: string;
  /** Client certificates, as files in PEM: how Temporal Cloud knows a namespace without an API key. */
  readonly tlsCertFile?: string;
  readonly tlsKeyFile?: string;
}

export interface TemporalClient {
  readonly client: Client;
  readonly connection: Connection;
  /** Whether the frontend answers and the namespace is there. @throws what is wrong, in words */
  verify(): Promise<{ readonly serverVersion: string }>;
  /** Bounds every call to Temporal inside `work` by 10 s: one that accepts and never answers must not hold a caller. */
  bounded<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const CALL_MS_MAX = 10_000;
const CALL_ATTEMPTS_MAX = 4;

/** What connections of clients and of Workers have in common. */
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

/** A client that connects when it is first used, and again whenever it has to; so nothing fails here. */
export function openTemporal(settings: TemporalSettings): TemporalClient {
  const connection = Connection.lazy({
    ...connectionOptions(settings),
    connectTimeout: '10 seconds',
    // The SDK's own ten attempts hold a caller for 15 s; who has to try longer (the run starter) does so by itself.
    interceptors: [
      makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: CALL_ATTEMPTS_MAX })),
    ],
  });
  const tracing = activeTracing();
  const client = new Client({
    connection,
    namespace: settings.namespace,
    ...(tracing === null ? {} : { interceptors: { workflow: tracing.clientInterceptors } }),
  });
  const bounded = <T>(work: () => Promise<T>) =>
    connection.withDeadline(Date.now() + CALL_MS_MAX, work);
  return {
    client,
    connection,
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

// Of gRPC: DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE.
const AWAY_CODES = [4, 8, 14];

/** Whether Temporal was away or overwhelmed, so that the same call may well succeed later. */
export function isTemporalOutage(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && AWAY_CODES.includes(cause.code);
}
