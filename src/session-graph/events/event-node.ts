import type { Json } from '../../common/json.ts';
import { objectIn, type RawEvent } from './raw-event.ts';

/**
 * The labels of an Event: base, category and name (S0-LABEL-01), derived from the name alone. A
 * name without a colon is its own category, which makes two labels.
 */
export function eventLabels(name: string): string[] {
  const colon = name.lastIndexOf(':');
  const category = `${pascal(colon === -1 ? name : name.slice(0, colon))}Event`;
  return [...new Set(['Event', category, `${pascal(name)}Event`])];
}

/** Names of the specification (S0-LABEL-03 to -08). Their labels are no matter of limits. */
const KNOWN_NAMES = [
  ...['session:start', 'session:fork', 'session:end', 'session:resume'],
  ...['execution:start', 'execution:end', 'orchestrator:complete'],
  ...['prompt:submit', 'prompt:complete', 'provider:request', 'provider:response'],
  ...['llm:request', 'llm:response', 'tool:pre', 'tool:post', 'tool:error'],
  ...['delegate:start', 'delegate:agent_spawned', 'delegate:complete'],
  ...['recipe:start', 'recipe:step', 'recipe:complete', 'recipe:loop_iteration', 'skill:load'],
];
export const KNOWN_LABELS: ReadonlySet<string> = new Set(KNOWN_NAMES.flatMap(eventLabels));

/** A text that `eventLabels` can return; a filter by any other text is refused. */
export const LABEL = /^[A-Za-z0-9]{1,140}$/;

function pascal(text: string): string {
  return text
    .split(/[:_.-]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

/** Exposes fields of `data` as properties of the Event node. `pattern` is `*`, or `prefix:*`. */
export interface FieldLifter {
  readonly pattern: string;
  readonly fields: readonly string[];
  /** Fields taken from the object `metadata` inside `data`. */
  readonly metadata?: readonly string[];
}

/** S0-LIFT-02…08. The universal lifter comes first, so that specific ones can override it. */
export const FIELD_LIFTERS: readonly FieldLifter[] = [
  { pattern: '*', fields: ['session_id', 'parent_id'] },
  { pattern: 'tool:*', fields: ['tool_name', 'tool_input', 'tool_call_id', 'parallel_group_id'] },
  { pattern: 'llm:*', fields: ['model', 'provider'] },
  {
    pattern: 'delegate:*',
    fields: ['agent', 'sub_session_id', 'parent_session_id', 'tool_call_id', 'parallel_group_id'],
  },
  { pattern: 'prompt:*', fields: ['prompt', 'response_preview'] },
  {
    pattern: 'recipe:*',
    fields: ['recipe_name', 'current_step', 'description', 'status', 'step_id', 'total_steps'],
  },
  {
    pattern: 'session:*',
    fields: ['parent'],
    metadata: [
      'agent_name',
      'tool_call_id',
      'parallel_group_id',
      'recipe_name',
      'recipe_step',
      'recipe_step_index',
    ],
  },
  { pattern: 'skill:*', fields: ['skill_directory', 'skill_name'] },
  { pattern: 'artifact:*', fields: ['bytes', 'path'] },
];

/** Neo4j properties hold no maps, so objects and lists are stored as JSON text. */
export type Property = string | number | boolean;

/**
 * Lifts fields of the payload to properties, by every lifter that matches the name. Null and
 * missing fields are skipped (S0-LIFT-01, S0-LIFT-09). `session_id` is always the session of the
 * event, even if the payload names another.
 */
export function liftFields({
  name,
  sessionId,
  data,
}: Pick<RawEvent, 'name' | 'sessionId' | 'data'>): Record<string, Property> {
  const lifted: Record<string, Property> = {};
  const lift = (key: string, value: Json | undefined) => {
    if (value === null || value === undefined) return;
    lifted[key] = typeof value === 'object' ? JSON.stringify(value) : value;
  };
  for (const { pattern, fields, metadata = [] } of FIELD_LIFTERS) {
    if (!matchesPattern(pattern, name)) continue;
    for (const key of fields) lift(key, ownValue(data, key));
    const nested = objectIn(data, 'metadata');
    for (const key of metadata) lift(key, ownValue(nested, key));
  }
  return { ...lifted, session_id: sessionId };
}

export function matchesPattern(pattern: string, name: string): boolean {
  return pattern === '*' || name.startsWith(pattern.slice(0, -1));
}

const ownValue = (object: Readonly<Record<string, Json>>, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;
