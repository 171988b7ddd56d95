import type { RunEvent } from '../../packages/client/src/conversation-graph/run-event.ts';
import { connect } from '../../packages/client/src/live/subscription.ts';
import { ApiError, CliError, type Client, outcomeOf } from '../client.ts';
import {
  ActivateAlternativeDocument,
  AddAlternativeDocument,
  type AddAlternativeInput,
  type AnswerFieldsFragment,
  CancelRunDocument,
  CreateConversationDocument,
  ForkConversationDocument,
  GenerateTurnDocument,
  GetAnswerDocument,
  GetApprovalDocument,
  GetMemoryDocument,
  type GetMemoryQuery,
  GetRecalledDocument,
  GetTalkDocument,
  type GetTalkQuery,
  ResolveStepDocument,
  SendMessageDocument,
} from '../generated/documents.ts';
import { FINAL_STATUSES } from '../timeline.ts';
import { usedIn } from './sources.ts';

type Shown = NonNullable<GetTalkQuery['conversation']>;
export type ShownTurn = Shown['activePath'][number];
export type Answer = AnswerFieldsFragment;
export type Memory = GetMemoryQuery['workingMemory'];

export interface AnswerListener {
  onText(text: string): void;
  /** Discard the text so far: the model is asked again. */
  onAgain(): void;
  /** The model spoke before it called a tool: that text is no part of the answer. */
  onAside(): void;
  onCall(name: string, input: unknown): void;
  /** A call waits for the user's decision. The answer goes on once it is decided. */
  onAsk(approvalId: string, name: string, input: unknown): Promise<void>;
}

export interface Decision {
  readonly decision: 'APPROVE' | 'REJECT';
  /** The model reads the reason of a rejection. */
  readonly note: string | null;
  /** Also approves later calls of the same tool by this answer. */
  readonly allowForRun?: boolean;
}

/** One conversation. All calls use the public API, like those of any other client. */
export interface Talk {
  /** Null before the first message. */
  readonly conversationId: string | null;
  say(content: string): Promise<Answer>;
  /** Replaces the last message with another alternative and asks for an answer. */
  edit(content: string): Promise<Answer>;
  /** Generates another alternative of the last answer; with `processId`, by that Process. */
  regenerate(processId: string | null): Promise<Answer>;
  /** Makes a version of a turn active; `turn` null: of the last turn. */
  activate(version: number, turn: number | null): Promise<void>;
  /** Continues in a fork and returns its id. */
  fork(): Promise<string>;
  path(): Promise<readonly ShownTurn[]>;
  memory(): Promise<Memory>;
  /** The memories that were recalled for an answer and that it uses, best first. */
  sources(answer: Answer): Promise<Memory['recalled']>;
  /** Streams the text of an answer and returns the complete answer. @throws the error of `onAsk` */
  follow(answer: Answer, tell: AnswerListener): Promise<Answer>;
  /** The question of an approval where it asks for the memory; null: for its call. */
  question(approvalId: string): Promise<string | null>;
  /** Decides a call that waits for the user. */
  decide(approvalId: string, decision: Decision): Promise<void>;
  cancel(answer: Answer): Promise<void>;
}

/** @param processId the Process that answers; null: the conversation's default */
export function openTalk(
  api: Client,
  start: { readonly conversationId: string | null; readonly processId: string | null },
): Talk {
  let { conversationId } = start;

  async function shown(): Promise<Shown> {
    if (conversationId === null) throw new CliError('Nothing was said yet.');
    const { conversation } = await api.query(GetTalkDocument, { id: conversationId });
    if (conversation === null)
      throw new CliError(`No conversation with the id ${conversationId}, or it is not yours.`);
    return conversation;
  }

  async function addAlternative(input: AddAlternativeInput): Promise<Answer> {
    const { addAlternative: payload } = await api.query(AddAlternativeDocument, { input });
    return outcomeOf(payload, payload.alternative, 'Nothing was generated');
  }

  async function begin(): Promise<string> {
    if (conversationId !== null) return conversationId;
    const { processId } = start;
    const input = processId === null ? {} : { defaultProcessId: processId };
    const { createConversation: payload } = await api.query(CreateConversationDocument, { input });
    const made = outcomeOf(payload, payload.conversation, 'No conversation was started');
    conversationId = made.id;
    return made.id;
  }

  const talk: Talk = {
    get conversationId() {
      return conversationId;
    },
    async say(content) {
      const input = {
        conversationId: await begin(),
        content,
        ...(start.processId === null ? {} : { processId: start.processId }),
      };
      const { sendMessage: payload } = await api.query(SendMessageDocument, { input });
      return outcomeOf(payload, payload.agentTurn, 'The message was not sent').activeAlternative;
    },
    async edit(content) {
      const { id, activePath, defaultProcess } = await shown();
      const said = currentPart(activePath).findLast(({ speaker }) => speaker === 'USER');
      if (said === undefined) throw new CliError('There is nothing of yours to edit.');
      const answered = activePath.find(
        ({ sequence, speaker }) => speaker === 'AGENT' && sequence === said.sequence + 1,
      );
      const version = await addAlternative({ turnId: said.id, content });
      if (answered !== undefined) return addAlternative({ turnId: answered.id });
      const processId = start.processId ?? defaultProcess?.id ?? null;
      if (processId === null)
        throw new CliError('It was changed; name a --process to have it answered.');
      const input = { conversationId: id, parentAlternativeId: version.id, processId };
      const { generateTurn: payload } = await api.query(GenerateTurnDocument, { input });
      return outcomeOf(payload, payload.turn, 'Nothing was generated').activeAlternative;
    },
    async regenerate(processId) {
      const { activePath } = await shown();
      const last = currentPart(activePath).findLast(({ speaker }) => speaker === 'AGENT');
      if (last === undefined) throw new CliError('There is no answer to generate again.');
      return addAlternative({ turnId: last.id, ...(processId === null ? {} : { processId }) });
    },
    async activate(version, turn) {
      const { activePath } = await shown();
      const at = activePath.find(({ sequence }) => sequence === (turn ?? activePath.length));
      const chosen = at?.alternatives.find(({ sequence }) => sequence === version);
      if (at === undefined || chosen === undefined) {
        const has = at === undefined ? 'no such turn' : `${at.alternatives.length} of it`;
        throw new CliError(`There is no version ${version} of turn ${turn ?? '(last)'}: ${has}.`);
      }
      const { activateAlternative: payload } = await api.query(ActivateAlternativeDocument, {
        input: { id: chosen.id },
      });
      outcomeOf(payload, payload.alternative, 'Nothing was switched');
    },
    async fork() {
      const { id, activePath } = await shown();
      const last = activePath.at(-1);
      const alternative = last?.alternatives.find(({ isActive }) => isActive);
      if (last === undefined || alternative === undefined)
        throw new CliError('Nothing was said yet.');
      const input = { conversationId: id, turnId: last.id, alternativeId: alternative.id };
      const { forkConversation: payload } = await api.query(ForkConversationDocument, { input });
      const made = outcomeOf(payload, payload.conversation, 'Nothing was forked');
      conversationId = made.id;
      return made.id;
    },
    path: async () => (conversationId === null ? [] : (await shown()).activePath),
    async memory() {
      const { id } = await shown();
      return (await api.query(GetMemoryDocument, { id })).workingMemory;
    },
    async sources({ content, turn, respondsTo }) {
      const turnId = turn.parent?.id ?? null;
      if (conversationId === null || turnId === null || respondsTo === null) return [];
      const at = { id: conversationId, turnId, alternativeId: respondsTo.id };
      const { workingMemory } = await api.query(GetRecalledDocument, at);
      return usedIn({ question: respondsTo.content, answer: content }, workingMemory.recalled);
    },
    async follow(answer, { onText, onAgain, onAside, onCall, onAsk }) {
      const { run } = answer;
      if (run !== null && !FINAL_STATUSES.includes(run.status)) {
        let speaking: string | null = null;
        const asked = Promise.withResolvers<never>();
        const feed = connect(
          { iterate: ({ query, variables }) => results(api, query, variables) },
          run.id,
          {
            onEvent(event) {
              if (event.kind === 'relay')
                onAsk(event.id, event.tool, event.params).catch(asked.reject);
              if (event.kind === 'tool_call') onCall(event.name, event.input);
              if (isAside(event) && event.runId === run.id) onAside();
              if (event.kind !== 'text' || event.runId !== run.id) return;
              // A new id of the same step means a new attempt.
              if (speaking !== null && isRetry(speaking, event.id)) onAgain();
              speaking = event.id;
              onText(event.content);
            },
          },
        );
        await Promise.race([feed.done, asked.promise]).finally(() => feed.close());
      }
      const { node } = await api.query(GetAnswerDocument, { id: answer.id });
      if (node?.__typename !== 'Alternative')
        throw new CliError('The answer is not there any more.');
      return node;
    },
    async question(approvalId) {
      const { node } = await api.query(GetApprovalDocument, { id: approvalId });
      return node?.__typename === 'Approval' ? (node.memoryRequest?.question ?? null) : null;
    },
    async decide(approvalId, decision) {
      const { node } = await api.query(GetApprovalDocument, { id: approvalId });
      // Another client has decided it meanwhile.
      if (node?.__typename !== 'Approval') return;
      const { resolveStep: payload } = await api.query(ResolveStepDocument, {
        input: { runId: node.run.id, stepId: node.stepId, index: node.index, ...decision },
      });
      outcomeOf(payload, payload.run, 'The decision was not taken');
    },
    async cancel({ run }) {
      if (run !== null) await api.query(CancelRunDocument, { id: run.id });
    },
  };
  return talk;
}

/** The path up to its first stale turn: what follows belongs to a dropped version. */
function currentPart(path: readonly ShownTurn[]): readonly ShownTurn[] {
  const first = path.findIndex(({ alternatives }) =>
    alternatives.some(({ isActive, cacheStatus }) => isActive && cacheStatus === 'STALE'),
  );
  return first < 0 ? path : path.slice(0, first + 1);
}

/** The progress that voids the text of a round which calls tools. */
function isAside(event: RunEvent): boolean {
  if (event.kind !== 'tool_progress') return false;
  const { content } = event;
  return typeof content === 'object' && content !== null && 'reset' in content;
}

/** `run/step/2` is a retry of `run/step/1`. */
function isRetry(before: string, now: string): boolean {
  const step = (id: string) => id.slice(0, id.lastIndexOf('/'));
  return before !== now && step(before) === step(now);
}

async function* results(api: Client, query: string, variables: object) {
  try {
    for await (const data of api.subscribe<unknown, object>(query, variables)) yield { data };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    yield { errors: error.errors };
  }
}
