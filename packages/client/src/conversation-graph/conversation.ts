import type { Graph, GraphNode } from './graph.ts';
import type { ContentPart } from './run-event.ts';

/** A piece of content: text, reasoning, a tool call or a tool result (S1-HYPER-01). */
export type Chunk = Exclude<GraphNode, { kind: 'harness_start' | 'harness_end' | 'usage' }>;

/** The chunks of one harness invocation, which is one run. */
export interface Block {
  /** Id of the run. */
  readonly id: string;
  readonly agentId: string | null;
  readonly chunkIds: readonly string[];
  /** The tool call that started this run; null for the message's own run. */
  readonly parentChunkId: string | null;
  readonly status: 'running' | 'ended' | 'failed';
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

/** A turn of the conversation: a user's message, or an agent's whole answer with its sub-runs. */
export interface Message {
  /** Id of its first run. */
  readonly id: string;
  readonly role: 'user' | 'assistant';
  /** Its own run first, then the runs below it in the order of their start. */
  readonly blockIds: readonly string[];
  /** The message that it answers or follows. */
  readonly parentId: string | null;
  /** Its parent node in the graph. A sibling must have the same parent. */
  readonly parentNodeId: string | null;
}

/**
 * Joins several members of one tier to one of the next, or replies to their parent (S1-HYPER-02).
 */
export interface Hyperedge {
  readonly kind: 'chunk_to_block' | 'block_to_message' | 'parent_message';
  readonly from: readonly string[];
  readonly to: string;
}

/** The three tiers over one graph. Immutable: a larger graph gives a new conversation. */
export interface Conversation {
  readonly graph: Graph;
  readonly chunks: ReadonlyMap<string, Chunk>;
  readonly blocks: ReadonlyMap<string, Block>;
  readonly messages: ReadonlyMap<string, Message>;
  readonly hyperedges: readonly Hyperedge[];
  /** Replies by the message that they answer, oldest first; null for messages without a parent. */
  readonly replies: ReadonlyMap<string | null, readonly string[]>;
}

/** A run while its nodes are collected. */
interface Run {
  readonly id: string;
  readonly nodes: GraphNode[];
  readonly parentNodeId: string | null;
}

/** Derives the three tiers from a flat graph (S1-HYPER-01..04), in one pass over its nodes. */
export function toConversation(graph: Graph): Conversation {
  const runs = gatherRuns(graph);
  const chunks = new Map(
    [...graph.nodes].filter((entry): entry is [string, Chunk] => isChunk(entry[1])),
  );
  const blocks = new Map<string, Block>();
  const rootOf = new Map<string, string>();
  const blockIds = new Map<string, string[]>();

  for (const run of runs.values()) {
    const root = messageRoot(run, graph, runs, rootOf);
    blocks.set(run.id, blockOf(run, root));
    addTo(blockIds, root, run.id);
  }
  const messages = new Map<string, Message>();
  const replies = new Map<string | null, string[]>();
  for (const run of runs.values()) {
    if (rootOf.get(run.id) !== run.id) continue;
    const parentNode = run.parentNodeId === null ? undefined : graph.nodes.get(run.parentNodeId);
    const parentId = (parentNode && rootOf.get(parentNode.runId)) ?? null;
    messages.set(run.id, {
      id: run.id,
      role: run.nodes.some(({ kind }) => kind === 'user') ? 'user' : 'assistant',
      blockIds: blockIds.get(run.id) ?? [],
      parentId,
      parentNodeId: run.parentNodeId,
    });
    addTo(replies, parentId, run.id);
  }
  return {
    graph,
    chunks,
    blocks,
    messages,
    replies,
    hyperedges: hyperedgesOf(blocks, messages, replies),
  };
}

function addTo<K>(lists: Map<K, string[]>, key: K, id: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [id]);
  else list.push(id);
}

function gatherRuns(graph: Graph): Map<string, Run> {
  const parents = new Map<string, string>();
  for (const [from, children] of graph.edges) for (const to of children) parents.set(to, from);
  const runs = new Map<string, Run>();
  for (const node of graph.nodes.values()) {
    const run = runs.get(node.runId);
    if (run === undefined) {
      runs.set(node.runId, {
        id: node.runId,
        nodes: [node],
        parentNodeId: parents.get(node.id) ?? null,
      });
    } else run.nodes.push(node);
  }
  return runs;
}

function isChunk(node: GraphNode): node is Chunk {
  return node.kind !== 'harness_start' && node.kind !== 'harness_end' && node.kind !== 'usage';
}

/**
 * A run started by a tool call belongs to the caller's message. Every other run starts a message.
 */
function messageRoot(
  run: Run,
  graph: Graph,
  runs: ReadonlyMap<string, Run>,
  rootOf: Map<string, string>,
): string {
  const trail: Run[] = [];
  let current = run;
  let root = rootOf.get(run.id);
  while (root === undefined) {
    trail.push(current);
    const caller = callerOf(current, graph);
    const next = caller === null ? undefined : runs.get(caller.runId);
    root = next === undefined || trail.includes(next) ? current.id : rootOf.get(next.id);
    if (next !== undefined) current = next;
  }
  for (const { id } of trail) rootOf.set(id, root);
  return root;
}

function callerOf(run: Run, graph: Graph): GraphNode | null {
  const parent = run.parentNodeId === null ? undefined : graph.nodes.get(run.parentNodeId);
  // Relays and progress belong to the caller too, so a run may have one of them as its parent.
  const calls =
    parent?.kind === 'tool_call' || parent?.kind === 'tool_progress' || parent?.kind === 'relay';
  return parent !== undefined && calls && !run.nodes.some(({ kind }) => kind === 'user')
    ? parent
    : null;
}

function blockOf(run: Run, root: string): Block {
  const chunkIds: string[] = [];
  let agentId: string | null = null;
  let status: Block['status'] = 'running';
  let inputTokens = 0;
  let outputTokens = 0;
  for (const node of run.nodes) {
    if (isChunk(node)) chunkIds.push(node.id);
    if (node.kind === 'harness_start') agentId = node.agentId;
    // A user's message is complete on arrival.
    if ((node.kind === 'harness_end' || node.kind === 'user') && status !== 'failed')
      status = 'ended';
    if (node.kind === 'error') status = 'failed';
    if (node.kind === 'usage') {
      inputTokens += node.inputTokens;
      outputTokens += node.outputTokens;
    }
  }
  const parentChunkId = root === run.id ? null : run.parentNodeId;
  return {
    id: run.id,
    agentId,
    chunkIds,
    parentChunkId,
    status,
    usage: { inputTokens, outputTokens },
  };
}

function hyperedgesOf(
  blocks: ReadonlyMap<string, Block>,
  messages: ReadonlyMap<string, Message>,
  replies: ReadonlyMap<string | null, readonly string[]>,
): Hyperedge[] {
  return [
    ...[...blocks.values()].map(
      ({ id, chunkIds }): Hyperedge => ({ kind: 'chunk_to_block', from: chunkIds, to: id }),
    ),
    ...[...messages.values()].map(
      ({ id, blockIds }): Hyperedge => ({ kind: 'block_to_message', from: blockIds, to: id }),
    ),
    ...[...replies].flatMap(([to, from]): Hyperedge[] =>
      to === null ? [] : [{ kind: 'parent_message', from, to }],
    ),
  ];
}

/** Plain text of a user's message. Parts that are not text are omitted. */
export function plainText(content: string | readonly ContentPart[]): string {
  if (typeof content === 'string') return content;
  return content.map(({ text }) => text ?? '').join('');
}
