import { afterAll, expect, it } from 'vitest';
import { listCalls } from '../../src/calls/call-read.cypher.ts';
import { listConversations } from '../../src/conversations/conversation.cypher.ts';
import { findSearchScope } from '../../src/knowledge/search.cypher.ts';
import type { ReadTx } from '../../src/platform/neo4j/graph.ts';
import { inOneParameter } from '../../src/platform/neo4j/one-parameter.ts';
import { listApprovals } from '../../src/runs/approval.cypher.ts';
import { listRuns } from '../../src/runs/run.cypher.ts';
import { listSessions } from '../../src/streams/session-lists.cypher.ts';
import { plainDriver, testGraph } from '../testkit/graph.ts';
import { world } from '../testkit/world.ts';

const graph = testGraph();
const driver = plainDriver();
afterAll(() => Promise.all([graph.close(), driver.close()]));

// What is somebody's own costs what they have, not what everybody has.
const page = { first: 10 };
const wide = { conversationId: null, groupIds: null, allBranches: true };
const LISTS: Record<string, (tx: ReadTx, viewerId: string, workspace: string) => Promise<unknown>> =
  {
    calls: (tx, userId, workspace) =>
      listCalls(tx, { userId, name: 'ada', roles: ['user'], workspace }, {}, page),
    conversations: (tx, userId) => listConversations(tx, userId, page),
    runs: (tx, userId) => listRuns(tx, userId, {}, page),
    approvals: (tx, userId) => listApprovals(tx, userId, {}, page),
    sessions: (tx, userId, workspace) => listSessions(tx, { userId, workspace }, page),
    'what a search may see': (tx, userId) => findSearchScope(tx, userId, wide),
  };

it.for(Object.entries(LISTS))(
  'one’s own %s are sought in an index, never among everybody’s',
  async ([, list]) => {
    const { ada } = await world();
    const { statements } = await graph.counting(() =>
      graph.read((tx) => list(tx, ada.viewer.userId, ada.viewer.workspace)),
    );
    expect(statements.length).toBeGreaterThan(0);
    for (const { cypher } of statements) {
      const { summary } = await driver.executeQuery(`EXPLAIN ${inOneParameter(cypher)}`, { p: {} });
      const plan = JSON.stringify(summary.plan);
      expect(plan).toMatch(/NodeIndexSeek|NodeUniqueIndexSeek/);
      expect(plan).not.toMatch(/LabelScan|AllNodesScan|NodeIndexScan/);
    }
  },
);
