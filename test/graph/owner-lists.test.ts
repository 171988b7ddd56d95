import { afterAll, expect, it } from 'vitest';
import { listCalls } from '../../src/call-graph/call-read.cypher.ts';
import { encodeCursor } from '../../src/common/page.ts';
import { listConversations } from '../../src/conversations/conversation.cypher.ts';
import { findSearchScope } from '../../src/memory-graph/search/search.cypher.ts';
import type { ReadTx } from '../../src/platform/neo4j/graph.ts';
import { listApprovals } from '../../src/runs/control/approval.cypher.ts';
import { listRuns } from '../../src/runs/run/run.cypher.ts';
import { findOpenRunOf, recentRunIds } from '../../src/schedules/schedule.cypher.ts';
import {
  listSessionEvents,
  listSessions,
} from '../../src/session-graph/events/session-lists.cypher.ts';
import type { Viewer } from '../../src/users/user.ts';
import { plainDriver, planOf, readWith, testGraph } from '../testkit/graph.ts';
import { world } from '../testkit/world.ts';

const { ada } = await world();
const graph = testGraph();
const driver = plainDriver();
afterAll(() => Promise.all([graph.close(), driver.close()]));

// A list of own things costs by their number, not by those of all users.
const page = { first: 10 };
/** Far down a list: where the page begins. */
const deep = (...key: (string | number)[]) => ({ first: 10, after: encodeCursor(key) });
const SINCE = '2026-01-01T00:00:00Z';
const narrow = { conversationId: 'x', groupIds: null, allBranches: false };
const wide = { conversationId: null, groupIds: null, allBranches: true };
type List = (tx: ReadTx, viewer: Viewer) => Promise<unknown>;
const LISTS: Record<string, List> = {
  calls: (tx, viewer) => listCalls(tx, viewer, {}, page),
  'calls and those of the product': (tx, viewer) =>
    listCalls(tx, viewer, { includeSystem: true }, page),
  conversations: (tx, { userId }) => listConversations(tx, userId, page),
  runs: (tx, { userId }) => listRuns(tx, userId, {}, page),
  'runs and those of the product': (tx, { userId }) =>
    listRuns(tx, userId, { includeSystem: true }, page),
  approvals: (tx, { userId }) => listApprovals(tx, userId, {}, page),
  sessions: (tx, viewer) => listSessions(tx, viewer, page),
  'sessions and those of the product': (tx, viewer) =>
    listSessions(tx, viewer, { ...page, includeSystem: true }),
  'events of sessions': (tx, viewer) => listSessionEvents(tx, viewer, deep(SINCE, 'x')),
  'what a search may see': (tx, { userId }) => findSearchScope(tx, userId, wide),
  'what a search in one conversation may see': (tx, { userId }) =>
    findSearchScope(tx, userId, narrow),
};

// A page reads only its own rows, at the start of a long list and far down in it.
const PAGES: Record<string, List> = {
  'the newest calls': (tx, viewer) => listCalls(tx, viewer, {}, page),
  'the newest calls with those of the product': (tx, viewer) =>
    listCalls(tx, viewer, { includeSystem: true }, page),
  'calls far down': (tx, viewer) => listCalls(tx, viewer, {}, deep(SINCE, 'x')),
  'the oldest calls': (tx, viewer) => listCalls(tx, viewer, {}, { last: 10 }),
  'the newest conversations': (tx, { userId }) => listConversations(tx, userId, page),
  'conversations far down': (tx, { userId }) => listConversations(tx, userId, deep(SINCE, 'x')),
  'the newest runs': (tx, { userId }) => listRuns(tx, userId, {}, page),
  'the newest runs with those of the product': (tx, { userId }) =>
    listRuns(tx, userId, { includeSystem: true }, page),
  'runs far down': (tx, { userId }) => listRuns(tx, userId, {}, deep('x')),
  'the oldest approvals': (tx, { userId }) => listApprovals(tx, userId, {}, page),
  'the newest runs of a schedule': (tx, { userId }) => recentRunIds(tx, userId, ['x']),
  'the last run of a schedule': (tx) => findOpenRunOf(tx, 'x'),
};

it.for(Object.entries(PAGES))('%s are read in the order of an index', async ([, list]) => {
  const { statements } = await graph.counting(() => readWith(graph, list, ada.viewer));
  expect(statements.length).toBeGreaterThan(0);
  for (const { cypher } of statements) {
    const operators = (await planOf(driver, cypher)).map(({ name }) => name);
    expect(operators.join(' ')).toMatch(/NodeIndexSeek/);
    // A sort would read all rows first.
    expect(operators.filter((name) => /Top|Sort/.test(name))).toEqual([]);
  }
});

it.for(Object.entries(LISTS))(
  'one’s own %s are sought in an index, never among everybody’s',
  async ([, list]) => {
    const { statements } = await graph.counting(() => readWith(graph, list, ada.viewer));
    expect(statements.length).toBeGreaterThan(0);
    for (const { cypher } of statements) {
      const plan = JSON.stringify(await planOf(driver, cypher));
      expect(plan).toMatch(/NodeIndexSeek|NodeUniqueIndexSeek/);
      expect(plan).not.toMatch(/LabelScan|AllNodesScan|NodeIndexScan/);
    }
  },
);
