import { Graph as DagreGraph, layout } from '@dagrejs/dagre';
import { type Active, activePath } from './active.ts';
import { type Chunk, type Conversation, plainText } from './conversation.ts';

export interface DagOptions {
  /** Tier of the nodes; default `chunks`. */
  readonly tier?: 'messages' | 'blocks' | 'chunks';
  readonly direction?: 'down' | 'right';
  /** A node's size in the caller's units; default 180 by 40. */
  readonly nodeWidth?: number;
  readonly nodeHeight?: number;
}

export interface DagNode {
  readonly id: string;
  readonly label: string;
  /** A chunk's kind, `block`, or a message's role. */
  readonly kind: string;
  /** Whether it is on the active path. */
  readonly isActive: boolean;
  /** Horizontal position of the centre. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface DagLayout {
  readonly nodes: readonly DagNode[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly points: readonly { readonly x: number; readonly y: number }[];
  }[];
  readonly width: number;
  readonly height: number;
}

/** A node without a position. */
type Unplaced = Pick<DagNode, 'id' | 'label' | 'kind' | 'isActive'>;
interface Picture {
  readonly nodes: readonly Unplaced[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

const LABEL_CHARS_MAX = 40;
/**
 * The best ranking compares every edge with every other. Above this number of nodes the fast one is
 * used.
 */
const TIDY_NODES_MAX = 500;

/** A layered layout of the conversation, parents before children (S1-PROJ-03). Deterministic. */
export function projectDAG(
  conversation: Conversation,
  active: Active,
  { tier = 'chunks', direction = 'down', nodeWidth = 180, nodeHeight = 40 }: DagOptions = {},
): DagLayout {
  const onScreen = new Set(activePath(conversation, active));
  const { nodes, edges } = PICTURES[tier](conversation, onScreen);
  const picture = new DagreGraph();
  picture.setGraph({
    rankdir: direction === 'down' ? 'TB' : 'LR',
    ranker: nodes.length > TIDY_NODES_MAX ? 'longest-path' : 'network-simplex',
  });
  picture.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) picture.setNode(id, { width: nodeWidth, height: nodeHeight });
  for (const { from, to } of edges) picture.setEdge(from, to);
  layout(picture);
  const { width = 0, height = 0 } = picture.graph() as { width?: number; height?: number };
  return {
    nodes: nodes.map((node) => {
      const { x, y } = picture.node(node.id) as { x: number; y: number };
      return { ...node, x, y, width: nodeWidth, height: nodeHeight };
    }),
    edges: edges.map(({ from, to }) => {
      const { points = [] } = picture.edge(from, to) as { points?: { x: number; y: number }[] };
      return { from, to, points: points.map(({ x, y }) => ({ x, y })) };
    }),
    width: Math.max(width, 0),
    height: Math.max(height, 0),
  };
}

const PICTURES: Readonly<
  Record<
    NonNullable<DagOptions['tier']>,
    (conversation: Conversation, onScreen: ReadonlySet<string>) => Picture
  >
> = {
  messages: ({ messages, blocks, chunks }, onScreen) => ({
    nodes: [...messages.values()].map(({ id, role }) => ({
      id,
      kind: role,
      isActive: onScreen.has(id),
      label: labelOfBlock(blocks.get(id)?.chunkIds ?? [], chunks, role),
    })),
    edges: [...messages.values()].flatMap(({ id, parentId }) =>
      parentId === null ? [] : [{ from: parentId, to: id }],
    ),
  }),
  blocks: (conversation, onScreen) => {
    const { blocks, messages, chunks } = conversation;
    const messageOf = messagesByBlock(conversation);
    return {
      nodes: [...blocks.values()].map(({ id, agentId, chunkIds }) => ({
        id,
        kind: 'block',
        isActive: onScreen.has(messageOf.get(id) ?? ''),
        label: labelOfBlock(chunkIds, chunks, agentId ?? id),
      })),
      edges: [...blocks.values()].flatMap(({ id, parentChunkId }) => {
        const caller =
          parentChunkId === null ? messages.get(id)?.parentId : chunks.get(parentChunkId)?.runId;
        return caller == null ? [] : [{ from: caller, to: id }];
      }),
    };
  },
  chunks: (conversation, onScreen) => {
    const { chunks, graph } = conversation;
    const messageOf = messagesByBlock(conversation);
    return {
      nodes: [...chunks.values()].map((chunk) => ({
        id: chunk.id,
        kind: chunk.kind,
        label: labelOf(chunk),
        isActive: onScreen.has(messageOf.get(chunk.runId) ?? ''),
      })),
      // Starts, ends and usage are not shown, so an edge skips them to the next chunks.
      edges: [...chunks.keys()]
        .flatMap((from) => nextChunks(from, conversation).map((to) => ({ from, to })))
        .filter(({ from, to }) => graph.nodes.has(from) && graph.nodes.has(to)),
    };
  },
};

function messagesByBlock({ messages }: Conversation): Map<string, string> {
  return new Map(
    [...messages.values()].flatMap(({ id, blockIds }) =>
      blockIds.map((block) => [block, id] as const),
    ),
  );
}

function nextChunks(from: string, { graph, chunks }: Conversation): string[] {
  const found: string[] = [];
  const pending = [...(graph.edges.get(from) ?? [])].reverse();
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (chunks.has(id)) found.push(id);
    else pending.push(...[...(graph.edges.get(id) ?? [])].reverse());
  }
  return found;
}

function labelOfBlock(
  chunkIds: readonly string[],
  chunks: ReadonlyMap<string, Chunk>,
  otherwise: string,
): string {
  for (const id of chunkIds) {
    const chunk = chunks.get(id);
    if (chunk?.kind === 'text' || chunk?.kind === 'user') return labelOf(chunk);
  }
  return otherwise;
}

function labelOf(chunk: Chunk): string {
  switch (chunk.kind) {
    case 'text':
    case 'reasoning':
      return short(chunk.content);
    case 'user':
      return short(plainText(chunk.content));
    case 'error':
      return short(chunk.message);
    case 'relay':
      return `${chunk.tool}?`;
    case 'tool_progress':
    case 'tool_call':
    case 'tool_result':
      return chunk.name;
  }
}

function short(text: string): string {
  const line = text.slice(0, 200).toWellFormed().replace(/\s+/g, ' ').trim();
  return line.length <= LABEL_CHARS_MAX
    ? line
    : `${line
        .slice(0, LABEL_CHARS_MAX - 1)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trimEnd()}…`;
}
