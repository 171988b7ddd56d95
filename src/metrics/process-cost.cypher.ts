import { z } from 'zod';
import type { Instant } from '../common/clock.ts';
import type { ReadTx } from '../platform/neo4j/graph.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { isAdmin, type Viewer } from '../users/user.ts';
import { builtInId } from './built-in.ts';
import { ProcessCost } from './process-cost.ts';
import { SERIES_VALUES_MAX } from './series.ts';

// One index seek per metric, and at most one value more than the limit of a series is read.
const VALUES_OF = {
  own: /* cypher */ `
    MATCH (v:MetricValue) USING INDEX SEEK v:MetricValue(metricId, ownerId, at)
    WHERE v.metricId = m.id AND v.ownerId = $viewerId`,
  all: /* cypher */ `
    MATCH (v:MetricValue) USING INDEX SEEK v:MetricValue(metricId, at)
    WHERE v.metricId = m.id`,
} as const;
const list = (whose: keyof typeof VALUES_OF) => cypher`
  // listProcessCosts
  UNWIND $metrics AS m
  CALL (m) {
    ${VALUES_OF[whose]} AND v.at >= datetime($from) AND v.at < datetime($to)
    WITH v LIMIT $valuesMax + 1
    WITH v.entityId AS processId, count(v) AS read,
      sum(CASE WHEN $includeSystem OR v.origin IS NULL THEN v.sum ELSE 0 END) AS sum,
      sum(CASE WHEN $includeSystem OR v.origin IS NULL THEN 1 ELSE 0 END) AS counted
    RETURN collect({processId: processId, sum: sum, counted: counted}) AS sums, sum(read) AS read
  }
  WITH collect({name: m.name, sums: sums}) AS found, max(read) AS read
  RETURN read, COLLECT {
    UNWIND found AS one
    UNWIND one.sums AS part
    WITH one, part WHERE part.counted > 0
    WITH part.processId AS processId,
      sum(CASE one.name WHEN 'runs' THEN part.sum ELSE 0 END) AS runs,
      sum(CASE one.name WHEN 'failedRuns' THEN part.sum ELSE 0 END) AS failedRuns,
      sum(CASE one.name WHEN 'tokens' THEN part.sum ELSE 0 END) AS tokens,
      max(CASE one.name WHEN 'costUsd' THEN part.sum END) AS costUsd
    ORDER BY coalesce(costUsd, 0) DESC, tokens DESC, runs DESC, processId LIMIT $first
    RETURN {processId: processId, runs: runs, failedRuns: failedRuns, tokens: tokens,
      costUsd: costUsd}
  } AS costs
`;
const LIST = { own: list('own'), all: list('all') } as const;

const METRICS = [
  { name: 'runs', id: builtInId('process', 'aiden_calls') },
  { name: 'failedRuns', id: builtInId('process', 'aiden_errors') },
  { name: 'tokens', id: builtInId('process', 'aiden_tokens') },
  { name: 'costUsd', id: builtInId('process', 'aiden_cost_usd') },
];
const CostsRow = z.object({
  read: z.int(),
  costs: z.array(ProcessCost),
});

/**
 * The Processes whose runs cost most, from the viewer's own runs; an admin sees those of all users.
 * Null where more values than SERIES_VALUES_MAX would be read.
 */
export async function listProcessCosts(
  tx: ReadTx,
  viewer: Viewer,
  window: {
    readonly from: Instant;
    readonly to: Instant;
    readonly includeSystem: boolean;
    readonly first: number;
  },
): Promise<ProcessCost[] | null> {
  const [row] = await tx.run(LIST[isAdmin(viewer) ? 'all' : 'own'], {
    ...window,
    metrics: METRICS,
    viewerId: viewer.userId,
    valuesMax: SERIES_VALUES_MAX,
  });
  const { read, costs } = parseRow(CostsRow, row, 'Costs of Processes');
  return read > SERIES_VALUES_MAX ? null : costs;
}
