import { execute, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestContext } from '../../schema/context.ts';
import { buildSchema } from '../../schema/index.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { testGraph } from '../testkit/graph.ts';

// S4-SUM, S4-INTR over the API, with the shipped Processes on real Workers and the bundled model.

const ERRORS = 'userErrors { code message path }';
const SUMMARY = `id compressionLevel tokenCount content createdAt conversation { id } coversUpTo { id }
  episode { uuid source compressionLevel } previousEpisodes { content } sources { uuid } createdByProcess { name }`;
const NOTE =
  'id carouselPosition content archived conversationContext episode { uuid groupId } previousEpisodes { content }';
const SAID = [
  'Marie Curie was born in Warsaw in 1867 and went to Paris to study physics.',
  'She and her husband Pierre discovered polonium and radium in a shed behind the school.',
  'In 1903 she received the Nobel Prize in Physics together with Pierre and Henri Becquerel.',
  'After the death of Pierre she took over his chair and taught at the Sorbonne.',
  'In 1911 she received a second Nobel Prize, this time in Chemistry.',
];

interface Problems {
  readonly userErrors: readonly { code: string; path: string[] }[];
}
interface Summary {
  readonly id: string;
  readonly content: string;
  readonly tokenCount: number;
  readonly compressionLevel: number;
  readonly coversUpTo: { readonly id: string };
  readonly episode: { readonly uuid: string };
}

const graph = testGraph();
afterAll(() => graph.close());
let ada: TestClient;
let root: TestClient;
let userId: string;
beforeAll(async () => {
  [ada, root] = [client(freshName('ada')), client(freshName('root'), { role: 'admin' })];
  userId = (await ada.query<{ viewer: { id: string } }>('{ viewer { id } }')).viewer.id;
});

async function talks(said: readonly string[] = SAID) {
  const { createConversation } = await ada.query<{
    createConversation: { conversation: { id: string } };
  }>(
    `mutation { createConversation(input: { recall: { tokens: 0 } }) { conversation { id } ${ERRORS} } }`,
  );
  const conversationId = createConversation.conversation.id;
  const turns: { id: string; alternativeId: string }[] = [];
  for (const content of said) {
    const { appendTurn } = await ada.query<{
      appendTurn: { turn: { id: string; activeAlternative: { id: string } } };
    }>(
      `mutation ($input: AppendTurnInput!) { appendTurn(input: $input) { turn { id activeAlternative { id } } ${ERRORS} } }`,
      { input: { conversationId, content } },
    );
    turns.push({ id: appendTurn.turn.id, alternativeId: appendTurn.turn.activeAlternative.id });
  }
  const memory = () => remembers(conversationId);
  await until(async () =>
    (await memory()).immediatePath.every(({ episodeId }) => episodeId !== null),
  );
  const episodes = (await memory()).immediatePath.map(({ episodeId }) => episodeId ?? '');
  return { conversationId, turns, episodes };
}
async function remembers(conversationId: string) {
  const { workingMemory } = await ada.query<{
    workingMemory: {
      summaries: string[];
      introspectionContext: string[];
      tokenBreakdown: { immediatePath: number; summaries: number };
      immediatePath: { episodeId: string | null }[];
    };
  }>(
    'query ($conversationId: ID!) { workingMemory(conversationId: $conversationId) { summaries introspectionContext tokenBreakdown { immediatePath summaries } immediatePath { episodeId } } }',
    { conversationId },
  );
  return workingMemory;
}
async function until(check: () => Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + 150_000; Date.now() < endMs; ) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('It did not come true in time.');
}
async function ended(runId: string): Promise<{ status: string; error: unknown }> {
  const look = async () =>
    (
      await ada.query<{ processRun: { status: string; error: unknown } }>(
        'query ($id: ID!) { processRun(id: $id) { status error { code message } } }',
        { id: runId },
      )
    ).processRun;
  await until(async () => !['PENDING', 'RUNNING'].includes((await look()).status));
  return look();
}
async function does<Payload>(who: TestClient, mutation: string, input: object) {
  const { it } = await who.query<{ it: Payload & Problems }>(mutation.replace('ERRORS', ERRORS), {
    input,
  });
  return it;
}
const compress = (input: object) =>
  does<{ run: { id: string } | null }>(
    ada,
    'mutation ($input: CompressConversationInput!) { it: compressConversation(input: $input) { run { id } ERRORS } }',
    input,
  );
const summariesOf = async (id: string) =>
  (
    await ada.query<{
      conversation: { summaries: Summary[]; compressionsSinceIntrospection: number };
    }>(
      `query ($id: ID!) { conversation: node(id: $id) { ... on Conversation { compressionsSinceIntrospection summaries { ${SUMMARY} } } } }`,
      { id },
    )
  ).conversation;

describe('summaries over the API', () => {
  it('S4-SUM-01, -08: a conversation is summed up on demand by the bundled model, and told live', async () => {
    const { conversationId, turns, episodes } = await talks();
    const before = await remembers(conversationId);
    const { run, userErrors } = await compress({ conversationId, upToTurnId: turns[3]?.id });
    expect(userErrors).toEqual([]);
    expect(await ended(run?.id ?? '')).toEqual({ status: 'COMPLETED', error: null });
    const { summaries, compressionsSinceIntrospection } = await summariesOf(conversationId);
    expect(summaries).toEqual([
      {
        id: expect.any(String),
        compressionLevel: 1,
        tokenCount: expect.any(Number),
        content: expect.stringMatching(/Curie|Pierre|Nobel/),
        createdAt: expect.any(String),
        conversation: { id: conversationId },
        coversUpTo: { id: turns[3]?.id },
        episode: { uuid: expect.any(String), source: 'SUMMARY', compressionLevel: 1 },
        previousEpisodes: [],
        sources: episodes.slice(0, 4).map((uuid) => ({ uuid })),
        createdByProcess: { name: 'compress conversation' },
      },
    ]);
    expect(compressionsSinceIntrospection).toBe(1);
    const after = await remembers(conversationId);
    expect(after.summaries).toEqual([summaries[0]?.id]);
    expect(after.immediatePath).toEqual([{ episodeId: episodes[4] }]);
    // Entities that became active meanwhile count by themselves.
    const said = (memory: typeof after) =>
      memory.tokenBreakdown.immediatePath + memory.tokenBreakdown.summaries;
    expect(said(after)).toBeLessThan(said(before));

    const events = ada.subscribeSse<{
      conversationEvents: { __typename: string; summary?: { id: string } };
    }>(
      'subscription ($id: ID!) { conversationEvents(conversationId: $id) { __typename ... on SummaryAdded { cursor summary { id } } } }',
      { id: conversationId },
    );
    for await (const { conversationEvents } of events) {
      if (conversationEvents.__typename !== 'SummaryAdded') continue;
      expect(conversationEvents.summary).toEqual({ id: summaries[0]?.id });
      break;
    }
  });

  it('S4-SUM-05, -06, -07: is repaired by an admin and by nobody else; nothing offers to change the rest', async () => {
    const { conversationId, turns, episodes } = await talks(SAID.slice(0, 2));
    const { processes } = await ada.query<{
      processes: { nodes: { id: string; name: string; owner: { name: string } }[] };
    }>(
      '{ processes(query: "compress conversation", first: 50) { nodes { id name owner { name } } } }',
    );
    const processId = processes.nodes.find(({ owner }) => owner.name === 'system')?.id;
    const input = {
      conversationId,
      sourceEpisodeIds: episodes,
      coversUpToTurnId: turns[1]?.id,
      content: 'Marie Curie found radium.',
      processId,
    };
    const create = `mutation ($input: CreateSummaryInput!) { it: createSummary(input: $input) { summary { ${SUMMARY} } ERRORS } }`;
    const rebind = `mutation ($input: RebindSummaryInput!) { it: rebindSummary(input: $input) { summary { ${SUMMARY} } ERRORS } }`;
    const remove = `mutation ($id: ID!) { deleteSummary(input: { id: $id }) { deletedId ${ERRORS} } }`;
    const { summary } = await does<{ summary: Summary }>(root, create, input);
    expect(summary).toMatchObject({
      conversation: { id: conversationId },
      coversUpTo: { id: turns[1]?.id },
    });
    const { id } = summary;
    const forbidden = [
      await ada.query(create.replace('ERRORS', ERRORS), { input }),
      await ada.query(rebind.replace('ERRORS', ERRORS), { input: { id, content: 'x' } }),
      await ada.query(remove, { id }),
    ];
    for (const payload of forbidden.flatMap((data) => Object.values<object>(data)))
      expect(payload).toMatchObject({ userErrors: [{ code: 'FORBIDDEN', path: [] }] });
    const content = 'Marie Curie found polonium and radium.';
    expect((await does<{ summary: Summary }>(root, rebind, { id, content })).summary).toMatchObject(
      {
        id,
        content,
        previousEpisodes: [{ content: 'Marie Curie found radium.' }],
      },
    );
    expect((await does<{ summary: Summary | null }>(root, create, input)).userErrors).toMatchObject(
      [{ code: 'CONFLICT', path: ['input', 'sourceEpisodeIds', '0'] }],
    );
    expect(await root.query(remove, { id })).toEqual({
      deleteSummary: { deletedId: id, userErrors: [] },
    });
    expect((await remembers(conversationId)).summaries).toEqual([]);
    expect(await ada.query('query ($id: ID!) { node(id: $id) { id } }', { id })).toEqual({
      node: null,
    });
    // What is immutable has no operation.
    const fields = Object.keys(buildSchema().getMutationType()?.getFields() ?? {});
    expect(fields.filter((name) => /summar/i.test(name)).sort()).toEqual([
      'chooseEntitySummary',
      'createSummary',
      'deleteSummary',
      'rebindSummary',
    ]);
  });

  it('all of a page in a handful of statements, however many summaries there are', async () => {
    const conversations = [await talks(SAID.slice(0, 2)), await talks(SAID.slice(2, 4))];
    for (const { conversationId } of conversations) {
      const { run } = await compress({ conversationId });
      expect((await ended(run?.id ?? '')).status).toBe('COMPLETED');
    }
    const viewer = { userId, name: 'ada', roles: ['user'], workspace: userId };
    const count = async (ids: readonly string[]) => {
      // Loaders remember what a request has loaded, so each is one of its own.
      const contextValue = { graph, viewer } as unknown as RequestContext;
      const document = parse(
        `{ nodes(ids: ${JSON.stringify(ids)}) { ... on Conversation { compressionsSinceIntrospection summaries { ${SUMMARY} } } } }`,
      );
      const { value, statements } = await graph.counting(async () =>
        execute({ schema: buildSchema(), document, contextValue }),
      );
      expect(value.errors).toBeUndefined();
      return statements.map(({ name }) => name);
    };
    const ids = conversations.map(({ conversationId }) => conversationId);
    const many = await count(ids);
    expect(many.length).toBeLessThanOrEqual(8);
    expect(many.length).toBe((await count(ids.slice(0, 1))).length);
  });
});

describe('introspections over the API', () => {
  it('S4-INTR-05, -06, -09, -11: the bundled model reflects in the background; notes are injected, rebound, deleted', async () => {
    const { conversationId } = await talks();
    const { run: compressed } = await compress({ conversationId });
    expect((await ended(compressed?.id ?? '')).status).toBe('COMPLETED');
    const { triggerIntrospection } = await ada.query<{
      triggerIntrospection: { run: { id: string } | null } & Problems;
    }>(
      `mutation ($id: ID!) { triggerIntrospection(input: { conversationId: $id }) { run { id } ${ERRORS} } }`,
      { id: conversationId },
    );
    expect(await ended(triggerIntrospection.run?.id ?? '')).toEqual({
      status: 'COMPLETED',
      error: null,
    });
    const list = async (includeArchived = false) =>
      (
        await ada.query<{ introspections: { id: string; content: string; archived: boolean }[] }>(
          `query ($includeArchived: Boolean) { introspections(includeArchived: $includeArchived) { ${NOTE} } }`,
          { includeArchived },
        )
      ).introspections;
    const [first] = await list();
    expect(first).toMatchObject({
      carouselPosition: 0,
      archived: false,
      conversationContext: `conversation-${conversationId}, compressions 1-1`,
      episode: { groupId: 'system_introspection' },
      previousEpisodes: [],
    });
    const events = ada.subscribeSse<{
      conversationEvents: { __typename: string; introspection?: { id: string } };
    }>(
      'subscription ($id: ID!) { conversationEvents(conversationId: $id) { __typename ... on IntrospectionAdded { introspection { id } } } }',
      { id: conversationId },
    );
    for await (const { conversationEvents } of events) {
      if (conversationEvents.__typename !== 'IntrospectionAdded') continue;
      expect(conversationEvents.introspection).toEqual({ id: first?.id });
      break;
    }
    const inject = (input: object) =>
      does<{ introspection: { id: string } | null }>(
        ada,
        `mutation ($input: InjectIntrospectionInput!) { it: injectIntrospection(input: $input) { introspection { ${NOTE} } ERRORS } }`,
        input,
      );
    const injected = await inject({ content: 'She asks about chemists.', carouselPosition: 9 });
    const id = injected.introspection?.id ?? '';
    expect((await inject({ content: '', carouselPosition: 10 })).userErrors).toMatchObject([
      { code: 'REQUIRED', path: ['input', 'content'] },
      { code: 'INVALID', path: ['input', 'carouselPosition'] },
    ]);
    const rebound = await does<object>(
      ada,
      `mutation ($input: RebindIntrospectionInput!) { it: rebindIntrospection(input: $input) { introspection { ${NOTE} } ERRORS } }`,
      { id, content: 'She asks about physicists.' },
    );
    expect(rebound).toMatchObject({
      introspection: { id, previousEpisodes: [{ content: 'She asks about chemists.' }] },
    });
    const standing = (await list()).length;
    expect((await remembers(conversationId)).introspectionContext).toHaveLength(standing);
    const { deleteIntrospection } = await ada.query<{ deleteIntrospection: object }>(
      `mutation ($id: ID!) { deleteIntrospection(input: { id: $id }) { deletedId ${ERRORS} } }`,
      { id },
    );
    expect(deleteIntrospection).toEqual({ deletedId: id, userErrors: [] });
    expect((await remembers(conversationId)).introspectionContext).toHaveLength(standing - 1);
    expect((await list(true)).find((note) => note.id === id)).toMatchObject({ archived: true });
  });
});
