import { freshName, type TestClient } from './client.ts';
import { eventually } from './outbox.ts';
import { openScriptedLlm, type ScriptedLlm, type ScriptedReply } from './scripted-llm.ts';

export interface Sent {
  readonly userTurn: { readonly id: string; readonly activeAlternative: { readonly id: string } };
  readonly agentTurn: { readonly id: string; readonly activeAlternative: AnAnswer };
  readonly run: { readonly id: string };
}
export interface AnAnswer {
  readonly id: string;
  readonly sequence: number;
  readonly isActive: boolean;
  readonly content: string;
  readonly cacheStatus: string;
  readonly hasChildren: boolean;
  readonly run: { readonly id: string; readonly status: string } | null;
}
/**
 * A model of its own name, so that tests may script it apart, a Tool that speaks to it, and a
 * Process that chats by it.
 */
export interface Speaker {
  readonly model: string;
  readonly toolId: string;
  readonly processId: string;
  readonly processName: string;
  says(replies: ScriptedReply | readonly ScriptedReply[]): void;
}
/** Short ways to use conversations over the public API, with a scripted model to talk to. */
export interface TalkWorld {
  readonly llm: ScriptedLlm;
  speaker(): Promise<Speaker>;
  /** A conversation; answers its id. */
  starts(input?: object): Promise<string>;
  sends(conversationId: string, content: string, more?: object): Promise<Sent>;
  answer(alternativeId: string): Promise<AnAnswer>;
  /** The answer once its run is over. */
  answered(alternativeId: string): Promise<AnAnswer>;
  close(): Promise<void>;
}

/** A conversation in which this user says these texts; answers its id. */
export async function tells(user: TestClient, ...contents: readonly string[]): Promise<string> {
  const conversationId = await user.creates('conversation');
  for (const content of contents) await user.mutate('appendTurn', { conversationId, content });
  return conversationId;
}

export const ANSWER = 'id sequence isActive content cacheStatus hasChildren run { id status }';

/** A Service of models that needs an endpoint and a model, and no Secret. */
export const LLM_SERVICE = {
  type: 'LLM_PROVIDER',
  protocol: 'HTTP',
  requiresSecret: false,
  connectionSchema: {
    type: 'object',
    properties: { endpoint: { type: 'string' }, model: { type: 'string' } },
    required: ['endpoint', 'model'],
  },
};

export async function talkWorld(ada: TestClient): Promise<TalkWorld> {
  const llm = await openScriptedLlm();
  const serviceId = await ada.creates('service', LLM_SERVICE);
  const talk: TalkWorld = {
    llm,
    async speaker() {
      const model = freshName('model');
      const toolId = await ada.creates('tool', {
        serviceId,
        connectionParams: { endpoint: llm.openai, model },
        operation: { llmCall: { promptTemplate: '', messages: 'messages' } },
        inputSchema: {
          type: 'object',
          required: ['messages'],
          properties: { messages: { type: 'array' } },
        },
        outputSchema: {},
      });
      const processName = freshName('chat');
      const step = {
        stepId: 'answer',
        calls: { toolId },
        inputs: { messages: '{context.messages}' },
        output: { variable: 'answer' },
      };
      const processId = await ada.creates('process', {
        name: processName,
        initialContext: ['messages'],
        steps: [step],
        outputTemplate: '{{answer}}',
      });
      const says = (replies: ScriptedReply | readonly ScriptedReply[]) =>
        llm.script(replies, model);
      return { model, toolId, processId, processName, says };
    },
    starts: (input = {}) => ada.creates('conversation', input),
    async sends(conversationId, content, more = {}) {
      const { userErrors, ...sent } = await ada.mutate<Sent>(
        'sendMessage',
        { conversationId, content, ...more },
        `userTurn { id activeAlternative { id } } agentTurn { id activeAlternative { ${ANSWER} } }
        run { id }`,
      );
      if (userErrors.length > 0) throw new Error(JSON.stringify(userErrors));
      return sent;
    },
    async answer(id) {
      const { node } = await ada.query<{ node: AnAnswer }>(
        `query ($id: ID!) { node(id: $id) { ... on Alternative { ${ANSWER} } } }`,
        { id },
      );
      return node;
    },
    answered: (id) =>
      eventually(`the answer ${id} is there`, async () => {
        const answer = await talk.answer(id);
        return answer.cacheStatus !== 'GENERATING' && answer;
      }),
    close: () => llm.close(),
  };
  return talk;
}
