import { expect, it } from 'vitest';
import { client, freshName } from '../testkit/client.ts';
import { eventually } from '../testkit/outbox.ts';

// S4-EPI, S4-ENT over the API, as a fresh installation has it: no key, no network, local-llm reads and embeds.

interface Hit {
  kind: string;
  matched: string[];
  entity: { name: string } | null;
  fact: { fact: string; source: { name: string } } | null;
  episode: { content: string; mentions: { name: string }[] } | null;
}
const SEARCH = `query ($input: SearchInput!) { search(input: $input) { kind score matched
  entity { uuid name entityType edgeCount sources { type } episodes { nodes { uuid } } }
  fact { uuid name fact source { name } target { name } } episode { uuid content mentions { name } } } }`;

it('S4-EPI-04, -05: what is said is read, remembered and found, by its owner only', async () => {
  const [ada, eve] = [client(freshName('ada')), client(freshName('eve'))];
  const { createConversation } = await ada.query<{
    createConversation: { conversation: { id: string } };
  }>('mutation { createConversation(input: {}) { conversation { id } userErrors { code } } }');
  const conversationId = createConversation.conversation.id;
  await ada.query(
    'mutation ($input: AppendTurnInput!) { appendTurn(input: $input) { turn { id } userErrors { code } } }',
    {
      input: { conversationId, content: 'Marie Curie was born in Warsaw. She discovered radium.' },
    },
  );
  const finds = async (who: typeof ada, query: string) =>
    (await who.query<{ search: Hit[] }>(SEARCH, { input: { query, conversationId } })).search;
  await eventually('Marie Curie is known', async () =>
    (await finds(ada, 'Marie Curie')).some(({ entity }) => entity?.name === 'Marie Curie'),
  );
  const hits = await finds(ada, 'where was Marie Curie born');
  const episode = hits.find(({ kind }) => kind === 'EPISODE')?.episode;
  expect(episode?.content).toContain('Warsaw');
  expect(episode?.mentions.map(({ name }) => name)).toContain('Marie Curie');
  expect(hits.every(({ matched }) => matched.length > 0)).toBe(true);
  expect(await finds(eve, 'Marie Curie')).toEqual([]);
  const { memorySettings } = await ada.query<{ memorySettings: { llmTool: null } }>(
    '{ memorySettings { llmTool { id } } }',
  );
  expect(memorySettings.llmTool).toBeNull();
});
