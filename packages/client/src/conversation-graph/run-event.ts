/** A part of a message that is not plain text. Kinds other than `text` are passed on unchanged. */
export interface ContentPart {
  readonly type: string;
  readonly text?: string;
  readonly [key: string]: unknown;
}

/** Fields of each kind, beside the base fields; shared by events and nodes (S1-NODE). */
export interface KindFields {
  readonly text: { readonly content: string };
  readonly reasoning: { readonly content: string };
  readonly tool_call: { readonly name: string; readonly input: unknown };
  readonly tool_result: { readonly name: string; readonly output: unknown };
  readonly tool_progress: {
    readonly toolCallId: string;
    readonly name: string;
    readonly content: unknown;
  };
  readonly user: { readonly content: string | readonly ContentPart[] };
  readonly harness_start: { readonly agentId: string };
  readonly harness_end: { readonly agentId: string };
  readonly error: { readonly message: string };
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
  readonly relay: {
    readonly relayKind: 'permission';
    readonly toolCallId: string;
    readonly tool: string;
    readonly params: Readonly<Record<string, unknown>>;
  };
}
export type Kind = keyof KindFields;

/** Kinds whose node is named by the event. Other nodes are named by their run (S1-ID). */
type NamedKind = 'text' | 'reasoning' | 'tool_call' | 'tool_result' | 'relay';

interface EventPlace {
  readonly runId: string;
  /** The parent node of this run. Only the first event's value counts (S1-EDGE-02). */
  readonly parentId?: string | null;
}

/** One event of a run's stream, with its type in `kind`. */
export type RunEvent = {
  readonly [K in Kind]: EventPlace & { readonly kind: K } & KindFields[K] &
    (K extends NamedKind ? { readonly id: string } : { readonly id?: string });
}[Kind];

/**
 * The same event in the spelling of the specification's excerpts, with `type` instead of `kind`.
 */
export type TypedRunEvent = {
  readonly [K in Kind]: Omit<Extract<RunEvent, { kind: K }>, 'kind'> & { readonly type: K };
}[Kind];

/** Accepts either spelling. */
export function asRunEvent(event: RunEvent | TypedRunEvent): RunEvent {
  if ('kind' in event) return event;
  const { type, ...rest } = event;
  return { ...rest, kind: type } as RunEvent;
}

/** An event with its cursor. A subscription with this cursor continues right after it. */
export type CursoredEvent = RunEvent & { readonly cursor: string };

/** Kinds by the API's RunEvent types. */
const KIND_OF_TYPENAME: Readonly<Record<string, Kind>> = {
  TextEvent: 'text',
  ReasoningEvent: 'reasoning',
  ToolCallEvent: 'tool_call',
  ToolProgressEvent: 'tool_progress',
  ToolResultEvent: 'tool_result',
  UserEvent: 'user',
  HarnessStartEvent: 'harness_start',
  HarnessEndEvent: 'harness_end',
  ErrorEvent: 'error',
  UsageEvent: 'usage',
  RelayEvent: 'relay',
};

/** A RunEvent as returned by GraphQL (the interface with `__typename`). */
export interface GraphQLRunEvent {
  readonly __typename: string;
  readonly id: string;
  readonly runId: string;
  readonly parentId?: string | null;
  readonly cursor: string;
  readonly [field: string]: unknown;
}

/**
 * Converts an API event. The API's `id` is the event's own; here `id` names the node that the event
 * makes or continues, which has another name in the API. Null for an unknown type, so that a newer
 * server does not break old clients.
 */
export function fromGraphQL(answer: GraphQLRunEvent): CursoredEvent | null {
  const kind = Object.hasOwn(KIND_OF_TYPENAME, answer.__typename)
    ? KIND_OF_TYPENAME[answer.__typename]
    : undefined;
  if (kind === undefined) return null;
  const { __typename, at, parentId, id: eventId, textId, callId, approvalId, ...more } = answer;
  const { processId, relayKind, ...fields } = more;
  // A report of progress and a request for approval have a node of their own, and name the call.
  const call = kind === 'tool_progress' || kind === 'relay' ? { toolCallId: callId } : {};
  const id = kind === 'tool_progress' ? eventId : (approvalId ?? textId ?? callId ?? eventId);
  const agent = processId === undefined ? {} : { agentId: processId };
  const relay = relayKind === undefined ? {} : { relayKind: String(relayKind).toLowerCase() };
  const parent = parentId == null ? {} : { parentId };
  return {
    ...fields,
    ...call,
    ...agent,
    ...relay,
    id,
    kind,
    ...parent,
  } as unknown as CursoredEvent;
}
