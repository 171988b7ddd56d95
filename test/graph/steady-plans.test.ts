import { afterAll, expect, it } from 'vitest';
import { listUnembedded } from '../../src/memory-graph/embeddings/embedding.cypher.ts';
import { lookAtOutbox } from '../../src/outbox/entry.cypher.ts';
import { numberEntries } from '../../src/outbox/relay.cypher.ts';
import { listPendingStarts } from '../../src/runs/start/start.cypher.ts';
import { listStaleSessions } from '../../src/session-graph/layers/layers.cypher.ts';
import { plainDriver, planOf, readWith, testGraph, writeWith } from '../testkit/graph.ts';

const graph = testGraph();
const driver = plainDriver();
afterAll(() => Promise.all([graph.close(), driver.close()]));

// docs/decisions/0011: transient labels are looked for by a plan that stays, so it is the right
// one from the start.
const nobody = { name: 'nobody', holder: 'nobody', epoch: 0 };
const now = '2026-01-01T00:00:00Z';
const LOOKS: Record<string, [within: RegExp, look: () => Promise<unknown>]> = {
  'the entries to be numbered': [
    /^Limit\nNodeIndexSeekByRange o:PendingEntry\(id\)/m,
    () => writeWith(graph, numberEntries, nobody, { ttlMs: 0, limit: 1 }),
  ],
  'whether entries wait': [/NodeByLabelScan/, () => readWith(graph, lookAtOutbox)],
  'runs to be started': [
    /^Limit\nNodeIndexSeekByRange run:PendingStart\(id\)/m,
    () => readWith(graph, listPendingStarts, { afterId: '', limit: 1 }),
  ],
  'what has no vector': [/NodeByLabelScan/, () => readWith(graph, listUnembedded, 1)],
  'sessions whose layers are behind': [
    /^Limit\nFilter\nProjection\nNodeIndexSeekByRange s:Session\(layers_stale_since\)/m,
    () => readWith(graph, listStaleSessions, { now, limit: 1, rest: { minMs: 0, factor: 0 } }),
  ],
};

it.for(Object.entries(LOOKS))(
  '%s: found by a plan that is made once, in the order of an index or among those alone',
  async ([, [within, look]]) => {
    const { statements } = await graph.counting(look);
    expect(statements).toHaveLength(1);
    for (const { cypher } of statements) {
      expect(cypher.trim()).toMatch(/^CYPHER replan=skip\s/);
      // Each with the index it seeks in.
      const plan = (await planOf(driver, cypher)).map(({ name, details }) =>
        [name, ...(/\w+:\w+\(\w+\)/.exec(details) ?? [])].join(' '),
      );
      expect(plan.join('\n')).toMatch(within);
    }
  },
);
