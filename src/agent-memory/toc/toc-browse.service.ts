import type { Maybe } from '../../common/maybe.ts';
import type { Page, PageArgs } from '../../common/page.ts';
import { pageWindow, toPage } from '../../common/page.ts';
import { notFound, problem, Refusal, refuse } from '../../common/refusal.ts';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import type { Viewer } from '../../users/user.ts';
import type { AgentMemoryDeps } from '../events/event-list.service.ts';
import { tocVersionKey } from '../events/key.ts';
import { cursorOf, pageToken } from '../page-token.service.ts';
import { storeOf } from '../store.ts';
import {
  findTocNodes,
  findTocVersions,
  listTocChildren,
  type StoredTocNode,
  TOC_ROOT,
} from './toc.cypher.ts';
import { levelOf, type NodeRef } from './toc.ts';

/** Nodes on one page of browseToc: by default, and at most. */
export const BROWSE_DEFAULT = 50;
export const BROWSE_MAX = 500;
const YEARS_MAX = 500;

/** Lists the years that have events, in order (S2-TOC-08). */
export async function getTocRoot(
  { graph, memoryMode }: AgentMemoryDeps,
  viewer: Viewer,
  agentId: Maybe<string>,
): Promise<StoredTocNode[]> {
  const { key: store } = storeOf(viewer, memoryMode, agentId);
  const root = { store, nodeId: TOC_ROOT };
  const [years] = await graph.read((tx) => listTocChildren(tx, [root], { limit: YEARS_MAX }));
  return years?.rows.map(({ node }) => node) ?? [];
}

/**
 * Finds a node in its latest version, or in a given one; null if there is none (S2-TOC-06,
 * S2-TOC-09).
 * @throws Refusal INVALID
 */
export async function getTocNode(
  { graph, memoryMode }: AgentMemoryDeps,
  viewer: Viewer,
  {
    nodeId,
    version,
    agentId,
  }: { nodeId: string; version?: Maybe<number>; agentId?: Maybe<string> },
): Promise<StoredTocNode | null> {
  refuse([...checkNodeId(nodeId, 'nodeId'), ...checkVersion(version)]);
  const { key: store } = storeOf(viewer, memoryMode, agentId);
  const found = await graph.read((tx) =>
    version == null
      ? findTocNodes(tx, [{ store, nodeId }])
      : findTocVersions(tx, [{ store, key: tocVersionKey(nodeId, version) }]),
  );
  return found[0] ?? null;
}

export interface BrowsedToc {
  readonly nodes: readonly StoredTocNode[];
  /** Token of the next page; null at the end. */
  readonly nextToken: string | null;
  readonly hasMore: boolean;
}

/**
 * Lists the children of a node in order of time (S2-TOC-10). A token is valid for its parent only.
 * @throws Refusal INVALID at `parentId`, `limit` or `token`, NOT_FOUND at `parentId`
 */
export async function browseToc(
  { graph, memoryMode }: AgentMemoryDeps,
  viewer: Viewer,
  input: {
    parentId: string;
    limit?: Maybe<number>;
    token?: Maybe<string>;
    agentId?: Maybe<string>;
  },
): Promise<BrowsedToc> {
  const limit = input.limit ?? BROWSE_DEFAULT;
  const { key: store } = storeOf(viewer, memoryMode, input.agentId);
  const parent: NodeRef = { store, nodeId: input.parentId };
  const after = input.token == null ? '' : cursorOf(input.token, queryOf(parent));
  refuse([
    ...checkNodeId(input.parentId, 'parentId'),
    ...(Number.isInteger(limit) && limit >= 1 && limit <= BROWSE_MAX
      ? []
      : [problem('INVALID', ['limit'], `limit is a whole number from 1 to ${BROWSE_MAX}.`)]),
    ...(after === null
      ? [problem('INVALID', ['token'], 'This token is not of this query; take the one it gave.')]
      : []),
  ]);
  return graph.read(async (tx) => {
    const found = await findTocNodes(tx, [parent]);
    if (found.length === 0) throw new Refusal([notFound('node', ['parentId'])]);
    const page = { after: after ?? '', limit: limit + 1 };
    const [children] = await listTocChildren(tx, [parent], page);
    const rows = children?.rows ?? [];
    const shown = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    const last = shown.at(-1)?.place;
    const nextToken = hasMore && last !== undefined ? pageToken(last, queryOf(parent)) : null;
    return { nodes: shown.map(({ node }) => node), nextToken, hasMore };
  });
}

/** The query that a token of the next page belongs to. */
const queryOf = ({ store, nodeId }: NodeRef) => [store, nodeId];

const ORDER = [{ cypher: 'place', type: 'text', order: 'ascending' }] as const;

/**
 * Lists the same page of the children of several nodes, in their order, by one statement.
 * @throws Refusal INVALID
 */
export async function listChildrenPages(
  tx: ReadTx,
  parents: readonly NodeRef[],
  args: PageArgs,
): Promise<Page<StoredTocNode>[]> {
  const window = pageWindow(args, ORDER);
  const place = window.cursor === null ? undefined : String(window.cursor[0]);
  const ahead = window.direction === 'forward';
  const pages = await listTocChildren(tx, parents, {
    direction: window.direction,
    limit: window.limit + 1,
    ...(place === undefined ? {} : ahead ? { after: place } : { before: place }),
  });
  return pages.map(({ rows, totalCount }) =>
    toPage(
      window,
      rows.map((row) => ({ key: [row.place], item: row.node })),
      totalCount,
    ),
  );
}

const checkNodeId = (nodeId: string, name: string) =>
  levelOf(nodeId) === null
    ? [problem('INVALID', [name], 'A node is named like toc:day:2024-01-15.')]
    : [];

const checkVersion = (version: Maybe<number>) =>
  version == null || (Number.isInteger(version) && version >= 1)
    ? []
    : [problem('INVALID', ['version'], 'Versions count from 1.')];
