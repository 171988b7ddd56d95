import { expect, it } from 'vitest';
import { client, freshName } from '../testkit/client.ts';
import { eventually } from '../testkit/outbox.ts';
import { tells } from '../testkit/talk-world.ts';

// S4-EPI, S4-ENT over the API, as a fresh installation has it: no key, no network, local-llm reads
// and embeds.

interface Hit {
  kind: string;
  matched: string[];
  entity: { name: string } | null;
  fact: { fact: string; source: { name: string } } | null;
  episode: { content: string; mentions: { name: string }[] } | null;
}
const SEARCH = `query ($input: SearchInput!) { search(input: $input) { kind score matched
  entity { uuid name entityType edgeCount sources { type } episodes { nodes { uuid } } }
  fact { uuid name fact source { name } target { name } } episode { uuid content mentions { name
  } } } }`;

it('S4-EPI-04, -05: a turn is read, remembered and found, by its owner only', async () => {
  const [ada, eve] = [client(freshName('ada')), client(freshName('eve'))];
  const conversationId = await tells(ada, 'Marie Curie was born in Warsaw. She discovered radium.');
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
  const memorySettings = await ada.one<{ llmTool: null }>('{ memorySettings { llmTool { id } } }');
  expect(memorySettings.llmTool).toBeNull();
});

it('forgets a fact, then its entity; live readers hear of it, search keeps the words', async () => {
  const [ada, eve] = [client(freshName('ada')), client(freshName('eve'))];
  const content = 'Lise Meitner was born in Vienna.';
  const conversationId = await tells(ada, content);
  interface Known {
    readonly uuid: string;
    readonly name: string;
    readonly forgets: { readonly facts: number; readonly mentions: number };
    readonly facts: { readonly uuid: string; readonly forgets: { readonly facts: number } }[];
  }
  const lise = async () => {
    const entities = await ada.one<{ nodes: Known[] }>(
      `query ($id: ID!) { entities(conversationId: $id, query: "Lise Meitner") {
        nodes { uuid name forgets { facts mentions } facts { uuid forgets { facts } } } } }`,
      { id: conversationId },
    );
    // The summary of another entity may name her too.
    return entities.nodes.find(({ name }) => name === 'Lise Meitner');
  };
  await eventually(
    'a fact about her is known',
    async () => ((await lise())?.facts.length ?? 0) > 0,
  );
  const known = await lise();
  const fact = known?.facts[0];
  expect(fact?.forgets).toEqual({ facts: 1 });
  expect(known?.forgets.facts).toBe(known?.facts.length);
  expect(known?.forgets.mentions).toBe(1);

  const forgets = (user: typeof ada, mutation: 'forgetFact' | 'forgetEntity', uuid?: string) =>
    user.mutate<{ forgotten: { uuid: string; deletedAt: string } | null }>(
      mutation,
      { uuid },
      `forgotten { uuid memory deletedAt deleted { facts } ${
        mutation === 'forgetFact' ? 'turns { activeAlternative { content } }' : ''
      } }`,
    );
  const notFound = {
    forgotten: null,
    userErrors: [{ code: 'NOT_FOUND', path: ['input', 'uuid'] }],
  };
  expect(await forgets(eve, 'forgetFact', fact?.uuid)).toMatchObject(notFound);
  expect(await forgets(eve, 'forgetEntity', known?.uuid)).toMatchObject(notFound);

  const live = (async () => {
    const told: { memory: string; uuid: string }[] = [];
    const events = ada.subscribeSse<{
      conversationEvents: { __typename: string; memory: string; uuid: string };
    }>(
      `subscription ($id: ID!) { conversationEvents(conversationId: $id) {
        __typename ... on MemoryForgotten { memory uuid } } }`,
      { id: conversationId },
    );
    for await (const { conversationEvents: event } of events) {
      if (event.__typename === 'MemoryForgotten')
        told.push({ memory: event.memory, uuid: event.uuid });
      if (told.length === 2) break;
    }
    return told;
  })();
  const once = await forgets(ada, 'forgetFact', fact?.uuid);
  // The words stay, and the answer says where.
  const turns = [{ activeAlternative: { content } }];
  expect(once).toMatchObject({ forgotten: { memory: 'FACT', deleted: { facts: 1 }, turns } });
  expect(await forgets(ada, 'forgetFact', fact?.uuid)).toEqual(once);
  expect(await forgets(ada, 'forgetEntity', known?.uuid)).toMatchObject({
    forgotten: { memory: 'ENTITY' },
    userErrors: [],
  });
  expect(await live).toEqual([
    { memory: 'FACT', uuid: fact?.uuid },
    { memory: 'ENTITY', uuid: known?.uuid },
  ]);
  const input = { query: 'Lise Meitner Vienna', conversationId };
  const search = await ada.one<Hit[]>(SEARCH, { input });
  expect(search.filter((hit) => hit.entity?.name === 'Lise Meitner')).toEqual([]);
  expect(search.filter((hit) => /Lise/.test(hit.fact?.fact ?? ''))).toEqual([]);
  expect(search.some(({ episode }) => episode?.content === content)).toBe(true);
});
