import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  answerJson,
  HttpRefused,
  NOT_SERVED,
  refuse,
  setSafeHeaders,
} from '../platform/http/answer.ts';
import { guardAddresses } from '../platform/http/guards.ts';
import type { Runtime } from './runtime.ts';
import type { RunningServer } from './server.ts';

/**
 * What a process that only runs Workers tells whoever watches it: /health (it is alive), /ready (Neo4j and Temporal answer), /metrics
 * (Prometheus, unless they are off). Null where no `workerPort` is set. @throws when the port is taken
 */
export async function startWorkerHttp(
  runtime: Pick<Runtime, 'config' | 'deps' | 'graph' | 'log' | 'metrics'>,
): Promise<RunningServer | null> {
  const { config, deps, graph, log, metrics } = runtime;
  if (config.workerPort === undefined) return null;
  const host = config.host.replace(/^\[|\]$/g, '');
  const server = createServer((request, response) => void handle(request, response));
  const port = () => (server.address() as AddressInfo | null)?.port ?? config.workerPort ?? 0;
  const mode = config.auth === 'dev' ? 'dev' : 'production';
  const guard = guardAddresses({ mode, host, origins: [], port });

  const routes: Readonly<Record<string, (response: ServerResponse) => Promise<void>>> = {
    '/health': async (response) => answerJson(response, 200, await deps.health()),
    '/ready': async (response) => {
      const { status } = await deps.health();
      answerJson(response, status === 'down' ? 503 : 200, { ready: status !== 'down' });
    },
    '/metrics': async (response) => {
      if (!config.metrics) return refuse(response, NOT_SERVED);
      response.setHeader('content-type', metrics.registry.contentType);
      response.end(await metrics.registry.metrics());
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = deps.newId();
    setSafeHeaders(response, requestId);
    try {
      const refusal = guard.check(request);
      if (refusal !== null) return refuse(response, refusal);
      const path = request.url?.split('?')[0] ?? '/';
      const serve = Object.hasOwn(routes, path) ? routes[path] : undefined;
      if (serve === undefined) return refuse(response, WORKERS_ONLY);
      await serve(response);
    } catch (error) {
      if (error instanceof HttpRefused) return refuse(response, error.refusal);
      log.error('A request failed', { requestId, error });
      const message = `Something went wrong here. It is logged as ${requestId}.`;
      refuse(response, { status: 500, code: 'INTERNAL', message });
    }
  }

  const stopMeasuring = graph.onStatement(({ name, ms }) =>
    metrics.statementEnded({ name, seconds: ms / 1000 }),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.workerPort, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port()}`,
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
