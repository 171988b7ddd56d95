import type { ApiDeps } from '../../schema/context.ts';
import {
  type RunningServer,
  type ServerParts,
  type ServerSettings,
  startServer,
} from '../../src/main/http/server.ts';
import './probe-schema.ts';
import { createIdSource } from '../../src/common/id.ts';
import { openBus } from '../../src/outbox/local-bus.service.ts';
import { openHealth } from '../../src/platform/telemetry/health.ts';
import { openLog } from '../../src/platform/telemetry/log.ts';
import { openMetrics } from '../../src/platform/telemetry/metrics.ts';
import { openUserDirectory } from '../../src/users/user-directory.service.ts';
import { testGraph } from './graph.ts';

export interface TestApi extends RunningServer {
  /** Lines the server logged. */
  readonly logged: string[];
}

/**
 * An API of its own in this process, for tests of the server itself (other modes, other limits).
 * Tests of the API itself use the shared app and `client`.
 */
export async function startApi(
  overrides: Partial<ServerSettings> = {},
  onLine: (line: string) => void = () => {},
  parts: Pick<ServerParts, 'codec'> = {},
): Promise<TestApi> {
  const clock = { nowMs: () => Date.now() };
  const newId = createIdSource({ ...clock, random: () => Math.random() });
  const graph = testGraph();
  const health = openHealth(
    { neo4j: () => graph.verify(), temporal: async () => {}, eventBus: async () => {} },
    { version: 'test' },
  );
  const logged: string[] = [];
  const input = {
    write(line: string) {
      logged.push(line);
      onLine(line);
    },
  };
  const log = openLog('info', input);
  // The rooms' own ports (vault, bus, …) are no part of these tests.
  const bus = openBus({ graph });
  const deps = { graph, clock, newId, health, bus, log, wake: () => {} } as ApiDeps;
  const users = openUserDirectory(deps);
  const settings: ServerSettings = {
    host: '127.0.0.1',
    port: 0,
    mode: 'dev',
    auth: { mode: 'dev' },
    origins: [],
    ...overrides,
  };
  const given = { deps, users, log, metrics: openMetrics(), ...parts };
  const server = await startServer(settings, given);
  return {
    ...server,
    logged,
    async stop() {
      await server.stop();
      bus.close();
      await graph.close();
    },
  };
}
