import { afterAll, describe, expect, it } from 'vitest';
import { builtInId } from '../../src/metrics/built-in.ts';
import { findMetricDefinitions } from '../../src/metrics/metric.cypher.ts';
import { metricsProjection } from '../../src/metrics/metrics.projection.ts';
import { seriesOf } from '../../src/metrics/series.ts';
import { summariseSeries } from '../../src/metrics/value.cypher.ts';
import { ENTRY, toEntry } from '../../src/outbox/entry.cypher.ts';
import type { NumberedEntry } from '../../src/outbox/entry.ts';
import { openEngine } from '../testkit/engine.ts';
import { runCypher } from '../testkit/graph.ts';
import { newId } from '../testkit/outbox.ts';
import { openRestServer } from '../testkit/rest-server.ts';
import { echoTool, find, step } from '../testkit/run-steps.ts';
import { world } from '../testkit/world.ts';

const rest = await openRestServer();
const here = await world();
afterAll(() => rest.close());

describe('a run', () => {
  // S4-MVAL-01, S4-WRK-06
  it('is measured by its own entries: per Tool, Service, Process and Worker', async () => {
    const engine = await openEngine({ registered: true, poolSize: 1 });
    const { ada, root } = here;
    try {
      const operation = {
        ...{ type: 'rest_call', method: 'GET', path: '/flaky' },
        query: { key: '{{q}}', fails: '1' },
      };
      const tool = await echoTool(ada, rest.origin, '/flaky', { operation });
      const input = { steps: [step('ask', tool.id, { q: newId() })], outputTemplate: 'done' };
      const process = await engine.createProcess(ada.viewer, input);
      const run = await engine.run(ada.viewer, process);
      expect(run).toMatchObject({ status: 'completed', error: null });
      const { workerId } = find(await engine.steps(ada.viewer, run.id), 'ask');

      const rows = await runCypher(
        engine.graph,
        `MATCH (o:OutboxEntry {runId: $id}) RETURN ${ENTRY} AS entry ORDER BY o.id`,
        {
          id: run.id,
        },
      );
      // The relay may not have numbered the last ones yet.
      const entries = rows.map(({ entry }, index): NumberedEntry => {
        return toEntry({ entry: { ...(entry as object), seq: index + 1 } });
      });
      await metricsProjection(engine, `test-${newId()}`).handle(entries);

      const entities = {
        tool: tool.id,
        service: tool.serviceId,
        process: process.id,
        worker: workerId ?? '',
      } as const;
      const hour = (from: number) => new Date(Date.now() + from * 3_600_000).toISOString();
      const window = { from: hour(-1), to: hour(1) };
      const sum = async (
        scope: keyof typeof entities,
        metric: 'aiden_calls' | 'aiden_errors' | 'aiden_retries' | 'aiden_duration_seconds',
      ) => {
        const summaries = await engine.graph.read(async (tx) => {
          const [definition] = await findMetricDefinitions(tx, [builtInId(scope, metric)]);
          if (definition === undefined) throw new Error(`No ${metric}`);
          const series = seriesOf(definition, entities[scope], {}, window);
          return summariseSeries(tx, (scope === 'worker' ? root : ada).viewer, [series]);
        });
        return summaries[0]?.sum;
      };
      for (const scope of ['tool', 'service', 'worker'] as const) {
        expect(await sum(scope, 'aiden_calls')).toBe(2);
        expect(await sum(scope, 'aiden_errors')).toBe(1);
        expect(await sum(scope, 'aiden_retries')).toBe(1);
      }
      expect(await sum('process', 'aiden_calls')).toBe(1);
      expect(await sum('process', 'aiden_errors')).toBe(0);
      expect(await sum('process', 'aiden_retries')).toBe(1);
      expect(await sum('process', 'aiden_duration_seconds')).toBeGreaterThan(
        Number(await sum('tool', 'aiden_duration_seconds')),
      );
    } finally {
      await engine.close();
    }
  });
});
