import type { Json, JsonObject } from '../../common/json.ts';
import type { Property } from '../events/lift.ts';

/** An event as the layers are made of it. `data` is empty where the payload lies in the blob store. */
export interface LayerEvent {
  readonly nodeId: string;
  readonly name: string;
  readonly at: string;
  /** The ToolCall's node, for a tool's lifecycle. */
  readonly toolCall: string | null;
  /** Lifted fields first, so that they are there where data is a preview. */
  readonly data: JsonObject;
}

export const LAYER_LABELS = [
  'OrchestratorRun',
  'Iteration',
  'ContentBlock',
  'Prompt',
  'Delegation',
  'Agent',
  'SkillLoad',
  'RecipeRun',
  'RecipeStep',
  'Recipe',
] as const;
export type LayerLabel = (typeof LAYER_LABELS)[number];
export type LayerEdgeType =
  | 'HAS_EXECUTION'
  | 'HAS_PART'
  | 'HAS_TOOL_CALL'
  | 'TRIGGERED'
  | 'SOURCED_FROM'
  | 'HAS_AGENT'
  | 'ENCOMPASSES'
  | 'HAS_SKILL_LOAD'
  | 'HAS_RECIPE_RUN'
  | 'HAS_STEP'
  | 'HAS_RECIPE';

export interface LayerNode {
  readonly id: string;
  readonly label: LayerLabel;
  readonly props: Record<string, Property>;
}
/** Where an edge begins or ends: a node of these layers, or one of the raw graph. */
export interface LayerEnd {
  readonly kind: 'layer' | 'session' | 'call' | 'event';
  readonly id: string;
}
export interface LayerEdge {
  readonly from: LayerEnd;
  readonly type: LayerEdgeType;
  readonly to: LayerEnd;
}
export interface Layers {
  readonly nodes: readonly LayerNode[];
  readonly edges: readonly LayerEdge[];
}

/** What of one event a layer is made of, by the event's name. */
export type LayerHandlers = Readonly<Record<string, (event: LayerEvent) => void>>;

/** The layers of one session while they are made. */
export interface LayerDraft extends Layers {
  readonly sessionId: string;
  /** The node of this id; the first to ask makes it, nulls are left out. */
  add(id: string, label: LayerLabel, props: Record<string, Property | null>): LayerNode;
  /** An Agent or a Recipe, which sessions share by its name. */
  shared(label: 'Agent' | 'Recipe', name: string): LayerNode;
  /** The same edge again is the one that is there. */
  link(from: LayerEnd, type: LayerEdgeType, to: LayerEnd): void;
  /** Says that the node was made of this event. */
  source(node: LayerNode, event: LayerEvent): void;
}

export function createDraft(sessionId: string, sharedBy: string): LayerDraft {
  const nodes = new Map<string, LayerNode>();
  const edges = new Map<string, LayerEdge>();
  const draft: LayerDraft = {
    sessionId,
    get nodes() {
      return [...nodes.values()];
    },
    get edges() {
      return [...edges.values()];
    },
    add(id, label, props) {
      const known = nodes.get(id);
      if (known !== undefined) return known;
      const given = Object.entries(props).filter(([, value]) => value !== null);
      const node = { id, label, props: Object.fromEntries(given) as Record<string, Property> };
      nodes.set(id, node);
      return node;
    },
    shared: (label, name) =>
      draft.add(`${sharedBy}__${label.toLowerCase()}__${name}`, label, { name }),
    link(from, type, to) {
      edges.set(`${from.id}\n${type}\n${to.id}`, { from, type, to });
    },
    source: (node, event) =>
      draft.link(layerEnd(node), 'SOURCED_FROM', { kind: 'event', id: event.nodeId }),
  };
  return draft;
}

export function layerEnd({ id }: LayerNode): LayerEnd {
  return { kind: 'layer', id };
}

const TEXT_CHARS_MAX = 1_000;

export function epochMsOf({ at }: LayerEvent): number {
  return Date.parse(at);
}

/** Tells runs apart that begin within one millisecond. */
export function runSuffix({ data }: LayerEvent): string {
  const runId = textOf(data, 'run_id');
  return runId === null ? '' : `__${runId}`;
}

export function textOf(data: JsonObject, key: string): string | null {
  const value = data[key];
  return typeof value === 'string' && value !== '' ? value.slice(0, TEXT_CHARS_MAX) : null;
}

export function shortText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, TEXT_CHARS_MAX);
}
