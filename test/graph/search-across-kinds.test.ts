import { describe, expect, it } from 'vitest';
import { ingestEvents } from '../../src/agent-memory/events/event.mutations.ts';
import { createUlids } from '../../src/agent-memory/events/ulid.ts';
import { indexEvents } from '../../src/agent-memory/search/event-search.cypher.ts';
import { realmOf } from '../../src/agent-memory/store.ts';
import { createConversation } from '../../src/conversations/conversation.mutations.ts';
import { forkConversation } from '../../src/conversations/fork.mutations.ts';
import { appendTurn } from '../../src/conversations/turn.mutations.ts';
import { bindEpisode } from '../../src/memory-graph/episodes/episode.mutations.ts';
import { createEntity } from '../../src/memory-graph/resolution/create-entity.mutations.ts';
import { SEARCH_KINDS, type SearchKind } from '../../src/memory-graph/search/search.ts';
import { searchMemory } from '../../src/memory-graph/search/search-memory.service.ts';
import { searchTool } from '../../src/system-tools/memory-tools.service.ts';
import { runDeps } from '../testkit/conversations.ts';
import { NO_AGENT } from '../testkit/fixed.ts';
import { runCypher, writeWith } from '../testkit/graph.ts';
import { newViewer, refuses, world } from '../testkit/world.ts';

// S4-EPI-05: one ranked list over all kinds, without a model of embeddings.

const deps = { ...runDeps(await world()), memoryMode: NO_AGENT };

const asked = (cypher: string, params: object) => runCypher(deps.graph, `${cypher}`, params);
const ulid = createUlids(Math.random);

/** A person with a conversation, and the ways to fill it and to search. */
async function person(name = 'ada') {
  const viewer = await newViewer(deps, name);
  const conversationId = (await createConversation(deps, viewer, {})).id;
  /** Binds the Episodes of all turns. A sweep of another test may bind some of them first. */
  async function bindAll(ofConversation: string): Promise<void> {
    const rows = await asked(
      `MATCH (a:Alternative {conversationId: $ofConversation}) RETURN a.id AS id
       ORDER BY a.createdAt, id`,
      { ofConversation },
    );
    for (const { id } of rows) await bindEpisode(deps, String(id));
  }
  async function says(content: string, more: object = {}, to = conversationId) {
    const turn = await appendTurn(deps, viewer, { conversationId: to, content, ...more });
    await bindAll(to);
    const [row] = await asked(
      'MATCH (:Alternative {turnId: $id})-[:HAS_CONTENT]->(ep:Episodic) RETURN ep.uuid AS uuid',
      turn,
    );
    return { turnId: turn.id, episodeUuid: String(row?.['uuid']) };
  }
  async function event(text: string, more: object = {}): Promise<string> {
    const eventId = ulid(deps.clock.nowMs());
    const timestamp = new Date(deps.clock.nowMs()).toISOString();
    const given = { sessionId: conversationId, eventType: 'UserMessage', role: 'User', text };
    await ingestEvents({ ...deps, random: Math.random }, viewer, [
      { ...given, eventId, timestamp, ...more },
    ]);
    const realm = realmOf(viewer, NO_AGENT);
    await writeWith(deps.graph, indexEvents, [{ realm, eventId }]);
    await runCypher(deps.graph, 'CALL db.awaitIndexes(60)');
    return eventId;
  }
  const asks = (query: string, more: object = {}) => searchMemory(deps, viewer, { query, ...more });
  const finds = async (query: string, more: object = {}) => (await asks(query, more)).hits;
  return { viewer, conversationId, bindAll, says, event, asks, finds };
}

describe('one list over all kinds (S4-EPI-05, docs/decisions/0029)', () => {
  it('shows a turn once, with the ids of its Episode and of its event', async () => {
    const ada = await person();
    const text = 'We adopted a beagle called Daisy in spring.';
    const { episodeUuid } = await ada.says(text);
    await ada.says('The weather is fine.');
    const eventId = await ada.event(text);
    await ada.event('Another event about a beagle.');
    const hits = await ada.finds('beagle', { kinds: ['episode', 'event'] });
    expect(hits.slice(0, 2)).toMatchObject([
      { kind: 'episode', uuid: episodeUuid, same: [{ kind: 'event', uuid: eventId }] },
      { kind: 'event', same: [] },
    ]);
    // A search for events alone still gives the event.
    const [event] = (await ada.finds('adopted spring', { kinds: ['event'] })) ?? [];
    expect(event).toMatchObject({ kind: 'event', uuid: eventId });
  });

  it('shows a turn of forks once, and its question never before its answer', async () => {
    const ada = await person();
    const question = 'What are the names of my dogs?';
    const first = await ada.says('My dogs are called Daisy and Max, they love the lake.');
    const last = await ada.says('Lovely names!', { speaker: 'agent' });
    const [row] = await asked('MATCH (a:Alternative {turnId: $turnId}) RETURN a.id AS id', last);
    for (let fork = 0; fork < 2; fork++) {
      const copy = await forkConversation(deps, ada.viewer, {
        conversationId: ada.conversationId,
        turnId: last.turnId,
        alternativeId: String(row?.['id']),
      });
      await ada.bindAll(copy.id);
      await ada.says(question, {}, copy.id);
      await ada.says('I do not know.', { speaker: 'agent' }, copy.id);
    }
    const hits = await ada.finds(question);
    const [{ kind, uuid, same } = { kind: null, uuid: null, same: [] }] = hits;
    expect(kind).toBe('episode');
    expect([uuid, ...same.map((one) => one.uuid)]).toContain(first.episodeUuid);
    expect(same).toHaveLength(2);
    const texts = await asked(
      'MATCH (ep:Episodic) WHERE ep.uuid IN $uuids RETURN ep.content AS text',
      { uuids: hits.map(({ uuid }) => uuid) },
    );
    const shown = texts.map(({ text }) => text);
    expect(new Set(shown).size).toBe(shown.length);
    // A question that repeats the query answers nothing.
    expect(hits.findIndex((hit) => hit.same.length === 1)).not.toBe(0);
  });

  it('finds events of all agents, without their names, and turns as Episodes', async () => {
    const [ada, eve] = [await person(), await person('eve')];
    const query = 'who owns the ledger repository';
    const ofAgent = { agentId: 'ops-bot', sessionId: 'ops-7' };
    const told = await ada.event('Grace owns the ledger repository.', ofAgent);
    const other = await ada.event('Bob asked for the ledger.', { agentId: 'b/2', sessionId: 'b' });
    const turn = 'I was told who owns the ledger.';
    const { episodeUuid } = await ada.says(turn);
    await ada.event(turn);
    // Bob's event does not answer; it is among the nearest.
    const found = async (more: object = {}) => {
      const { hits, nearest } = await ada.asks(query, more);
      return [...hits, ...nearest].map(({ uuid }) => uuid);
    };
    expect((await ada.finds(query)).map(({ uuid }) => uuid)).not.toContain(other);
    expect((await found()).sort()).toEqual([told, other, episodeUuid].sort());
    expect(await found({ agentId: 'ops-bot', kinds: ['event'] })).toEqual([told]);
    expect(await found({ agentId: 'ops', kinds: ['event'] })).toEqual([]);
    expect(await found({ groupIds: [ada.conversationId] })).toEqual([episodeUuid]);
    expect(await found({ kinds: ['event'] })).toHaveLength(3);
    expect(await eve.finds(query)).toEqual([]);
    expect(await eve.finds(query, { agentId: 'ops-bot' })).toEqual([]);
  });

  it('never shows things of others, of no kind, whatever is asked', async () => {
    const [ada, eve] = [await person(), await person('eve')];
    const text = 'The password is swordfish.';
    await ada.says(text);
    await ada.event(text);
    const input = { name: 'Swordfish', summary: 'A password.', conversationId: ada.conversationId };
    await createEntity(deps, ada.viewer, input);
    const kinds = SEARCH_KINDS;
    expect(new Set((await ada.finds('swordfish', { kinds })).map(({ kind }) => kind))).toEqual(
      new Set<SearchKind>(['episode', 'entity']),
    );
    for (const more of [
      {},
      { conversationId: ada.conversationId },
      { groupIds: [ada.conversationId] },
      { allBranches: true },
      { reranker: 'rrf' },
    ])
      expect(await eve.finds('swordfish', { kinds, ...more })).toEqual([]);
  });

  it('finds texts in other languages and scripts', async () => {
    const ada = await person();
    const said = new Map<string, string>();
    for (const text of [
      '我去年搬到上海,在那里教书。',
      'Мы купили дом у моря в Одессе.',
      'Mio nonno coltiva limoni vicino a Sorrento.',
      'Ich habe Kühe und Ziegen auf der Alm.',
      'عندي قطة اسمها لولو',
    ])
      said.set((await ada.says(text)).episodeUuid, text);
    for (const [query, part] of [
      ['上海', '上海'],
      ['дом у моря', 'Одессе'],
      ['chi coltiva limoni?', 'Sorrento'],
      ['Kühe', 'Alm'],
      ['قطة', 'لولو'],
    ] as const) {
      const [hit] = await ada.finds(query);
      expect(said.get(hit?.uuid ?? ''), query).toContain(part);
      expect(hit?.reasons.map(({ measure }) => measure)).toContain('words');
    }
  });

  it('says why nothing answers, with the nearest; without words it finds nothing', async () => {
    const ada = await person();
    await ada.says('My brother Ivo repairs clocks in Basel.');
    const asked = await ada.asks('Which university did my cousin leave in the clocks of winter?');
    expect(asked).toMatchObject({
      answerable: false,
      reason:
        'The nearest memory has only the word clocks. ' +
        'No memory near it has the words university, cousin, leave, winter.',
      hits: [],
      nearest: [{ kind: 'episode', fits: false }],
    });
    expect(await ada.asks('Who repairs clocks?')).toMatchObject({
      answerable: true,
      reason: expect.stringContaining('The first hit has the words repairs, clocks'),
      hits: [{ kind: 'episode', fits: true }],
      nearest: [],
    });
    for (const query of ['~', '🙂', '?!']) {
      const { statements } = await deps.graph.counting(() => ada.asks(query));
      expect(statements).toHaveLength(0);
      expect(await ada.asks(query)).toEqual({
        answerable: false,
        reason: 'The query has no words to search for.',
        hits: [],
        nearest: [],
      });
    }
  });

  it('refuses a text of a megabyte, and reads operators as words', async () => {
    const ada = await person();
    await ada.says('Radium glows OR rests.');
    await refuses(ada.finds('radium '.repeat(150_000)), 'INVALID query');
    const queries = ['radium AND NOT (', '"radium', 'radium~9 ^^', 'text:radium /.*/', '-radium'];
    for (const query of queries)
      expect((await ada.finds(query, { kinds: SEARCH_KINDS })).length, query).toBeGreaterThan(0);
  });

  it('takes as many statements for all kinds as for one hit or a hundred', async () => {
    const ada = await person();
    const countOf = async (limit: number) => {
      const more = { kinds: SEARCH_KINDS, conversationId: ada.conversationId, limit };
      const { statements } = await deps.graph.counting(() => ada.finds('radium', more));
      return statements.length;
    };
    await ada.says('Radium number 0.');
    const few = await countOf(1);
    for (let n = 1; n < 4; n++) await ada.says(`Radium number ${n}.`);
    expect(await countOf(100)).toBe(few);
    expect(few).toBeLessThanOrEqual(6);
  });
});

// S4-INTR-09
it('a chat that searches its memory is not given the message that was just sent', async () => {
  const ada = await person();
  const question = 'What are the names of my dogs?';
  await ada.says('My dogs are called Daisy and Max.');
  await ada.says(question);
  await ada.says('Why do you ask about the names of dogs?', { speaker: 'agent' });
  await ada.says('My dogs are called Daisy and Max.');
  await ada.says(question);
  const { found } = await searchTool(deps, ada.viewer, { query: question, kinds: ['episode'] });
  expect(found).toMatchObject([{ kind: 'episode', text: 'My dogs are called Daisy and Max.' }]);
});
