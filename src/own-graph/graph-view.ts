import { entryOf } from '../common/entry-of.ts';
import { isInGroups, MARKS, READABLE, type Readable } from '../ownership/labels.ts';

/** Nodes of one label as a query sees them. */
export interface LabelView extends Readable {
  /** The label in the database, as a label expression. */
  readonly label: string;
}

export const LABELS = Object.keys(READABLE);

/** Labels of events by their names: `tool:pre` has ToolEvent and ToolPreEvent. */
const EVENT_LABEL = /^[A-Za-z0-9]{1,100}Event$/;

/** The view of a label, or null where queries know no such label. */
export function viewOf(label: string): LabelView | null {
  const known = entryOf(READABLE, label);
  const [base] = known === undefined ? ['Event'] : (entryOf(MARKS, label) ?? []);
  const readable = known ?? (EVENT_LABEL.test(label) ? READABLE['Event'] : undefined);
  if (readable === undefined) return null;
  return { ...readable, label: base === undefined ? label : `${base}&${label}` };
}

/** The names under which nodes of these labels store a property of queries. */
export function storedKeys(labels: readonly string[], key: string): readonly string[] {
  return [...new Set(labels.map((label) => entryOf(viewOf(label)?.stored ?? {}, key) ?? key))];
}

/**
 * The condition that a node inside of `*1..n` belongs to the caller, whatever its label. It is
 * short, because the planner spends many seconds on the conditions of all labels. Nodes whose owner
 * an edge tells (Summary, Introspection) are in no such pattern.
 */
export function ownAny(node: string): string {
  return `(coalesce(${node}.ownerId, ${node}.owner_id) = $ownerId OR ${isInGroups(node)})`;
}

/** A type of relationship: the labels of its two ends, and the properties that a query may read. */
interface RelationshipView {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly properties: readonly string[];
}

const words = (text: string) => text.split(' ').filter((word) => word !== '');
/** @param ends `Session ToolCall > Event` */
const view = (ends: string, properties = ''): RelationshipView => {
  const [from = '', to = ''] = ends.split('>');
  return { from: words(from), to: words(to), properties: words(properties) };
};

const LAYERS = `OrchestratorRun Prompt Iteration ContentBlock Delegation Agent SkillLoad RecipeRun
  RecipeStep Recipe`.replace(/\s+/g, ' ');

const RELATIONSHIPS: Readonly<Record<string, RelationshipView>> = {
  HAS_EVENT: view('Session ToolCall > Event'),
  HAS_FORK: view('Session > Session'),
  HAS_TOOL_CALL: view('Session OrchestratorRun Iteration > ToolCall'),
  HAS_EXECUTION: view('Session > OrchestratorRun'),
  HAS_PART: view('OrchestratorRun Iteration > Iteration ContentBlock'),
  TRIGGERED: view('Prompt ToolCall > OrchestratorRun Delegation'),
  SOURCED_FROM: view(`${LAYERS} > Event`),
  HAS_AGENT: view('Delegation > Agent'),
  ENCOMPASSES: view('Delegation > Session'),
  HAS_SKILL_LOAD: view('Session > SkillLoad'),
  HAS_RECIPE_RUN: view('Session > RecipeRun'),
  HAS_STEP: view('RecipeRun > RecipeStep'),
  HAS_RECIPE: view('RecipeRun > Recipe'),
  CALL_EDGE: view('CallGraphNode > CallGraphNode', 'edgeType createdAt'),
  HAS_TURN: view('Conversation > ConversationTurn', 'sequence'),
  HAS_ALTERNATIVE: view('ConversationTurn > Alternative', 'isActive sequence'),
  CHILD_OF: view('ConversationTurn > ConversationTurn', 'viaAlternative'),
  ON_SCREEN: view('ConversationTurn > ConversationTurn'),
  RESPONDS_TO: view('Alternative > Alternative'),
  FORKED_FROM: view('Conversation > Conversation', 'originTurn originAlternative'),
  HAS_CONTENT: view('Alternative Summary Introspection > Episodic', 'source createdAt'),
  HAS_SUMMARY: view('Conversation > Summary'),
  COVERS_UP_TO: view('Summary > ConversationTurn'),
  SUMMARIZES: view('Summary > Episodic', 'order'),
  REPLACES: view('Introspection > Introspection'),
  HAS_ACTIVE_ENTITY: view('Conversation > Entity', 'pinned relevance addedAt'),
  EXECUTED_BY: view('Alternative > Process', 'createdAt'),
  WRITTEN_BY: view('Alternative > ProcessRun'),
  DEFAULT_PROCESS: view('Conversation > Process', 'since'),
  DEFINES_STEP: view('Process > ProcessStep', 'order'),
  CALLS_TOOL: view('ProcessStep > Tool', 'interactionMode timeout'),
  CALLS_PROCESS: view('ProcessStep > Process', 'interactionMode timeout'),
  DEPENDS_ON: view('ProcessStep > ProcessStep', 'order'),
  USES_SERVICE: view('Tool > Service', 'createdAt'),
  RUN_OF: view('ProcessRun > Process'),
  CHILD_RUN_OF: view('ProcessRun > ProcessRun'),
  HAS_STEP_RUN: view('ProcessRun > StepRun'),
  RELATES_TO: view(
    'Entity > Entity',
    'uuid name fact episodes group_id created_at valid_at invalid_at expired_at',
  ),
  MENTIONS: view('Episodic > Entity', 'uuid created_at'),
  HAS_CHUNK: view('Episodic > Episodic', 'index'),
  NEXT_CHUNK: view('Episodic > Episodic'),
  HAS_FACT: view('Entity > TemporalFact'),
  STATED_IN: view('TemporalFact > Episodic'),
  ENDED_IN: view('TemporalFact > Episodic', 'invalid_at expired_at'),
  HAS_MEMBER: view('Community > Entity', 'uuid created_at'),
  HAS_EPISODE: view('Saga > Episodic', 'uuid created_at'),
  NEXT_EPISODE: view('Episodic > Episodic', 'uuid created_at'),
  IN_SEGMENT: view('MemoryEvent > Segment'),
  SUMMED_UP_IN: view('Segment > TocLatest'),
  PART_OF: view('TocLatest > TocLatest'),
  HAS_VERSION: view('TocLatest > TocNode'),
  PROVEN_BY: view('TocNode > Grip'),
  QUOTES: view('Grip > MemoryEvent'),
};

export const RELATIONSHIP_TYPES = Object.keys(RELATIONSHIPS);

/** The properties of a type, or null where queries know no such type. */
export function relationshipProperties(type: string): readonly string[] | null {
  return entryOf(RELATIONSHIPS, type)?.properties ?? null;
}

/** Which end of a relationship a node is: `from`, where its arrow begins; `either`: no arrow. */
export type End = 'from' | 'to' | 'either';

/**
 * The labels of the nodes that relationships of these types have at this end.
 * @param types empty: of any type
 * @param others the labels of the node at the other end; null: not known
 */
export function labelsAtEnd(
  types: readonly string[],
  end: End,
  others: readonly string[] | null,
): readonly string[] {
  const near = new Set(others?.map(baseOf));
  const labels = (types.length === 0 ? RELATIONSHIP_TYPES : types).flatMap((type) => {
    const known = entryOf(RELATIONSHIPS, type);
    if (known === undefined) return [];
    const isNear = (ends: readonly string[]) =>
      others === null || ends.some((label) => near.has(label));
    return [
      ...(end !== 'from' && isNear(known.from) ? known.to : []),
      ...(end !== 'to' && isNear(known.to) ? known.from : []),
    ];
  });
  return [...new Set(labels)];
}

/** The label that has this one as a mark: Session of RootSession, Event of ToolEvent. */
function baseOf(label: string): string {
  if (!Object.hasOwn(READABLE, label)) return 'Event';
  const [base = label] = entryOf(MARKS, label) ?? [];
  return Object.hasOwn(READABLE, base) ? base : label;
}

/** A label for each node that a query can read. */
export const BASE_LABELS = LABELS.filter((label) => baseOf(label) === label);
