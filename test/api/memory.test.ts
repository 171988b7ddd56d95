import { describe, expect, it } from 'vitest';
import { buildSchema } from '../../schema/index.ts';
import { client, freshName } from '../testkit/client.ts';
import { countedBy } from '../testkit/counted.ts';
import { eventually } from '../testkit/outbox.ts';
import { shipped } from '../testkit/shipped.ts';

// S4-SUM, S4-INTR over the API, with the shipped Processes on real Workers and the bundled model.

const SUMMARY = `id compressionLevel tokenCount content createdAt conversation { id }
  coversUpTo { id }
  episode { uuid source compressionLevel } previousEpisodes { content }
  sources { uuid } createdByProcess { name }`;
const SAID = [
  'Marie Curie was born in Warsaw in 1867 and went to Paris to study physics.',
  'She and her husband Pierre discovered polonium and radium in a shed behind the school.',
  'In 1903 she received the Nobel Prize in Physics together with Pierre and Henri Becquerel.',
  'After the death of Pierre she took over his chair and taught at the Sorbonne.',
  'In 1911 she received a second Nobel Prize, this time in Chemistry.',
];

interface Summary {
  readonly id: string;
  readonly content: string;
  readonly tokenCount: number;
  readonly compressionLevel: number;
  readonly coversUpTo: { readonly id: string };
  readonly episode: { readonly uuid: string };
}

const ada = client(freshName('ada'));

async function talks(said: readonly string[] = SAID) {
  const conversationId = await ada.creates('conversation', { recall: { tokens: 0 } });
  const turns: { id: string; alternativeId: string }[] = [];
  for (const content of said) {
    const appendTurn = await ada.mutate<{
      turn: { id: string; activeAlternative: { id: string } };
    }>('appendTurn', { conversationId, content }, `turn { id activeAlternative { id } }`);
    turns.push({ id: appendTurn.turn.id, alternativeId: appendTurn.turn.activeAlternative.id });
  }
  const memory = () => remembers(conversationId);
  await eventually('the turns are in memory', async () =>
    (await memory()).immediatePath.every(({ episodeId }) => episodeId !== null),
  );
  const episodes = (await memory()).immediatePath.map(({ episodeId }) => episodeId ?? '');
  return { conversationId, turns, episodes };
}
async function remembers(conversationId: string) {
  const workingMemory = await ada.one<{
    summaries: string[];
    introspectionContext: string[];
    tokenBreakdown: { immediatePath: number; summaries: number };
    immediatePath: { episodeId: string | null }[];
  }>(
    `query ($conversationId: ID!) { workingMemory(conversationId: $conversationId) { summaries
      introspectionContext tokenBreakdown { immediatePath summaries } immediatePath { episodeId
      } } }`,
    { conversationId },
  );
  return workingMemory;
}
function ended(runId: string): Promise<{ status: string; error: unknown }> {
  return eventually('the run ends', async () => {
    const run = await ada.find<{ status: string; error: unknown }>(
      'processRun',
      runId,
      'status error { code message }',
    );
    return !['PENDING', 'RUNNING'].includes(run.status) && run;
  });
}
const compress = (input: object) =>
  ada.mutate<{ run: { id: string } | null }>('compressConversation', input, 'run { id }');
const summariesOf = async (id: string) =>
  (
    await ada.query<{
      conversation: { summaries: Summary[]; compressionsSinceIntrospection: number };
    }>(
      `query ($id: ID!) { conversation: node(id: $id) { ... on Conversation {
        compressionsSinceIntrospection summaries { ${SUMMARY} } } } }`,
      { id },
    )
  ).conversation;

describe('summaries over the API', () => {
  it('S4-SUM-01, -08: sums up a conversation on demand by the bundled model, live', async () => {
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
      `subscription ($id: ID!) { conversationEvents(conversationId: $id) { __typename ... on
        SummaryAdded { cursor summary { id } } } }`,
      { id: conversationId },
    );
    for await (const { conversationEvents } of events) {
      if (conversationEvents.__typename !== 'SummaryAdded') continue;
      expect(conversationEvents.summary).toEqual({ id: summaries[0]?.id });
      break;
    }
  });

  it('S4-SUM-05: nothing offers to change more of one than an admin repairs', () => {
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
    const root = client(freshName('root'), { role: 'admin' });
    const { processId } = await shipped(ada);
    for (const { conversationId, turns, episodes } of conversations) {
      const { userErrors } = await root.mutate('createSummary', {
        ...{ conversationId, sourceEpisodeIds: episodes, coversUpToTurnId: turns.at(-1)?.id },
        ...{ content: 'In short.', processId: processId('compress conversation') },
      });
      expect(userErrors).toEqual([]);
    }
    const count = async (ids: readonly string[]) =>
      (
        await countedBy(
          ada,
          `{ nodes(ids: ${JSON.stringify(ids)}) { ... on Conversation {
            compressionsSinceIntrospection summaries { ${SUMMARY} } } } }`,
        )
      ).names;
    const ids = conversations.map(({ conversationId }) => conversationId);
    const many = await count(ids);
    expect(many.length).toBeLessThanOrEqual(8);
    expect(many.length).toBe((await count(ids.slice(0, 1))).length);
  });
});
