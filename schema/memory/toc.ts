import {
  type EventRange,
  listEvents,
  rangeOfTime,
} from '../../src/agent-memory/events/event.cypher.ts';
import type { MemoryEvent as MemoryEventModel } from '../../src/agent-memory/events/event.ts';
import { justBefore } from '../../src/agent-memory/events/key.ts';
import { type ExpandedGrip, findGrips } from '../../src/agent-memory/grips/grip.cypher.ts';
import type { Grip as GripModel } from '../../src/agent-memory/grips/grip.ts';
import { agentOfStore, realmOfStore } from '../../src/agent-memory/store.ts';
import { findSegmentsOfNodes } from '../../src/agent-memory/toc/rollup.cypher.ts';
import {
  findTocNodes,
  listTocVersions,
  type NodeRef,
  type StoredTocNode,
  TOC_ROOT,
} from '../../src/agent-memory/toc/toc.cypher.ts';
import type { TocBullet as TocBulletModel } from '../../src/agent-memory/toc/toc.ts';
import {
  type BrowsedToc,
  browseToc,
  expandGrip,
  getTocNode,
  getTocRoot,
  listChildrenPages,
} from '../../src/agent-memory/toc/toc-browse.service.ts';
import { PAGE_MAX } from '../../src/common/limits.ts';
import { EMPTY_PAGE, type Page, type PageArgs } from '../../src/common/page.ts';
import { builder, enumOf } from '../builder.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { loader } from '../loader.ts';
import { MemoryEvent, MemoryEventConnection } from './memory-events.ts';

const TocLevel = enumOf('TocLevel', 'How wide a node of the table of contents is.', {
  year: 'A year of ISO weeks.',
  month: 'The weeks whose Thursday lies in a month.',
  week: 'An ISO week.',
  day: 'A day, in UTC.',
  segment: 'A stretch of one conversation without a long silence.',
});

// What hangs on nodes is loaded for all nodes of a request at once: one statement for each kind of thing and page.
const keyOf = ({ store, nodeId }: NodeRef) => `${store} ${nodeId}`;

const loadGrip = loader(async (context, refs: readonly { realm: string; gripId: string }[]) => {
  const byRealm = Map.groupBy(refs, ({ realm }) => realm);
  const found = new Map<string, GripModel>();
  await context.graph.read(async (tx) => {
    for (const [realm, those] of byRealm)
      for (const grip of await findGrips(tx, realm, [...new Set(those.map((ref) => ref.gripId))]))
        found.set(`${realm} ${grip.gripId}`, grip);
  });
  return refs.map(({ realm, gripId }) => found.get(`${realm} ${gripId}`) ?? null);
});
export const loadTocNode = loader(async (context, refs: readonly NodeRef[]) => {
  const found = await context.graph.read((tx) => findTocNodes(tx, refs));
  const byKey = new Map(found.map((node) => [keyOf(node), node]));
  return refs.map((ref) => byKey.get(keyOf(ref)) ?? null);
});
const loadVersions = loader((context, refs: readonly NodeRef[]) =>
  context.graph.read((tx) => listTocVersions(tx, refs, PAGE_MAX)),
);

interface Asked {
  readonly node: StoredTocNode;
  readonly page: PageArgs;
}
/** The pages of those that ask for the same page, together. */
async function byPage<T>(
  asked: readonly Asked[],
  load: (nodes: readonly StoredTocNode[], page: PageArgs) => Promise<readonly T[]>,
): Promise<T[]> {
  const groups = Map.groupBy(asked, ({ page }) => JSON.stringify(page));
  const answers = new Map<Asked, T>();
  for (const group of groups.values()) {
    const found = await load(
      group.map(({ node }) => node),
      group[0]?.page ?? {},
    );
    group.forEach((one, index) => {
      answers.set(one, found[index] as T);
    });
  }
  return asked.map((one) => answers.get(one) as T);
}
const loadChildren = loader((context, asked: readonly Asked[]) =>
  byPage(asked, (nodes, page) => context.graph.read((tx) => listChildrenPages(tx, nodes, page))),
);
const loadEvents = loader((context, asked: readonly Asked[]) =>
  byPage<Page<MemoryEventModel>>(asked, (nodes, page) =>
    context.graph.read(async (tx) => {
      const segments = nodes.filter(({ level }) => level === 'segment');
      const found = segments.length === 0 ? [] : await findSegmentsOfNodes(tx, segments);
      const ranges = new Map<string, EventRange>(
        found.map(({ store, nodeId, sessionId, startKey, endKey }) => [
          `${store} ${nodeId}`,
          { store, sessionId, afterKey: justBefore(startKey), beforeKey: `${endKey}!` },
        ]),
      );
      for (const { store, nodeId, level, startTime, endTime } of nodes)
        if (level !== 'segment')
          ranges.set(
            `${store} ${nodeId}`,
            rangeOfTime(store, null, Date.parse(startTime), Date.parse(endTime) + 1),
          );
      const pages = new Map<string, Page<MemoryEventModel>>();
      for (const bySession of [true, false]) {
        const some = [...ranges].filter(([, { sessionId }]) => (sessionId !== null) === bySession);
        const listed =
          some.length === 0
            ? []
            : await listEvents(
                tx,
                some.map(([, range]) => range),
                page,
              );
        some.forEach(([key], index) => {
          const one = listed[index];
          if (one !== undefined) pages.set(key, one);
        });
      }
      return nodes.map((node) => pages.get(keyOf(node)) ?? EMPTY_PAGE);
    }),
  ),
);

const Grip = builder.objectRef<GripModel>('Grip').implement({
  description: 'What proves a line: an excerpt and the events it was taken from.',
  fields: (t) => ({
    gripId: t.exposeID('gripId', { description: 'grip:, its time in milliseconds, a suffix.' }),
    excerpt: t.exposeString('excerpt', { description: 'The words that prove the line.' }),
    eventIdStart: t.exposeID('eventIdStart', { description: 'The first event of its range.' }),
    eventIdEnd: t.exposeID('eventIdEnd', { description: 'The last event of its range.' }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'Of its first event.' }),
    source: t.exposeString('source', {
      description: 'What made it: segment_summarizer, day_rollup, week_rollup, …',
    }),
    tocNodeId: t.exposeID('tocNodeId', {
      nullable: true,
      description: 'The node it was made for.',
    }),
  }),
});

interface BulletOf extends TocBulletModel {
  readonly realm: string;
}
const TocBullet = builder.objectRef<BulletOf>('TocBullet').implement({
  description: 'A line of a summary, with what proves it.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'The line.' }),
    grips: t.field({
      type: [Grip],
      description: 'What proves it; never none.',
      resolve: async ({ realm, gripIds }, _args, context) => {
        const grips = await Promise.all(
          gripIds.map((gripId) => loadGrip(context, { realm, gripId })),
        );
        return grips.filter((grip) => grip !== null);
      },
    }),
  }),
});

export const TocNode = builder.objectRef<StoredTocNode>('TocNode');
const TocNodeConnection = connectionOf('TocNode', TocNode);
TocNode.implement({
  description: 'A stretch of time in the table of contents of a memory, in one of its versions.',
  fields: (t) => ({
    nodeId: t.exposeID('nodeId', { description: 'Its name, such as toc:day:2024-01-15.' }),
    agentId: t.id({
      nullable: true,
      description: 'Whose memory it is of; null where no agent is named.',
      resolve: ({ store }) => agentOfStore(store),
    }),
    level: t.expose('level', { type: TocLevel, description: 'How wide it is.' }),
    title: t.exposeString('title', { description: 'Its name for people.' }),
    startTime: t.expose('startTime', { type: 'DateTime', description: 'Its first moment.' }),
    endTime: t.expose('endTime', { type: 'DateTime', description: 'Its last moment.' }),
    bullets: t.field({
      type: [TocBullet],
      description: 'What happened, in a few lines.',
      resolve: ({ store, bullets }) =>
        bullets.map((bullet) => ({ ...bullet, realm: realmOfStore(store) })),
    }),
    keywords: t.stringList({
      description: 'The words that stand out.',
      resolve: ({ keywords }) => [...keywords],
    }),
    childNodeIds: t.idList({
      description: 'What lay below it when this version was made, in the order of time.',
      resolve: ({ childNodeIds }) => [...childNodeIds],
    }),
    children: t.field({
      type: TocNodeConnection,
      description: 'What lies below it now, in the order of time.',
      complexity: pageCost,
      args: pageArgs(t),
      resolve: (node, page, context) => loadChildren(context, { node, page }),
    }),
    parent: t.field({
      type: TocNode,
      nullable: true,
      description: 'The node above; null above years, and until it has been summed up.',
      resolve: ({ store, parentId }, _args, context) =>
        parentId === TOC_ROOT ? null : loadTocNode(context, { store, nodeId: parentId }),
    }),
    version: t.exposeInt('version', { description: 'From 1; a version never changes.' }),
    versions: t.field({
      type: [TocNode],
      description: `All it has been, the newest first; at most ${PAGE_MAX}.`,
      complexity: { field: 1, multiplier: 10 },
      resolve: (node, _args, context) => loadVersions(context, node),
    }),
    events: t.field({
      type: MemoryEventConnection,
      description: 'What happened in it, oldest first.',
      complexity: pageCost,
      args: pageArgs(t),
      resolve: (node, page, context) => loadEvents(context, { node, page }),
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When this version was made.',
    }),
  }),
});

const BrowseTocPayload = builder.objectRef<BrowsedToc>('BrowseTocPayload').implement({
  description: 'A page of what lies below a node.',
  fields: (t) => ({
    nodes: t.field({
      type: [TocNode],
      description: 'The nodes, in the order of time.',
      complexity: { field: 1, multiplier: 50 },
      resolve: ({ nodes }) => [...nodes],
    }),
    nextToken: t.exposeString('nextToken', {
      nullable: true,
      description: 'Hand it back for the next page of the same node; null at the end.',
    }),
    hasMore: t.exposeBoolean('hasMore', { description: 'Whether more follows.' }),
  }),
});

const GripContext = builder.objectRef<ExpandedGrip>('GripContext').implement({
  description: 'What proves a line, with what was said around it.',
  fields: (t) => ({
    grip: t.field({ type: Grip, description: 'The grip.', resolve: ({ grip }) => grip }),
    eventsBefore: t.field({
      type: [MemoryEvent],
      description: 'What was said before in the same conversation, oldest first.',
      resolve: ({ eventsBefore }) => [...eventsBefore],
    }),
    excerptEvents: t.field({
      type: [MemoryEvent],
      description: 'The events of its range; at most 500.',
      resolve: ({ excerptEvents }) => [...excerptEvents],
    }),
    eventsAfter: t.field({
      type: [MemoryEvent],
      description: 'What was said afterwards, oldest first.',
      resolve: ({ eventsAfter }) => [...eventsAfter],
    }),
  }),
});

const agent = 'Of which agent; by default the one of the settings.';
builder.queryFields((t) => ({
  tocRoot: t.field({
    type: [TocNode],
    description: 'The years of a memory, in order.',
    args: { agentId: t.arg.string({ description: agent }) },
    resolve: (_root, { agentId }, context) => getTocRoot(context, viewerOf(context), agentId),
  }),
  tocNode: t.field({
    type: TocNode,
    nullable: true,
    description: 'A stretch of time, as it is or as it was; null where nothing is known of it.',
    args: {
      nodeId: t.arg.id({ required: true, description: 'Such as toc:week:2024-W03.' }),
      version: t.arg.int({ description: 'Which version; by default the latest.' }),
      agentId: t.arg.id({ description: agent }),
    },
    resolve: (_root, args, context) => getTocNode(context, viewerOf(context), args),
  }),
  browseToc: t.field({
    type: BrowseTocPayload,
    description: 'What lies below a node, page by page.',
    args: {
      parentId: t.arg.id({ required: true, description: 'Such as toc:day:2024-01-15.' }),
      limit: t.arg.int({ defaultValue: 50, description: 'How many at once, from 1 to 500.' }),
      token: t.arg.string({ description: 'The nextToken of the page before.' }),
      agentId: t.arg.id({ description: agent }),
    },
    resolve: (_root, args, context) => browseToc(context, viewerOf(context), args),
  }),
  expandGrip: t.field({
    type: GripContext,
    nullable: true,
    description: 'The events behind a line, with some before and after; null for an unknown grip.',
    args: {
      gripId: t.arg.id({ required: true, description: 'The grip.' }),
      eventsBefore: t.arg.int({ defaultValue: 3, description: 'How many before; at most 100.' }),
      eventsAfter: t.arg.int({ defaultValue: 3, description: 'How many after; at most 100.' }),
    },
    resolve: (_root, args, context) => expandGrip(context, viewerOf(context), args),
  }),
}));
