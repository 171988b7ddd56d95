import { setTimeout } from 'node:timers/promises';
import { isGrpcServiceError } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { TemporalClient } from './client.ts';

/** The custom search attributes of an installation, registered in its Temporal namespace. */
export interface SearchAttributes {
  /** Whether workflows may be started with them. */
  isReady(): boolean;
  close(): Promise<void>;
}

const AGAIN_AFTER_MS = 30_000;

/**
 * Registers search attributes of the type Keyword in the background, and repeats it until Temporal
 * has them. Where clients may not register any (Temporal Cloud), the operator adds them to the
 * namespace. `onMissing` gets the reason of a failure when it differs from the last one.
 */
export function openSearchAttributes(
  temporal: Pick<TemporalClient, 'client' | 'connection' | 'bounded'>,
  names: readonly string[],
  onMissing: (reason: string) => void,
): SearchAttributes {
  const closing = new AbortController();
  const { signal } = closing;
  let ready = false;
  let lastReason = '';
  const register = async () => {
    while (!ready && !signal.aborted) {
      try {
        await temporal.bounded(() => registerMissing(temporal, names));
        ready = true;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (reason !== lastReason && !signal.aborted) onMissing(reason);
        lastReason = reason;
        await setTimeout(AGAIN_AFTER_MS, undefined, { signal, ref: false }).catch(() => {});
      }
    }
  };
  const registering = register();
  return {
    isReady: () => ready,
    async close() {
      closing.abort();
      await registering;
    },
  };
}

async function registerMissing(
  { client, connection }: Pick<TemporalClient, 'client' | 'connection'>,
  names: readonly string[],
): Promise<void> {
  const { namespace } = client.options;
  const missing = async () => {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({
      namespace,
    });
    return names.filter((name) => !Object.hasOwn(customAttributes ?? {}, name));
  };
  const wanted = await missing();
  if (wanted.length === 0) return;
  const KEYWORD = proto.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(wanted.map((name) => [name, KEYWORD])),
    });
  } catch (error) {
    // Another process may have registered them at the same time.
    if ((await missing()).length > 0) throw error;
  }
}

const INVALID_ARGUMENT = 3;

/**
 * Whether Temporal refused a workflow because of a search attribute. Servers learn of a new one
 * some seconds after its registration.
 */
export function isUnknownSearchAttribute(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return (
    isGrpcServiceError(cause) &&
    cause.code === INVALID_ARGUMENT &&
    // The connection of the Workers puts it into the message.
    /search attribute/i.test(`${cause.details} ${cause.message}`)
  );
}
