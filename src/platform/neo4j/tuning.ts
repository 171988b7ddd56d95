import type { Socket } from 'node:net';
import process from 'node:process';
import type { Driver, Session } from 'neo4j-driver';

// What the driver offers to nobody but itself, or to nobody at all. Each part is left out where the driver has changed: then all
// works as before, slower. What each saves is in docs/decisions/0009.

/** What is written to a connection in one turn of the event loop leaves in one system call, instead of one per 1,400 bytes. */
export function tuneDriver(driver: Driver): void {
  const inner = driver as unknown as {
    _getOrCreateConnectionProvider?: () => {
      _createChannelConnection?: (address: unknown) => Promise<OwnConnection>;
    };
  };
  const provider = inner._getOrCreateConnectionProvider?.();
  const create = provider?._createChannelConnection;
  if (provider === undefined || create === undefined) return;
  provider._createChannelConnection = async (address) => {
    const connection = await create(address);
    const socket = connection._ch?._conn;
    if (socket !== undefined) gatherWrites(socket);
    return connection;
  };
}
interface OwnConnection {
  readonly _ch?: { readonly _conn?: Socket };
}

function gatherWrites(socket: Socket): void {
  const write = socket.write.bind(socket) as Socket['write'];
  let isGathering = false;
  const release = () => {
    isGathering = false;
    socket.uncork();
  };
  socket.write = ((...args: Parameters<Socket['write']>) => {
    if (!isGathering) {
      isGathering = true;
      socket.cork();
      // After the promises that are settled by now: BEGIN and the first statements go together.
      process.nextTick(release);
    }
    return write(...args);
  }) as Socket['write'];
}

/**
 * Sends BEGIN together with the first statement, as `driver.executeQuery` does, and so saves each transaction a round trip; tries
 * what met a deadlock again after 20 ms, then 40 and so on, not after one second, for the other one is done by then; and notes no
 * stack for the commit.
 */
export function tuneSession(session: Session): void {
  const inner = session as unknown as {
    _configureTransactionExecutor?: (pipelined: boolean, api: number) => void;
    readonly _transactionExecutor?: { _initialRetryDelayMs?: number };
    _beginTransaction?: (...args: unknown[]) => { commit(): Promise<void> };
  };
  inner._configureTransactionExecutor?.(true, MANAGED_TRANSACTION);
  const { _transactionExecutor: executor } = inner;
  if (executor?._initialRetryDelayMs !== undefined) executor._initialRetryDelayMs = RETRY_MS;
  const begin = inner._beginTransaction;
  if (begin === undefined) return;
  inner._beginTransaction = (...args) => {
    const tx = withoutStack(() => begin.apply(inner, args));
    const commit = tx.commit.bind(tx);
    tx.commit = () => withoutStack(commit);
    return tx;
  };
}
/** What the driver counts managed transactions as. */
const MANAGED_TRANSACTION = 0;
/** After so long, then twice that and so on, what met a deadlock is tried again. */
export const RETRY_MS = 20;

/**
 * The driver notes for every statement and commit where it was asked for, in case it fails, which is a tenth of all the time this
 * process works. Our statements have names.
 */
export function withoutStack<T>(start: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return start();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
