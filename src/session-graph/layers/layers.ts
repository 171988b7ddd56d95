import { entryOf } from '../../common/entry-of.ts';
import { foundationLayer } from './foundation-layer.ts';
import { kernelLayer } from './kernel-layer.ts';
import { createDraft, type LayerEvent, type Layers } from './layer.ts';

/**
 * Derives the kernel and foundation layers of one session from its raw events (S0-LAYER-01).
 * Deterministic: the events are sorted by time, and node ids derive from event ids.
 * docs/raw-session-graph.md describes each node.
 * @param sharedBy the owner's id; prefix of the ids of nodes that sessions share (agents, recipes)
 */
export function deriveLayers(
  sessionId: string,
  sharedBy: string,
  events: readonly LayerEvent[],
): Layers {
  const draft = createDraft(sessionId, sharedBy);
  const handlers = { ...kernelLayer(draft), ...foundationLayer(draft) };
  for (const event of [...events].sort(byTime)) entryOf(handlers, event.name)?.(event);
  return { nodes: draft.nodes, edges: draft.edges };
}

/** Names of the events that `deriveLayers` reads; it ignores all others. */
export const LAYER_EVENT_NAMES = [
  'execution:start',
  'execution:end',
  'orchestrator:complete',
  'prompt:submit',
  'provider:request',
  'llm:request',
  'llm:response',
  'tool:pre',
  'delegate:start',
  'delegate:agent_spawned',
  'delegate:complete',
  'skill:load',
  'recipe:start',
  'recipe:step',
  'recipe:loop_iteration',
  'recipe:complete',
] as const;

// Within one millisecond the start of a run or recipe sorts before the events inside it.
const RANK: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'execution:start',
    'recipe:start',
    'prompt:submit',
    'recipe:step',
    'provider:request',
    'llm:request',
  ].map((name, rank) => [name, rank - 10]),
);
const LAST = ['recipe:complete', 'execution:end', 'orchestrator:complete'];

function byTime(left: LayerEvent, right: LayerEvent): number {
  if (left.at !== right.at) return left.at < right.at ? -1 : 1;
  const rank = rankOf(left) - rankOf(right);
  if (rank !== 0) return rank;
  return left.nodeId < right.nodeId ? -1 : left.nodeId > right.nodeId ? 1 : 0;
}

const rankOf = ({ name }: LayerEvent): number => entryOf(RANK, name) ?? LAST.indexOf(name) + 1;
