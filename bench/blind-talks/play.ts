import type { TestClient } from '../../test/testkit/client.ts';
import { shipped } from '../../test/testkit/shipped.ts';
import { settle, until } from '../memory-quality/play.ts';
import type { BlindTalk } from './talk.ts';

// Plays a blind talk over the public API, and reads what its person sees.

const HITS = 3;

async function startConversation(user: TestClient, defaultProcessId?: string): Promise<string> {
  const { conversation } = await user.mutate<{ conversation: { id: string } }>(
    'createConversation',
    defaultProcessId === undefined ? {} : { defaultProcessId },
    'conversation { id }',
  );
  return conversation.id;
}

/** Plays its conversations one after the other, each read before the next one begins. */
export async function playBlind(user: TestClient, talk: BlindTalk): Promise<void> {
  for (const turns of talk.conversations) {
    const conversationId = await startConversation(user);
    for (const { text: content, ...turn } of turns)
      await user.mutate('appendTurn', { conversationId, content, ...turn }, 'turn { id }');
    await until('an Episode for each turn', async () => {
      const { immediatePath } = await user.one<{ immediatePath: { episodeId: string | null }[] }>(
        `query ($id: ID!) { workingMemory(conversationId: $id) { immediatePath { episodeId } } }`,
        { id: conversationId },
      );
      return immediatePath.every(({ episodeId }) => episodeId !== null);
    });
    // On a busy machine a turn that waits for its run may be later than one quiet stretch.
    for (const _stretch of [1, 2, 3]) await settle({ user, admin: user });
  }
}

export interface BlindHit {
  readonly text: string;
}
export interface BlindAnswer {
  readonly ask: string;
  readonly answerable: boolean;
  readonly hits: readonly BlindHit[];
  /** The answer of a new conversation. */
  readonly said: string;
}
export interface SeenBlind {
  readonly statements: readonly { readonly text: string; readonly attribute: string | null }[];
  readonly entities: readonly { readonly name: string; readonly entityType: string | null }[];
  readonly triples: readonly string[];
  readonly answers: readonly BlindAnswer[];
}

export async function readBlind(user: TestClient, talk: BlindTalk): Promise<SeenBlind> {
  const statements = await user.one<{ nodes: SeenBlind['statements'] }>(
    '{ statements(first: 200) { nodes { text attribute } } }',
  );
  const entities = await user.one<{
    nodes: {
      name: string;
      entityType: string | null;
      facts: { fact: string; invalidAt: string | null; expiredAt: string | null }[];
    }[];
  }>('{ entities(first: 200) { nodes { name entityType facts { fact invalidAt expiredAt } } } }');
  const facts = entities.nodes.flatMap((entity) => entity.facts);
  const current = facts.filter((one) => one.invalidAt === null && one.expiredAt === null);
  const { processId } = await shipped(user);
  const chatId = processId('chat');
  const answers: BlindAnswer[] = [];
  for (const ask of [...talk.questions.map(({ ask }) => ask), ...talk.unknown]) {
    const found = await user.one<{ answerable: boolean; hits: Hit[] }>(
      `query ($input: SearchInput!) { searchMemory(input: $input) { answerable hits { ${HIT} } } }`,
      { input: { query: ask, limit: HITS } },
    );
    const hits = found.hits.map((hit) => ({ text: textOf(hit) }));
    const said = await asksAnew(user, chatId, ask);
    answers.push({ ask, answerable: found.answerable, hits, said });
  }
  return {
    statements: statements.nodes,
    entities: entities.nodes.map(({ name, entityType }) => ({ name, entityType })),
    triples: [...new Set(current.map(({ fact }) => fact))],
    answers,
  };
}

const HIT =
  'episode { content } statement { text } fact { fact } entity { name summary } ' +
  'event { text } tocNode { bullets { text } }';
interface Hit {
  readonly episode: { readonly content: string } | null;
  readonly statement: { readonly text: string } | null;
  readonly fact: { readonly fact: string } | null;
  readonly entity: { readonly name: string; readonly summary: string } | null;
  readonly event: { readonly text: string } | null;
  readonly tocNode: { readonly bullets: readonly { readonly text: string }[] } | null;
}
function textOf({ episode, statement, fact, entity, event, tocNode }: Hit): string {
  if (entity !== null) return `${entity.name}: ${entity.summary}`;
  const said = statement?.text ?? episode?.content ?? fact?.fact ?? event?.text;
  return said ?? tocNode?.bullets.map(({ text }) => text).join('\n') ?? '';
}

/** Asks in a conversation of its own. */
async function asksAnew(user: TestClient, chatId: string, content: string): Promise<string> {
  const conversationId = await startConversation(user, chatId);
  const { agentTurn } = await user.mutate<{
    agentTurn: { activeAlternative: { id: string } };
  }>('sendMessage', { conversationId, content }, 'agentTurn { activeAlternative { id } }');
  const { id } = agentTurn.activeAlternative;
  let said = '';
  await until('the answer', async () => {
    const node = await user.one<{ cacheStatus: string; content: string }>(
      'query ($id: ID!) { node(id: $id) { ... on Alternative { cacheStatus content } } }',
      { id },
    );
    said = node.content;
    return node.cacheStatus !== 'GENERATING';
  });
  return said;
}
