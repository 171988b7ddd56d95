import { INTROSPECTION_GROUP } from '../memory-graph/group.ts';
import { FIELD_LIFTERS } from '../session-graph/events/event-node.ts';
import type { LayerLabel } from '../session-graph/layers/layer.ts';

/** Nodes of one label as a query sees them. */
export interface LabelView {
  /** The label in the database, as a label expression. */
  readonly label: string;
  /**
   * The condition in Cypher that the node belongs to the caller. Uses $ownerId, $workspace, $groups
   * and $realms.
   */
  readonly own: (node: string) => string;
  /** The properties that a query may read; the others are internal. */
  readonly properties: readonly string[];
  /** Those of them that hold long texts. They are cut in answers. */
  readonly texts: readonly string[];
}

type Own = LabelView['own'];

const ofOwner: Own = (n) => `${n}.ownerId = $ownerId`;
const ofSession: Own = (n) => `${n}.owner_id = $ownerId AND ${n}.workspace = $workspace`;
const ofLayer: Own = (n) => `${n}.owner_id = $ownerId AND ${n}.layer_workspace = $workspace`;
const ofGroup: Own = (n) => `${n}.group_id IN $groups`;
const ofGroupOrNote: Own = (n) =>
  `(${n}.group_id IN $groups OR (${n}.group_id = '${INTROSPECTION_GROUP}'
    AND EXISTS { (${n})-[:OWNED_BY]->(:User {id: $ownerId}) }))`;
const ofStore: Own = (n) =>
  `any(realm IN $realms WHERE ${n}.store = realm OR ${n}.store STARTS WITH realm + '#')`;
const ofRealm: Own = (n) => `${n}.realm IN $realms`;
const ofConversation: Own = (n) =>
  `EXISTS { (${n})<-[:HAS_SUMMARY]-(:Conversation {ownerId: $ownerId}) }`;
const ofUser: Own = (n) => `EXISTS { (${n})-[:OWNED_BY]->(:User {id: $ownerId}) }`;

const words = (text: string) => text.split(' ').filter((word) => word !== '');

function view(own: Own, label: string, properties: string, texts = ''): LabelView {
  return { label, own, properties: [...words(properties), ...words(texts)], texts: words(texts) };
}

const layer = (label: LayerLabel, properties: string, texts = '') => ({
  [label]: view(ofLayer, `LayerNode&${label}`, `node_id session_id ${properties}`, texts),
});

const LIFTED = FIELD_LIFTERS.flatMap(({ fields, metadata = [] }) => [...fields, ...metadata]);
const LONG_LIFTED = ['tool_input', 'prompt', 'response_preview', 'description'];
const EVENT = view(
  ofSession,
  'Event',
  `node_id workspace event_name occurred_at ${[...new Set(LIFTED)]
    .filter((field) => !LONG_LIFTED.includes(field))
    .join(' ')}`,
  `data ${LONG_LIFTED.join(' ')}`,
);
const SESSION_PROPERTIES =
  'node_id workspace started_at ended_at resumed_at end_status feed origin';

const VIEWS: Readonly<Record<string, LabelView>> = {
  Session: view(ofSession, 'Session', SESSION_PROPERTIES),
  RootSession: view(ofSession, 'Session&RootSession', SESSION_PROPERTIES),
  ForkedSession: view(ofSession, 'Session&ForkedSession', SESSION_PROPERTIES),
  ToolCall: view(
    ofSession,
    'ToolCall',
    'node_id workspace session_id tool_call_id tool_name parallel_group_id started_at ended_at',
  ),
  Event: EVENT,
  ...layer('OrchestratorRun', 'run_id status started_at ended_at'),
  ...layer('Prompt', 'submitted_at', 'text'),
  ...layer('Iteration', 'number model provider started_at ended_at'),
  ...layer('ContentBlock', 'number type', 'text'),
  ...layer('Delegation', 'agent sub_session_id started_at ended_at'),
  ...layer('Agent', 'name'),
  ...layer('SkillLoad', 'skill_name skill_directory loaded_at'),
  ...layer('RecipeRun', 'recipe_name status total_steps started_at ended_at'),
  ...layer('RecipeStep', 'number step_id iterations started_at', 'description'),
  ...layer('Recipe', 'name'),
  CallGraphNode: view(
    ofOwner,
    'CallGraphNode',
    'id requestId operationId parentRequestId rootRunId status origin startedAt completedAt createdAt updatedAt',
    'input output error',
  ),
  Conversation: view(ofOwner, 'Conversation', 'id title status createdAt updatedAt'),
  ConversationTurn: view(
    ofOwner,
    'ConversationTurn',
    'id conversationId speaker turnType timestamp',
  ),
  Alternative: view(
    ofOwner,
    'Alternative',
    'id turnId conversationId outcome runId respondsToId createdAt saidAt',
    'content parts',
  ),
  Summary: view(ofConversation, 'Summary', 'id compressionLevel tokenCount createdAt deletedAt'),
  Introspection: view(
    ofUser,
    'Introspection',
    'id carouselPosition conversationContext createdAt archivedAt',
  ),
  Entity: view(ofGroup, 'Entity', 'uuid name labels group_id created_at', 'summary'),
  Episodic: view(
    ofGroupOrNote,
    'Episodic',
    'uuid name group_id source source_description entity_edges valid_at created_at',
    'content',
  ),
  Community: view(ofGroup, 'Community', 'uuid name group_id created_at', 'summary'),
  Saga: view(ofGroup, 'Saga', 'uuid name group_id created_at'),
  MemoryEvent: view(
    ofStore,
    'MemoryEvent',
    'eventId sessionId timestampMs arrivedMs eventType role agentId key',
    'text metadata',
  ),
  Segment: view(
    ofStore,
    'Segment',
    'nodeId sessionId startKey endKey startMs endMs tokenCount eventCount',
  ),
  TocNode: view(
    ofStore,
    'TocNode',
    'nodeId parentId level title version startMs endMs gripIds keywords childNodeIds state reason createdMs',
    'bullets',
  ),
  TocLatest: view(
    ofStore,
    'TocLatest',
    'nodeId parentId place version versionKey isEmpty state',
    'words',
  ),
  Grip: view(
    ofRealm,
    'Grip',
    'gripId tocNodeId sessionId eventIdStart eventIdEnd timestampMs source',
    'excerpt',
  ),
};

export const LABELS = Object.keys(VIEWS);

/** Labels of events by their names: `tool:pre` has ToolEvent and ToolPreEvent. */
const EVENT_LABEL = /^[A-Za-z0-9]{1,100}Event$/;

/** The view of a label, or null where queries know no such label. */
export function viewOf(label: string): LabelView | null {
  if (Object.hasOwn(VIEWS, label)) return VIEWS[label] ?? null;
  return EVENT_LABEL.test(label) ? { ...EVENT, label: `Event&${label}` } : null;
}

/**
 * The condition that a node inside of `*1..n` belongs to the caller, whatever its label. It is
 * short, because the planner spends many seconds on the conditions of all labels. Nodes whose owner
 * an edge tells (Summary, Introspection) are in no such pattern.
 */
export function ownAny(node: string): string {
  return `(coalesce(${node}.ownerId, ${node}.owner_id) = $ownerId OR ${ofGroup(node)})`;
}

/** The types of relationships, with the properties that a query may read. */
const RELATIONSHIPS: Readonly<Record<string, readonly string[]>> = {
  HAS_EVENT: [],
  HAS_FORK: [],
  HAS_TOOL_CALL: [],
  HAS_EXECUTION: [],
  HAS_PART: [],
  TRIGGERED: [],
  SOURCED_FROM: [],
  HAS_AGENT: [],
  ENCOMPASSES: [],
  HAS_SKILL_LOAD: [],
  HAS_RECIPE_RUN: [],
  HAS_STEP: [],
  HAS_RECIPE: [],
  CALL_EDGE: ['edgeType', 'createdAt'],
  HAS_TURN: ['sequence'],
  HAS_ALTERNATIVE: ['isActive', 'sequence'],
  CHILD_OF: ['viaAlternative'],
  ON_SCREEN: [],
  RESPONDS_TO: [],
  FORKED_FROM: ['originTurn', 'originAlternative'],
  HAS_CONTENT: ['source', 'createdAt'],
  HAS_SUMMARY: [],
  COVERS_UP_TO: [],
  SUMMARIZES: ['order'],
  REPLACES: [],
  HAS_ACTIVE_ENTITY: ['pinned'],
  RELATES_TO: [
    ...['uuid', 'name', 'fact', 'episodes', 'group_id'],
    ...['created_at', 'valid_at', 'invalid_at', 'expired_at'],
  ],
  MENTIONS: ['uuid', 'created_at'],
  HAS_CHUNK: ['index'],
  NEXT_CHUNK: [],
  HAS_MEMBER: ['uuid', 'created_at'],
  HAS_EPISODE: ['uuid', 'created_at'],
  NEXT_EPISODE: ['uuid', 'created_at'],
  IN_SEGMENT: [],
  SUMMED_UP_IN: [],
  PART_OF: [],
  HAS_VERSION: [],
  PROVEN_BY: [],
  QUOTES: [],
};

export const RELATIONSHIP_TYPES = Object.keys(RELATIONSHIPS);

/** The properties of a type, or null where queries know no such type. */
export function relationshipProperties(type: string): readonly string[] | null {
  return Object.hasOwn(RELATIONSHIPS, type) ? (RELATIONSHIPS[type] ?? null) : null;
}
