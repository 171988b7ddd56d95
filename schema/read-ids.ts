import {
  defaultFieldResolver,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql';
import { entryOf } from '../src/common/entry-of.ts';
import { type Problem, problem, refuse } from '../src/common/refusal.ts';
import type { RequestContext } from './context.ts';
import { keyOfNodeId } from './nodes.ts';
import { refusedPayload } from './payload.ts';

/**
 * The kind of object that an id names.
 * - `any`: of several kinds, with the same id everywhere.
 * - `text`: no id of an object, or one that another system chose; it stays as it is.
 * - `node`: any Node id (node, nodes).
 */
type Kind = string;

/** By the name of the argument or input field. */
const KIND_BY_NAME: Readonly<Record<string, Kind>> = {
  agentId: 'text',
  alternativeId: 'Alternative',
  callerAccountId: 'User',
  centerEntityUuid: 'Entity',
  conversationId: 'Conversation',
  coversUpToTurnId: 'ConversationTurn',
  defaultProcessId: 'Process',
  dependsOn: 'text',
  entityId: 'any',
  entityUuid: 'Entity',
  eventId: 'MemoryEvent',
  from: 'ConversationTurn',
  fromStepId: 'StepRun',
  gripId: 'Grip',
  id: 'any',
  keepUuid: 'Entity',
  llmToolId: 'Tool',
  mergeUuid: 'Entity',
  metricId: 'MetricDefinition',
  parentAlternativeId: 'Alternative',
  processId: 'Process',
  processIds: 'Process',
  respondsToId: 'Alternative',
  runId: 'ProcessRun',
  sameAsId: 'Alternative',
  secretId: 'Secret',
  serviceId: 'Service',
  serviceTemplateId: 'ServiceTemplate',
  sourceEpisodeIds: 'Episode',
  summaryId: 'any',
  toolId: 'Tool',
  toolTemplateId: 'ToolTemplate',
  turnId: 'ConversationTurn',
  upToTurnId: 'ConversationTurn',
  userId: 'User',
};
/** By the type and the name, where the name alone does not tell. */
const KIND_BY_PLACE: Readonly<Record<string, Kind>> = {
  'EnrichEntityInput.uuid': 'Entity',
  'ForgetEntityInput.uuid': 'Entity',
  'ForgetFactInput.uuid': 'Fact',
  'ForgetInput.uuid': 'any',
  'ForgetStatementInput.uuid': 'Statement',
  // An external system chose it, like the sessionId of events.
  'MemoryEventInput.sessionId': 'text',
  'ProcessStepInput.stepId': 'text',
  'Query.browseToc.parentId': 'TocNode',
  'Query.entity.uuid': 'Entity',
  'Query.episode.uuid': 'Episode',
  'Query.memoryEvents.sessionId': 'text',
  'Query.node.id': 'node',
  'Query.nodes.ids': 'node',
  'Query.session.nodeId': 'Session',
  'Query.statements.about': 'Entity',
  'Query.tocNode.nodeId': 'TocNode',
  'Query.toolCall.nodeId': 'ToolCall',
  'ResolveStepInput.stepId': 'StepRun',
  'SessionEventInput.sessionId': 'Session',
  'SetStepConcurrencyInput.stepId': 'StepRun',
  'TryStepInput.stepId': 'StepRun',
};

/**
 * Lets every ID argument and input field take the Node id of its object (`Entity:<uuid>`) beside
 * the domain id (`<uuid>`), which resolvers get. A Node id of another kind is refused.
 * docs/decisions/0092.
 * @throws Error for an ID of which no kind is known: name it above
 */
export function readIds(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const readers = readersOf(field.args, `${type.name}.${field.name}`);
      if (readers.size > 0) readIdsOf(field, readers, type === schema.getMutationType());
    }
  }
}

/** Reads the ids inside one value; problems are added with their paths. */
type Read = (value: unknown, path: readonly string[], problems: Problem[]) => unknown;

type Resolve = NonNullable<GraphQLField<unknown, RequestContext>['resolve']>;

function readIdsOf(
  field: GraphQLField<unknown, RequestContext>,
  readers: ReadonlyMap<string, Read>,
  isMutation: boolean,
): void {
  const read = (args: Readonly<Record<string, unknown>>) => {
    const problems: Problem[] = [];
    return { args: readFields(args, readers, [], problems), problems };
  };
  const { resolve = defaultFieldResolver, subscribe } = field;
  field.resolve = (root, given, context, info) => {
    if (context.viewer === null) return resolve(root, given, context, info);
    const { args, problems } = read(given);
    if (problems.length > 0 && isMutation) return refusedPayload(field.type, problems);
    refuse(problems);
    return resolve(root, args, context, info);
  };
  if (subscribe === undefined) return;
  const started: Resolve = (root, given, context, info) => {
    const { args, problems } = read(given);
    refuse(problems);
    return subscribe(root, args, context, info);
  };
  field.subscribe = started;
}

function readFields(
  values: Readonly<Record<string, unknown>>,
  readers: ReadonlyMap<string, Read>,
  path: readonly string[],
  problems: Problem[],
): Record<string, unknown> {
  const read = { ...values };
  for (const [name, reader] of readers) {
    const value = entryOf(values, name);
    if (value != null) read[name] = reader(value, [...path, name], problems);
  }
  return read;
}

/** The readers of the fields that hold ids, at any depth. */
function readersOf(
  fields: readonly (GraphQLArgument | GraphQLInputField)[],
  place: string,
  open: readonly string[] = [],
): Map<string, Read> {
  const readers = new Map<string, Read>();
  for (const { name, type } of fields) {
    const reader = readerOf(type, `${place}.${name}`, open);
    if (reader !== null) readers.set(name, reader);
  }
  return readers;
}

/** Null where the type holds no ids. */
function readerOf(type: GraphQLInputType, place: string, open: readonly string[]): Read | null {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const item = readerOf(nullable.ofType, place, open);
    if (item === null) return null;
    return (value, path, problems) =>
      Array.isArray(value)
        ? value.map((one, at) => (one == null ? one : item(one, [...path, String(at)], problems)))
        : value;
  }
  if (isInputObjectType(nullable)) {
    // A type inside itself would be read without an end; none has ids today.
    if (open.includes(nullable.name)) return null;
    const fields = Object.values(nullable.getFields());
    const readers = readersOf(fields, nullable.name, [...open, nullable.name]);
    if (readers.size === 0) return null;
    return (value, path, problems) =>
      readFields(value as Record<string, unknown>, readers, path, problems);
  }
  if (getNamedType(nullable).name !== 'ID') return null;
  const kind = kindAt(place);
  if (kind === 'text' || kind === 'node') return null;
  return (value, path, problems) => readId(String(value), { kind, path }, problems);
}

/** The kind of the ids at a place such as `Query.entity.uuid` or `ForgetFactInput.uuid`. */
export function kindAt(place: string): Kind {
  const name = place.slice(place.lastIndexOf('.') + 1);
  const kind = entryOf(KIND_BY_PLACE, place) ?? entryOf(KIND_BY_NAME, name);
  if (kind === undefined) throw new Error(`schema/read-ids.ts does not know the kind of ${place}.`);
  return kind;
}

function readId(
  text: string,
  { kind, path }: { readonly kind: Kind; readonly path: readonly string[] },
  problems: Problem[],
): string {
  const node = keyOfNodeId(text);
  if (node === null) return text;
  if (node.type === kind) return node.domainId;
  const name = path.findLast((part) => !/^\d+$/.test(part)) ?? 'This';
  const wanted = kind === 'any' ? 'another kind of object' : withArticle(kind);
  const message = `${name} takes the id of ${wanted}; this is the id of ${withArticle(node.type)}.`;
  problems.push(problem('INVALID', path, message));
  return text;
}

function withArticle(noun: string): string {
  return `${/^[AEIO]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
