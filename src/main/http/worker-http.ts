import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NOT_SERVED } from '../../platform/http/answer.ts';
import { guardAddresses } from '../../platform/http/guards.ts';
import type { Runtime } from '../runtime.ts';
import type { RunningServer } from './server.ts';
import { answerGuarded, byPath, listen, metricsAccess, watchedRoutes } from './watched.ts';

/**
 * Serves the monitoring routes of a process that only runs Workers (`watchedRoutes`). Null when
 * `workerPort` is not set.
 * @throws Error when the port is taken
 */
export async function startWorkerHttp(
  runtime: Pick<Runtime, 'config' | 'deps' | 'graph' | 'log' | 'metrics'>,
): Promise<Omit<RunningServer, 'drain'> | null> {
  const { config, deps, graph, log, metrics } = runtime;
  const { workerPort } = config;
  if (workerPort === undefined) return null;
  const host = config.host.replace(/^\[|\]$/g, '');
  const routes = watchedRoutes({
    deps,
    metrics,
    access: metricsAccess(config, 'open'),
    isDraining: () => false,
  });
  const serve = byPath(routes, WORKERS_ONLY);
  const server = createServer(
    (request, response) =>
      void answerGuarded({ guard, log, newId: deps.newId }, request, response, serve),
  );
  const guard = guardAddresses({
    mode: config.auth === 'dev' ? 'dev' : 'production',
    host,
    origins: [],
    port: () => (server.address() as AddressInfo | null)?.port ?? workerPort,
  });
  const stopMeasuring = graph.onStatement(({ name, ms }) =>
    metrics.statementEnded({ name, seconds: ms / 1000 }),
  );
  const url = await listen(server, host, workerPort);
  return {
    url,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      stopMeasuring();
    },
  };
}

const WORKERS_ONLY = {
  ...NOT_SERVED,
  message: 'This process only runs Workers; it serves /health, /ready and /metrics.',
};
