import neo4j from 'neo4j-driver';
import { expect, it } from 'vitest';

// src/platform/neo4j/graph.ts sends BEGIN with the first statement and retries soon; a driver without these is slower, and says nothing.
it('the driver has the inner parts that are tuned', async () => {
  const driver = neo4j.driver('bolt://127.0.0.1:1');
  const session = driver.session() as unknown as {
    _configureTransactionExecutor: unknown;
    _transactionExecutor: { _initialRetryDelayMs: unknown };
    close(): Promise<void>;
  };
  expect(session._configureTransactionExecutor).toBeTypeOf('function');
  expect(session._transactionExecutor._initialRetryDelayMs).toBeTypeOf('number');
  await session.close();
  await driver.close();
});
