import {
  type EventRange,
  listEvents,
  rangeOfTime,
} from '../../src/agent-memory/events/event.cypher.ts';
import type { MemoryEvent as MemoryEventModel } from '../../src/agent-memory/events/event.ts';
import { justBefore, tocVersionKey } from '../../src/agent-memory/events/key.ts';
import { expandGrip } from '../../src/agent-memory/grips/expand-grip.service.ts';
import { type ExpandedGrip, findGrips } from '../../src/agent-memory/grips/grip.cypher.ts';
import { type Grip as GripModel, isGripId } from '../../src/agent-memory/grips/grip.ts';
import { findSegmentsOfNodes, readOverlaps } from '../../src/agent-memory/rollup/rollup.cypher.ts';
import { agentOfStore, realmOf, realmOfStore, storeKey } from '../../src/agent-memory/store.ts';
import {
  findTocNodes,
  findTocVersions,
  listTocVersions,
  type StoredTocNode,
  TOC_ROOT,
  type VersionRef,
} from '../../src/agent-memory/toc/toc.cypher.ts';
import {
  levelOf,
  type NodeRef,
  type TocBullet as TocBulletModel,
} from '../../src/agent-memory/toc/toc.ts';
import {
  type BrowsedToc,
  browseToc,
  getTocNode,
  getTocRoot,
  listChildrenPages,
} from '../../src/agent-memory/toc/toc-browse.service.ts';
import { PAGE_MAX } from '../../src/common/limits.ts';
import type { Maybe } from '../../src/common/maybe.ts';
import { EMPTY_PAGE, type Page, type PageArgs } from '../../src/common/page.ts';
import { problem, refuse } from '../../src/common/refusal.ts';
import { builder, enumOf } from '../builder.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { argFields, exposed, nullable, outputFields } from '../fields.ts';
import { loader } from '../loader.ts';
import { globalId, isVersionNumber, joinKey, keyedNode, Node, splitKey } from '../nodes.ts';
import { MemoryEvent, MemoryEventConnection } from './memory-events.ts';

const TocLevel = enumOf('TocLevel', 'Level of a node of the table of contents.', {
  year: 'A year of ISO weeks.',
  month: 'The ISO weeks whose Thursday is in the month.',
  week: 'An ISO week.',
  day: 'A day, in UTC.',
  segment: 'A part of one conversation without a long silence.',
});

// Data of nodes is loaded for all nodes of a request: one statement per kind of data and page.
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

/**
 * A node as it is now, or one version of it. The id of a node leads to its newest version, the id
 * of a version always to that version, so that client caches never mix two versions.
 */
type TocNodeModel = StoredTocNode & { readonly isVersion?: boolean };
const asVersion = (node: StoredTocNode): TocNodeModel => ({ ...node, isVersion: true });

const loadVersion = loader(async (context, refs: readonly VersionRef[]) => {
  const found = await context.graph.read((tx) => findTocVersions(tx, refs));
  const byKey = new Map(
    found.map((node) => [
      `${node.store} ${tocVersionKey(node.nodeId, node.version)}`,
      asVersion(node),
    ]),
  );
  return refs.map(({ store, key }) => byKey.get(`${store} ${key}`) ?? null);
});
const loadVersions = loader(async (context, refs: readonly NodeRef[]) => {
  const lists = await context.graph.read((tx) => listTocVersions(tx, refs, PAGE_MAX));
  return lists.map((versions) => versions.map(asVersion));
});

interface Asked {
  readonly node: StoredTocNode;
  readonly page: PageArgs;
}
/** Groups keys by page, so that one statement serves all keys with the same page. */
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

const loadSegment = loader(async (context, refs: readonly NodeRef[]) => {
  const { segmentOverlapEvents } = await context.settings.current();
  return context.graph.read(async (tx) => {
    const segments = await findSegmentsOfNodes(tx, refs);
    const overlaps = await readOverlaps(tx, segments, segmentOverlapEvents);
    const found = new Map(
      segments.map((segment, index) => {
        const { tokenCount } = segment;
        return [keyOf(segment), { tokenCount, overlapEvents: overlaps[index] ?? [] }] as const;
      }),
    );
    return refs.map((ref) => found.get(keyOf(ref)) ?? null);
  });
});

const Grip = keyedNode<GripModel>('Grip', {
  key: ({ gripId }) => gripId,
  find: (context, gripId) =>
    loadGrip(context, { realm: realmOf(viewerOf(context), context.memoryMode), gripId }),
  isDomainId: isGripId,
});
Grip.implement({
  description: 'Evidence for a line of a summary: an excerpt and the events it was taken from.',
  interfaces: [Node],
  fields: outputFields({
    gripId: ['ID', 'Id of the form grip:<milliseconds>:<suffix>.'],
    excerpt: ['String', 'The words that are the evidence.'],
    eventIdStart: ['ID', 'Id of the first event of the range.'],
    eventIdEnd: ['ID', 'Id of the last event of the range.'],
    occurredAt: ['DateTime', 'Time of the first event.', 'timestamp'],
    source: ['String', 'Job that created it: segment_summarizer, day_rollup, week_rollup, …'],
    tocNodeId: ['ID?', 'Id of the node that it was created for.'],
  }),
});

interface BulletOf extends TocBulletModel {
  readonly realm: string;
}
const TocBullet = builder.objectRef<BulletOf>('TocBullet').implement({
  description: 'A line of a summary, with its evidence.',
  fields: outputFields({
    text: ['String', 'Text of the line. A quotation reads `Name: "sentence"`.'],
    support: [
      'Float',
      "Share of the line's content words that the events of its grips contain, from 0 to 1. " +
        'All of its names and numbers are there. 0 for lines written before lines were ' +
        'checked (S2-GRIP-04).',
    ],
    quotation: ['Boolean', 'Whether the line is word for word in one event.'],
    speakers: [['String'], 'Names of the speakers; empty where they are unknown.'],
    grips: [
      [Grip],
      'Evidence for the line; never empty.',
      async ({ realm, gripIds }, _args, context) => {
        const grips = await Promise.all(
          gripIds.map((gripId) => loadGrip(context, { realm, gripId })),
        );
        return grips.filter((grip) => grip !== null);
      },
    ],
  }),
});

interface TocPlace {
  /** Null: of no agent in particular. */
  readonly agentId: string | null;
  readonly nodeId: string;
  /** Null: the newest. */
  readonly version: number | null;
}

/** The place that the key of a Node id names; null if the key is malformed. */
function placeOfKey(key: string): TocPlace | null {
  const parts = splitKey(key, 3) ?? splitKey(key, 2) ?? [];
  const [agentId, nodeId, version] = parts;
  if (agentId === undefined || nodeId === undefined || levelOf(nodeId) === null) return null;
  if (version !== undefined && !isVersionNumber(version)) return null;
  const agent = agentId === '' ? null : agentId;
  return { agentId: agent, nodeId, version: version === undefined ? null : Number(version) };
}

export const TocNode = keyedNode<TocNodeModel>('TocNode', {
  key: ({ store, nodeId, version, isVersion }) =>
    joinKey(agentOfStore(store) ?? '', nodeId, ...(isVersion === true ? [version] : [])),
  // The realm is the viewer's, whatever the id says.
  find: async (context, key) => {
    const { memoryMode } = context;
    const place = isTocNodeId(key)
      ? { agentId: memoryMode.agentId, nodeId: key, version: null }
      : placeOfKey(key);
    if (place === null) return null;
    const { nodeId, version } = place;
    const store = storeKey(realmOf(viewerOf(context), memoryMode), place.agentId);
    return version === null
      ? loadTocNode(context, { store, nodeId })
      : loadVersion(context, { store, key: tocVersionKey(nodeId, version) });
  },
  // The agent of the id matters too; `atPlace` reads it.
  domainIdOf: (key) => globalId('TocNode', key),
  isDomainId: isTocNodeId,
});

function isTocNodeId(text: string): boolean {
  return levelOf(text) !== null;
}

/**
 * Reads an argument that takes a node by its Node id, or by its nodeId and the agentId.
 * @param context with the agent of a Node id as the agent of the settings
 * @throws Refusal INVALID
 */
function atPlace(
  context: RequestContext,
  [name, text]: readonly [name: string, text: string],
  agentId: Maybe<string>,
) {
  const prefix = globalId('TocNode', '');
  if (!text.startsWith(prefix)) return { context, agentId, nodeId: text, version: null };
  const place = placeOfKey(text.slice(prefix.length));
  refuse([
    ...(place === null ? [problem('INVALID', [name], 'This is no id of a TocNode.')] : []),
    ...(place !== null && agentId != null && agentId !== place.agentId
      ? [problem('INVALID', ['agentId'], `The node of ${name} is of another agent.`)]
      : []),
  ]);
  const memoryMode = { ...context.memoryMode, agentId: place?.agentId ?? null };
  return {
    context: { ...context, memoryMode },
    agentId: null,
    nodeId: place?.nodeId ?? text,
    version: place?.version ?? null,
  };
}

const TocNodeConnection = connectionOf('TocNode', TocNode);
TocNode.implement({
  description:
    'A node of the table of contents: a period of time in a memory. Its id leads to its ' +
    'newest version; the id of a version that was asked for by its number, or in `versions`, ' +
    'always leads to that version.',
  interfaces: [Node],
  fields: (t) => ({
    ...exposed(t, {
      nodeId: ['ID', 'Id of the node, such as toc:day:2024-01-15.'],
      level: [TocLevel, 'Level of the node.'],
      title: ['String', 'Display name.'],
      startsAt: ['DateTime', 'Start of the period.', 'startTime'],
      endsAt: ['DateTime', 'End of the period.', 'endTime'],
      unsummarisedReason: [
        'String?',
        'Why no summary could be made; null unless `unsummarised`.',
        'reason',
      ],
      keywords: [['String'], 'Keywords.'],
      childNodeIds: [['ID'], 'Child nodes when this version was created, in order of time.'],
      version: ['Int', 'Number of the version, from 1. A version is immutable.'],
      createdAt: ['DateTime', 'Creation time of this version.'],
      agentId: [
        'ID?',
        'Id of the agent; null if none is given.',
        ({ store }) => agentOfStore(store),
      ],
      bullets: [
        [TocBullet],
        'Summary of the events, a few lines.',
        ({ store, bullets }) =>
          bullets.map((bullet) => ({ ...bullet, realm: realmOfStore(store) })),
      ],
      provisional: [
        'Boolean',
        'Whether the lines are taken from the parts of the period, which is not over or still ' +
          'changes. A model sums it up afterwards, or when runJob asks for it.',
        ({ state }) => state === 'provisional',
      ],
      unsummarised: [
        'Boolean',
        'Whether no summary could be made in three attempts. The lines are quotations then. A ' +
          'later summary, of the daily memory-audit at the latest, is a new version without the ' +
          'mark.',
        ({ state }) => state === 'unsummarised',
      ],
      parent: [
        nullable(TocNode),
        'Parent node; null for years, and until the parent period is summarized.',
        ({ store, parentId }, _args, context) =>
          parentId === TOC_ROOT ? null : loadTocNode(context, { store, nodeId: parentId }),
      ],
      tokenCount: [
        'Int?',
        'Estimated tokens of the events of a segment, without its overlap (S2-SEG-05); null ' +
          'for other levels and for a segment that is no more.',
        async (node, _args, context) =>
          node.level === 'segment'
            ? ((await loadSegment(context, node))?.tokenCount ?? null)
            : null,
      ],
    }),
    children: t.field({
      type: TocNodeConnection,
      description: 'Child nodes now, in order of time.',
      complexity: pageCost,
      args: pageArgs(t),
      resolve: (node, page, context) => loadChildren(context, { node, page }),
    }),
    versions: t.field({
      type: [TocNode],
      description: `All versions, newest first, at most ${PAGE_MAX}.`,
      complexity: { field: 1, multiplier: 10 },
      resolve: (node, _args, context) => loadVersions(context, node),
    }),
    events: t.field({
      type: MemoryEventConnection,
      description: 'Events of the period, oldest first.',
      complexity: pageCost,
      args: pageArgs(t),
      resolve: (node, page, context) => loadEvents(context, { node, page }),
    }),
    overlapEvents: t.field({
      type: [MemoryEvent],
      description:
        'Last events before a segment in its conversation, oldest first, as many as the ' +
        'setting segmentOverlapEvents says (S2-SEG-04); empty for other levels.',
      complexity: { field: 1, multiplier: 5 },
      resolve: async (node, _args, context) =>
        node.level === 'segment' ? ((await loadSegment(context, node))?.overlapEvents ?? []) : [],
    }),
  }),
});

const BrowseTocPayload = builder.objectRef<BrowsedToc>('BrowseTocPayload').implement({
  description: 'A page of child nodes.',
  fields: (t) => ({
    ...exposed(t, {
      nextToken: ['String?', 'Token for the next page of the same node; null on the last page.'],
      hasMore: ['Boolean', 'Whether there are more pages.'],
    }),
    nodes: t.field({
      type: [TocNode],
      description: 'The nodes, in order of time.',
      complexity: { field: 1, multiplier: 50 },
      resolve: ({ nodes }) => [...nodes],
    }),
  }),
});

const GripContext = builder.objectRef<ExpandedGrip>('GripContext').implement({
  description: 'Evidence for a line, with the events around it.',
  fields: outputFields({
    grip: [Grip, 'The grip.'],
    eventsBefore: [
      [MemoryEvent],
      'Events before the range in the same conversation, oldest first.',
    ],
    excerptEvents: [[MemoryEvent], 'Events of the range, at most 500.'],
    eventsAfter: [[MemoryEvent], 'Events after the range, oldest first.'],
  }),
});

const agent = 'Id of the agent. Default: the agent of the settings.';
builder.queryFields((t) => ({
  tocRoot: t.field({
    type: [TocNode],
    description: 'The years of a memory, in order.',
    args: argFields(t, { agentId: ['ID', agent] }),
    resolve: (_root, { agentId }, context) => getTocRoot(context, viewerOf(context), agentId),
  }),
  tocNode: t.field({
    type: TocNode,
    nullable: true,
    description:
      'A node of the table of contents, current or in a former version; null if it does not exist.',
    args: argFields(t, {
      nodeId: ['ID!', 'Id of the node, such as toc:week:2024-W03.'],
      version: ['Int', 'Number of the version. Default: the latest.'],
      agentId: ['ID', agent],
    }),
    resolve: async (_root, args, given) => {
      const { context, nodeId, agentId, ...place } = atPlace(
        given,
        ['nodeId', args.nodeId],
        args.agentId,
      );
      const version = args.version ?? place.version;
      const wanted = { nodeId, agentId, version };
      const node = await getTocNode(context, viewerOf(context), wanted);
      return node === null || version === null ? node : asVersion(node);
    },
  }),
  browseToc: t.field({
    type: BrowseTocPayload,
    description: 'Child nodes of a node, page by page.',
    args: argFields(t, {
      parentId: ['ID!', 'Id of the node, such as toc:day:2024-01-15.'],
      limit: ['Int', 'Page size, from 1 to 500.', 50],
      token: ['String', 'nextToken of the previous page.'],
      agentId: ['ID', agent],
    }),
    resolve: (_root, args, given) => {
      const { context, nodeId, agentId } = atPlace(
        given,
        ['parentId', args.parentId],
        args.agentId,
      );
      return browseToc(context, viewerOf(context), { ...args, parentId: nodeId, agentId });
    },
  }),
  expandGrip: t.field({
    type: GripContext,
    nullable: true,
    description:
      'The events behind a line, with the events before and after; null for an unknown grip.',
    args: argFields(t, {
      gripId: ['ID!', 'The grip.'],
      eventsBefore: ['Int', 'Number of events before, at most 100.', 3],
      eventsAfter: ['Int', 'Number of events after, at most 100.', 3],
    }),
    resolve: (_root, args, context) => expandGrip(context, viewerOf(context), args),
  }),
}));
