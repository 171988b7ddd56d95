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

/**
 * The condition that a node inside of `*1..n` belongs to the caller, whatever its label. It is
 * short, because the planner spends many seconds on the conditions of all labels. Nodes whose owner
 * an edge tells (Summary, Introspection) are in no such pattern.
 */
export function ownAny(node: string): string {
  return `(coalesce(${node}.ownerId, ${node}.owner_id) = $ownerId OR ${isInGroups(node)})`;
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
  HAS_FACT: [],
  STATED_IN: [],
  ENDED_IN: ['invalid_at', 'expired_at'],
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
