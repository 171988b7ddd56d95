import { entryOf } from '../../common/entry-of.ts';
import type { Json, JsonObject } from '../../common/json.ts';
import { firstChars } from '../../common/well-formed.ts';
import type { Property } from '../events/event-node.ts';

/** An event as input of the layers. If its payload is a blob, `data` has only lifted fields. */
export interface LayerEvent {
  readonly nodeId: string;
  readonly name: string;
  readonly at: string;
  /** Node id of the ToolCall, for lifecycle events of a tool. */
  readonly toolCall: string | null;
  /** Payload over the lifted fields, which are present even if the payload is a blob. */
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
/** An end of an edge: a node of these layers, or one of the raw graph. */
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

/** Functions that add an event to a layer, by the event's name. */
export type LayerHandlers = Readonly<Record<string, (event: LayerEvent) => void>>;

/** The layers of one session while they are derived. */
export interface LayerDraft extends Layers {
  readonly sessionId: string;
  /** Returns the node of this id; the first call creates it. Null properties are left out. */
  add(id: string, label: LayerLabel, props: Record<string, Property | null>): LayerNode;
  /** Returns an Agent or Recipe, which sessions share by its name. */
  shared(label: 'Agent' | 'Recipe', name: string): LayerNode;
  /** Adds an edge; idempotent. */
  link(from: LayerEnd, type: LayerEdgeType, to: LayerEnd): void;
  /** Adds a SOURCED_FROM edge from the node to the event. */
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

/** Distinguishes runs that begin within one millisecond. */
export function runSuffix({ data }: LayerEvent): string {
  const runId = textOf(data, 'run_id');
  return runId === null ? '' : `__${runId}`;
}

export function textOf(data: JsonObject, key: string): string | null {
  const value = entryOf(data, key);
  return typeof value === 'string' && value !== '' ? firstChars(value, TEXT_CHARS_MAX) : null;
}

export function shortText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return firstChars(typeof value === 'string' ? value : JSON.stringify(value), TEXT_CHARS_MAX);
}
