import { z } from 'zod';
import { jsonText, parseStored } from '../common/stored.ts';
import { Float, type ReadTx, type WriteTx } from '../platform/neo4j/graph.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { readAll } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { type Bucket, INSTALLATION, type Total, type TotalName } from './built-in.ts';

const LOCK_PROGRESS = cypher`
  // lockMetricProgress
  MERGE (c:Counter {name: $progress})
  ON CREATE SET c.value = 0
  SET c.lockedBy = 'metrics'
  WITH c
  RETURN c.value AS seq
`;

const ProgressRow = z.object({ seq: z.int() });

/** Number of the last counted entry. Locks the Counter, so no entry is counted twice. */
export async function lockMetricProgress(tx: WriteTx, progress: string): Promise<number> {
  const [row] = await tx.run(LOCK_PROGRESS, { progress });
  return parseRow(ProgressRow, row, `Counter ${progress}`).seq;
}

// Buckets and progress change in one commit, so a repeated entry is counted once.
const ADD_MEASUREMENTS = cypher`
  // addMeasurements
  CALL () {
    UNWIND $buckets AS b
    MERGE (v:MetricValue {key: b.key})
    ON CREATE SET v = b, v.id = b.key, v.pairs = [], v.at = datetime(b.at)
    ON MATCH SET v.count = v.count + b.count, v.sum = v.sum + b.sum, v.last = b.last,
      v.min = CASE WHEN b.min < v.min THEN b.min ELSE v.min END,
      v.max = CASE WHEN b.max > v.max THEN b.max ELSE v.max END
  }
  CALL () {
    UNWIND $totals AS t
    MERGE (total:MetricTotal {key: t.key})
    ON CREATE SET total = t
    ON MATCH SET total.value = total.value + t.value
  }
  MATCH (c:Counter {name: $progress})
  SET c.value = $seq
`;

export async function addMeasurements(
  tx: WriteTx,
  input: {
    readonly progress: string;
    readonly buckets: readonly Bucket[];
    readonly totals: readonly Total[];
    readonly seq: number;
  },
): Promise<void> {
  const float = (value: number) => new Float(value);
  await tx.run(ADD_MEASUREMENTS, {
    progress: input.progress,
    seq: input.seq,
    buckets: input.buckets.map((bucket) => ({
      ...bucket,
      sum: float(bucket.sum),
      min: float(bucket.min),
      max: float(bucket.max),
      last: float(bucket.last),
    })),
    totals: input.totals.map(({ labels, ...total }) => ({
      ...total,
      labels: JSON.stringify(labels),
      value: float(total.value),
    })),
  });
}

const LIST_TOTALS = cypher`
  // listMetricTotals
  MATCH (t:MetricTotal)
  RETURN t.name AS name, t.labels AS labels, t.value AS value LIMIT 1000
  UNION ALL
  MATCH (w:Worker)
  WITH w.type AS type, w.status AS status, count(*) AS workers
  RETURN 'aiden_installation_workers' AS name, type + ' ' + status AS labels, workers AS value
`;

export interface InstallationNumber {
  readonly name: TotalName | 'aiden_installation_workers';
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NumberRow = z.object({
  name: z.custom<InstallationNumber['name']>((name) => Object.hasOwn(INSTALLATION, String(name))),
  labels: z.string(),
  value: z.number(),
});
const Labels = jsonText(z.record(z.string(), z.string()));

/** Installation-wide numbers for /metrics: a few dozen, without ids. */
export function listInstallationNumbers(tx: ReadTx): Promise<InstallationNumber[]> {
  return readAll(tx, LIST_TOTALS, {}, (row) => {
    const { name, labels: text, value } = parseRow(NumberRow, row, 'MetricTotal');
    const [type = '', status = ''] = text.split(' ');
    const labels =
      name === 'aiden_installation_workers'
        ? { type, status }
        : parseStored(Labels, text, () => `MetricTotal ${name}`);
    return { name, labels, value };
  });
}
