import { INTROSPECTION_GROUP } from '../memory-graph/group.ts';
import { FIELD_LIFTERS } from '../session-graph/events/event-node.ts';
import { LAYER_LABELS, type LayerLabel } from '../session-graph/layers/layer.ts';
import type { NumberSetting } from '../settings/settings.ts';

/** How the records of one user are found. `present`: properties that the index needs, too. */
export type OwnerRule =
  /** By the edge OWNED_BY. */
  | { readonly by: 'edge' }
  /** By a property that holds the user's id, or the name of the user's group of memories. */
  | ({ readonly by: 'property'; readonly key: string; readonly holds: 'user' | 'group' } & Present)
  /** By a property that begins with the user's id. */
  | ({ readonly by: 'prefix'; readonly key: string } & Present)
  /** By `owner_id`, in each workspace of the user. */
  | ({ readonly by: 'session' } & Present)
  /** By `group_id`, which is a conversation or the user's group; or by the edge OWNED_BY. */
  | { readonly by: 'group' }
  /** By an edge from a record that is found. */
  | { readonly by: 'part'; readonly of: string; readonly edge: string }
  /** By a property of a record that is found. */
  | { readonly by: 'same'; readonly of: string; readonly key: string }
  /** Records that several users share: they are of the user where no other user has them. */
  | { readonly by: 'sharing'; readonly through: 'runs' | 'calls' };
interface Present {
  readonly present: readonly string[];
}

/** The setting with the days after which records are deleted, or another rule. */
export type Expiry = NumberSetting | 'retentionDays of the metric' | '31 days';

/** Records of users that are found in one way. */
export interface RecordRow {
  /** Names the records in an export, and in the progress of a deletion. */
  readonly kind: string;
  readonly label: string;
  readonly owner: OwnerRule;
  /** Queues, derived numbers and records of other users are in no export. */
  readonly isInternal?: boolean;
  /** Absent: as the record that it is a part of, else it stays until its user is deleted. */
  readonly expires?: readonly Expiry[];
}

const EDGE: OwnerRule = { by: 'edge' };
const GROUP: OwnerRule = { by: 'group' };
const MEMORY: OwnerRule = { by: 'property', key: 'owner', holds: 'group', present: [] };
const byUser = (key: string, ...present: string[]): OwnerRule => ({
  ...{ by: 'property', key, holds: 'user', present },
});
const prefix = (key: string, ...present: string[]): OwnerRule => ({ by: 'prefix', key, present });
const session = (...present: string[]): OwnerRule => ({ by: 'session', present });
const part = (of: string, edge: string): OwnerRule => ({ by: 'part', of, edge });
const same = (of: string, key: string): OwnerRule => ({ by: 'same', of, key });
const sharing = (through: 'runs' | 'calls'): OwnerRule => ({ by: 'sharing', through });

type More = Omit<RecordRow, 'kind' | 'label' | 'owner'>;
const INTERNAL: More = { isInternal: true };
const expires = (...expiry: Expiry[]): More => ({ expires: expiry });
const RUN = expires('runRetentionDays', 'systemRunRetentionDays');
const RECORDING = expires('sessionRetentionDays', 'systemRunRetentionDays');
const AGENT_MEMORY = expires('memoryRetentionDays');

const row = (kind: string, label: string, owner: OwnerRule, more: More = {}): RecordRow => ({
  ...{ kind, label, owner, ...more },
});

/**
 * Labels of users' records, in the order of deletion: a part stands before the record that it is
 * found by.
 */
export const RECORDS: readonly RecordRow[] = [
  row('approvals', 'Approval', part('ProcessRun', '-[:HAS_APPROVAL]->')),
  row('steps', 'StepRun', part('ProcessRun', '-[:HAS_STEP_RUN]->')),
  row('snapshots', 'RunSnapshot', sharing('runs'), { ...RUN, ...INTERNAL }),
  row('tasks', 'MemoryTask', part('Conversation', '<-[:TASK_OF]-'), RUN),
  row('runs', 'ProcessRun', EDGE, RUN),
  row('schedules', 'ProcessSchedule', EDGE),
  row('episodeIngests', 'EpisodeIngest', part('Episodic', '<-[:INGEST_OF]-'), INTERNAL),
  row('episodeStretches', 'EpisodeStretch', MEMORY),
  row('episodeTexts', 'EpisodeText', MEMORY),
  row('episodeTextsOfEpisodes', 'EpisodeText', part('Episodic', '<-[:TEXT_OF]-')),
  row('episodeChunks', 'EpisodeChunk', part('Episodic', '-[:HAS_CHUNK]->')),
  row('episodes', 'Episodic', GROUP),
  row('communities', 'Community', GROUP),
  row('sagas', 'Saga', GROUP),
  row('statements', 'TemporalFact', MEMORY),
  row('factRevisions', 'FactRevision', same('FactRef', 'edgeUuid')),
  row('factRefs', 'FactRef', MEMORY),
  row('entitySummaries', 'EntitySummary', part('EntityProfile', '-[:HAS_ENTITY_SUMMARY]->')),
  row('entitySources', 'EntitySource', part('EntityProfile', '-[:HAS_SOURCE]->')),
  row('mergeRecords', 'MergeRecord', part('Entity', '<-[:MERGED_INTO]-')),
  row('entities', 'Entity', part('EntityProfile', '<-[:HAS_PROFILE]-')),
  row('entityProfiles', 'EntityProfile', MEMORY),
  row('forgottenMemories', 'ForgottenMemory', MEMORY),
  row('summaries', 'Summary', part('Conversation', '-[:HAS_SUMMARY]->')),
  row('introspections', 'Introspection', EDGE),
  row('ratings', 'Rating', part('Alternative', '-[:HAS_RATING]->')),
  row('alternatives', 'Alternative', part('ConversationTurn', '-[:HAS_ALTERNATIVE]->')),
  row('turns', 'ConversationTurn', part('Conversation', '-[:HAS_TURN]->')),
  row('conversations', 'Conversation', EDGE),
  row('memoryEvents', 'MemoryEvent', prefix('realm', 'eventId'), AGENT_MEMORY),
  row('grips', 'Grip', prefix('realm', 'gripId'), AGENT_MEMORY),
  row('segments', 'Segment', prefix('store', 'startKey'), AGENT_MEMORY),
  row('tocLatest', 'TocLatest', prefix('store', 'nodeId'), AGENT_MEMORY),
  row('tocNodes', 'TocNode', prefix('store', 'key'), AGENT_MEMORY),
  row('sessionEvents', 'Event', session('occurred_at'), RECORDING),
  row('toolCalls', 'ToolCall', part('Session', '-[:HAS_TOOL_CALL]->')),
  row('layers', 'LayerNode', byUser('owner_id'), RECORDING),
  row('sessions', 'Session', session(), RECORDING),
  row('operations', 'Operation', sharing('calls')),
  row('calls', 'CallGraphNode', byUser('ownerId', 'createdAt', 'id'), {
    expires: ['callGraphRetentionDays', 'systemRunRetentionDays'],
  }),
  row('callStats', 'CallStats', byUser('ownerId')),
  row('metrics', 'MetricValue', byUser('ownerId'), expires('retentionDays of the metric')),
  row('backgroundDays', 'BackgroundDay', prefix('key'), { ...expires('31 days'), ...INTERNAL }),
  row('work', 'Work', prefix('key'), INTERNAL),
  row('backgroundFaults', 'BackgroundFault', prefix('key'), INTERNAL),
  row('idempotencyKeys', 'IdempotencyRecord', prefix('key'), {
    ...expires('idempotencyRetentionDays'),
    ...INTERNAL,
  }),
  row('memoryAgreements', 'MemoryAgreement', EDGE),
  row('processAdoptions', 'ProcessAdoption', EDGE),
  // Of other users.
  row('agreementsToProcesses', 'MemoryAgreement', part('Process', '<-[:AGREES_TO]-'), INTERNAL),
  row('adoptionsOfProcesses', 'ProcessAdoption', part('Process', '<-[:ADOPTS]-'), INTERNAL),
  row('processSteps', 'ProcessStep', part('Process', '-[:DEFINES_STEP]->')),
  row('processVersions', 'ProcessVersion', part('Process', '-[:HAS_VERSION]->')),
  row('processes', 'Process', EDGE),
  row('tools', 'Tool', EDGE),
  row('services', 'Service', EDGE),
  row('secrets', 'Secret', EDGE),
  row('serviceTemplates', 'ServiceTemplate', byUser('ownerId')),
  row('toolTemplates', 'ToolTemplate', byUser('ownerId')),
];

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');

/**
 * Labels that records have beside their own, all the time or for a while, with the labels of these
 * records. Resource is on all that the API names by an id. Labels of events and of kinds of
 * entities come from the data of users.
 */
export const MARKS: Readonly<Record<string, readonly string[]>> = {
  RootSession: ['Session'],
  ForkedSession: ['Session'],
  ...Object.fromEntries(LAYER_LABELS.map((label) => [label, ['LayerNode']])),
  PendingStart: ['ProcessRun'],
  OpenApproval: ['Approval'],
  OpenIngest: ['EpisodeIngest'],
  Unembedded: ['EpisodeText', 'EntityProfile', 'FactRef'],
  Unmerged: ['EntityProfile'],
  Unsettled: ['EntityProfile', 'ConversationTurn', 'TemporalFact'],
  Switched: ['ConversationTurn'],
  IndexedEvent: ['MemoryEvent'],
  BackgroundEvent: ['MemoryEvent'],
  SetAsideEvent: ['MemoryEvent'],
  PendingEntry: ['OutboxEntry'],
  MemoryIngest: ['OutboxEntry'],
  OpenDataRequest: ['DataRequest'],
  LeavingUser: ['User'],
  Resource: [],
};

/** The types of the edges between a record and its parts, for a pattern: `A|B`. */
export function edgesToParts(whole: string): string {
  const edges = RECORDS.flatMap(({ owner }) =>
    owner.by === 'part' && owner.of === whole ? (owner.edge.match(/\w+/) ?? []) : [],
  );
  return edges.join('|');
}

/**
 * The condition in Cypher that a node belongs to the caller of `query_graph`. Uses $ownerId,
 * $workspace, $groups and $realms.
 */
type Own = (node: string) => string;

/** The nodes of a label, for `query_graph`. */
export interface Readable {
  readonly own: Own;
  readonly properties: readonly string[];
  /** Those of the properties that hold long texts. They are cut in answers. */
  readonly texts: readonly string[];
  /** The stored name of a property that queries know by another. */
  readonly stored: Readonly<Record<string, string>>;
  /** Properties that no query reads. */
  readonly internal: readonly string[];
}

/**
 * A rule of `query_graph`. It takes the properties of a label: `text*` is a long text, `-key` is
 * internal, and `key=name` is stored as `name`.
 */
const rule =
  (own: Own) =>
  (text: string): Readable => {
    const pairs = words(text).map((word) => word.split('='));
    const all = pairs.map(([word = '']) => word);
    return {
      own,
      properties: all.filter((word) => !word.startsWith('-')).map((word) => word.replace('*', '')),
      stored: Object.fromEntries(pairs.filter(({ length }) => length === 2)),
      texts: all.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1)),
      internal: all.filter((word) => word.startsWith('-')).map((word) => word.slice(1)),
    };
  };
export const isInGroups: Own = (n) => `${n}.group_id IN $groups`;
const isOfUser: Own = (n) => `EXISTS { (${n})-[:OWNED_BY]->(:User {id: $ownerId}) }`;
const ofOwner = rule((n) => `${n}.ownerId = $ownerId`);
const ofSession = rule((n) => `${n}.owner_id = $ownerId AND ${n}.workspace = $workspace`);
const ofLayer = rule((n) => `${n}.owner_id = $ownerId AND ${n}.layer_workspace = $workspace`);
const ofGroup = rule(isInGroups);
const ofGroupOrNote = rule(
  (n) => `(${isInGroups(n)} OR (${n}.group_id = '${INTROSPECTION_GROUP}' AND ${isOfUser(n)}))`,
);
const ofStore = rule(
  (n) => `any(realm IN $realms WHERE ${n}.store = realm OR ${n}.store STARTS WITH realm + '#')`,
);
const ofRealm = rule((n) => `${n}.realm IN $realms`);
const ofConversation = rule(
  (n) => `EXISTS { (${n})<-[:HAS_SUMMARY]-(:Conversation {ownerId: $ownerId}) }`,
);
const ofUser = rule(isOfUser);
const ofProcess = rule(
  (n) => `EXISTS { (${n})<-[:DEFINES_STEP]-(:Process)-[:OWNED_BY]->(:User {id: $ownerId}) }`,
);

const layer = (label: LayerLabel, text: string) => ({
  [label]: ofLayer(`node_id workspace=layer_workspace session_id ${text}`),
});
const SESSION = ofSession(`node_id workspace started_at ended_at resumed_at end_status feed origin
    -owner_id -recorded_at -stream_writes -layers_lock -layers_ms -layers_stale_since`);
const LONG_LIFTED = ['tool_input', 'prompt', 'response_preview', 'description'];
const LIFTED = FIELD_LIFTERS.flatMap(({ fields, metadata = [] }) => [...fields, ...metadata]);
const SHORT_LIFTED = [...new Set(LIFTED)].filter((field) => !LONG_LIFTED.includes(field));

/** The labels that `query_graph` reads. Every other label is refused. */
export const READABLE: Readonly<Record<string, Readable>> = {
  Session: SESSION,
  RootSession: SESSION,
  ForkedSession: SESSION,
  ToolCall: ofSession(`node_id workspace session_id tool_call_id tool_name parallel_group_id
    started_at ended_at -owner_id`),
  Event: ofSession(`node_id workspace event_name occurred_at ${SHORT_LIFTED.join(' ')} data*
    ${LONG_LIFTED.join('* ')}* -owner_id -awaits_tool_call -content_hash`),
  ...layer('OrchestratorRun', 'run_id status started_at ended_at'),
  ...layer('Prompt', 'submitted_at text*'),
  ...layer('Iteration', 'number model provider started_at ended_at'),
  ...layer('ContentBlock', 'number type text*'),
  ...layer('Delegation', 'agent sub_session_id started_at ended_at'),
  ...layer('Agent', 'name'),
  ...layer('SkillLoad', 'skill_name skill_directory loaded_at'),
  ...layer('RecipeRun', 'recipe_name status total_steps started_at ended_at'),
  ...layer('RecipeStep', 'number step_id iterations started_at description*'),
  ...layer('Recipe', 'name'),
  CallGraphNode: ofOwner(`id requestId operationId parentRequestId rootRunId status origin
    startedAt completedAt createdAt updatedAt input* output* error* -ownerId -workspace
    -callerAccountId -identity -awaitedParent -_retentionExpiresAt -_runIsGone`),
  Conversation: ofOwner(`id title status recallTokens recallOthers createdAt updatedAt -ownerId
    -rootTurnId -compressions -compressionsSinceIntrospection -summariesCopiedAt`),
  ConversationTurn: ofOwner('id conversationId speaker turnType timestamp -ownerId'),
  Alternative: ofOwner(`id turnId conversationId outcome runId respondsToId createdAt saidAt
    content* parts* -ownerId -copiedFromId`),
  Process: ofUser(`id name description version enabled shared initialContext maxRecursionDepth
    tokenBudget createdAt updatedAt outputTemplate* -exposeAsTool -exposedBy -contextSchema
    -mayChange`),
  ProcessStep: ofProcess('id execution* inputs* output* -key'),
  Tool: ofUser(`id name description enabled shared mutating status errorMessage lastHealthCheck
    createdAt updatedAt -inputSchema -outputSchema -operation -mayChange -probeAfterSeconds
    -probeTells`),
  Service: ofUser(`id name description type protocol enabled shared requiresSecret schemaVersion
    createdAt updatedAt -connectionSchema`),
  ProcessRun: ofOwner(`id processId processName processVersion status origin depth rootRunId
    parentRunId parentStepId parentIndex retryOfId scheduleId conversationId workspace startedAt
    completedAt createdAt inputTokens outputTokens costUsd llmCalls toolCalls tokensUsed costUsed
    budgetTokens budgetCostUsd timeoutSeconds cancelReason context* output* error* -ownerId -runPath
    -asksOwnersModel -workKind -workId -workName -workItem -workDay -workReserved -workProcess
    -snapshotHash -temporalRunId -workflowId -queuePrefix -contextBlob -outputBlob -inputsForgotten
    -lockedAt -budgetVersion -tokensReserved -costReserved -stepsInTree -runsInTree
    -itemsReservedFor -reservedItems -waitsForBudget -stepConcurrency`),
  StepRun: ofOwner(`runId rootRunId stepId index status attempt startedAt completedAt inputTokens
    outputTokens costUsd llmCalls toolCalls cached note childRunId workerId decision decidedAt
    approvalId outputBytes outputTruncated inputs* output* error* -ownerId -key -cacheKey
    -inputsBlob -outputBlob -isKeptItem -lockedAt -tokensReserved -costReserved`),
  Summary: ofConversation('id compressionLevel tokenCount createdAt deletedAt'),
  Introspection: ofUser('id carouselPosition conversationContext createdAt archivedAt -slot'),
  Entity: ofGroup('uuid name labels group_id created_at summary*'),
  TemporalFact: ofGroup(`uuid text group_id said_by subject attribute said_at valid_at invalid_at
    created_at expired_at episodes -owner -key -withdrawn_at`),
  Episodic: ofGroupOrNote(`uuid name group_id source source_description entity_edges valid_at
    created_at content*`),
  Community: ofGroup('uuid name group_id created_at summary*'),
  Saga: ofGroup('uuid name group_id created_at'),
  MemoryEvent: ofStore(`eventId sessionId timestampMs arrivedMs eventType role agentId key text*
    metadata* -realm -store -tokens -wasChecked -setAsideAt`),
  Segment: ofStore('nodeId sessionId startKey endKey startMs endMs tokenCount eventCount -store'),
  TocNode: ofStore(`nodeId parentId level title version startMs endMs gripIds keywords
    childNodeIds state reason createdMs bullets* -store -key`),
  TocLatest: ofStore(`nodeId parentId place version versionKey isEmpty state words* -store -key
    -createdMs -digest -madeOf -terms`),
  Grip: ofRealm(`gripId tocNodeId sessionId eventIdStart eventIdEnd timestampMs source excerpt*
    -realm -store -startKey -endKey -indexKey`),
};
