import { freshName, type TestClient } from './client.ts';
import { eventually } from './outbox.ts';
import { openScriptedLlm, type ScriptedLlm, type ScriptedReply } from './scripted-llm.ts';

export interface Refused {
  readonly code: string;
  readonly path: readonly string[];
}
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
  /**
   * A mutation called `it` on the API: its payload. In the text, ERRORS stands for the errors'
   * fields.
   */
  does<Payload>(mutation: string, input: object): Promise<Payload & { userErrors: Refused[] }>;
  answer(alternativeId: string): Promise<AnAnswer>;
  /** The answer once its run is over. */
  answered(alternativeId: string): Promise<AnAnswer>;
  close(): Promise<void>;
}

/** A conversation in which this user says these texts; answers its id. */
export async function tells(user: TestClient, ...contents: readonly string[]): Promise<string> {
  const made = await user.mutate<{ conversation: { id: string } }>(
    'createConversation',
    {},
    'conversation { id }',
  );
  const conversationId = made.conversation.id;
  for (const content of contents) await user.mutate('appendTurn', { conversationId, content });
  return conversationId;
}

const ERRORS = 'userErrors { code message path }';
export const ANSWER = 'id sequence isActive content cacheStatus hasChildren run { id status }';

export async function talkWorld(ada: TestClient): Promise<TalkWorld> {
  const llm = await openScriptedLlm();
  const does = async <Payload>(mutation: string, input: object) => {
    const { it } = await ada.query<{ it: Payload & { userErrors: Refused[] } }>(
      mutation.replace('ERRORS', ERRORS),
      { input },
    );
    return it;
  };
  const made = async <Key extends string>(key: Key, mutation: string, input: object) => {
    const payload = await does<Record<Key, { id: string } | null>>(mutation, input);
    const thing: { id: string } | null = payload[key];
    if (thing === null) throw new Error(JSON.stringify(payload.userErrors));
    return thing.id;
  };
  const serviceId = await made(
    'service',
    `mutation ($input: CreateServiceInput!) { it: createService(input: $input) { service { id }
      ERRORS } }`,
    {
      name: freshName('llm'),
      type: 'LLM_PROVIDER',
      protocol: 'HTTP',
      requiresSecret: false,
      connectionSchema: {
        type: 'object',
        properties: { endpoint: { type: 'string' }, model: { type: 'string' } },
        required: ['endpoint', 'model'],
      },
    },
  );
  const talk: TalkWorld = {
    llm,
    does,
    async speaker() {
      const model = freshName('model');
      const toolId = await made(
        'tool',
        `mutation ($input: CreateToolInput!) { it: createTool(input: $input) { tool { id } ERRORS }
          }`,
        {
          name: freshName('speaker'),
          serviceId,
          connectionParams: { endpoint: llm.openai, model },
          operation: { llmCall: { promptTemplate: '', messages: 'messages' } },
          inputSchema: {
            type: 'object',
            required: ['messages'],
            properties: { messages: { type: 'array' } },
          },
          outputSchema: {},
        },
      );
      const processName = freshName('chat');
      const processId = await made(
        'process',
        `mutation ($input: CreateProcessInput!) { it: createProcess(input: $input) { process { id }
          ERRORS } }`,
        {
          name: processName,
          initialContext: ['messages'],
          steps: [
            {
              stepId: 'answer',
              calls: { toolId },
              inputs: { messages: '{context.messages}' },
              output: { variable: 'answer' },
            },
          ],
          outputTemplate: '{{answer}}',
        },
      );
      const says = (replies: ScriptedReply | readonly ScriptedReply[]) =>
        llm.script(replies, model);
      return { model, toolId, processId, processName, says };
    },
    starts: (input = {}) =>
      made(
        'conversation',
        `mutation ($input: CreateConversationInput!) { it: createConversation(input: $input) {
          conversation { id } ERRORS } }`,
        input,
      ),
    async sends(conversationId, content, more = {}) {
      const { userErrors, ...sent } = await does<Sent>(
        `mutation ($input: SendMessageInput!) { it: sendMessage(input: $input) {
          userTurn { id activeAlternative { id } } agentTurn { id activeAlternative { ${ANSWER} } }
          run { id } ERRORS } }`,
        { conversationId, content, ...more },
      );
      if (userErrors.length > 0) throw new Error(JSON.stringify(userErrors));
      return sent as unknown as Sent;
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
