import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSentenceModel } from '../../packages/local-llm/src/sentence-model.ts';
import { activateAlternative } from '../../src/conversations/alternative.mutations.ts';
import {
  createConversation,
  updateConversation,
} from '../../src/conversations/conversation.mutations.ts';
import type { RecallInput } from '../../src/conversations/conversation.ts';
import { forkConversation } from '../../src/conversations/fork.mutations.ts';
import { addAlternative } from '../../src/conversations/turn.mutations.ts';
import type { Embeddings } from '../../src/memory-graph/embeddings/embeddings.service.ts';
import { DEFAULT_SCALE } from '../../src/memory-graph/embeddings/meaning-scale.ts';
import { setActiveEntity } from '../../src/memory-graph/entities/active-entity.mutations.ts';
import type { Fact } from '../../src/memory-graph/entities/fact.ts';
import { findEpisodes } from '../../src/memory-graph/episodes/episode.cypher.ts';
import { bindEpisode } from '../../src/memory-graph/episodes/episode.mutations.ts';
import { userGroupOf } from '../../src/memory-graph/group.ts';
import { createEntity } from '../../src/memory-graph/resolution/create-entity.mutations.ts';
import { searchMemory } from '../../src/memory-graph/search/search-memory.service.ts';
import { stateIn, withJudge } from '../../src/memory-graph/statements/statement.mutations.ts';
import type { Viewer } from '../../src/users/user.ts';
import { createSummary } from '../../src/working-memory/summaries/summary.mutations.ts';
import { conversationVariables } from '../../src/working-memory/working-memory.cypher.ts';
import { runDeps } from '../testkit/conversations.ts';
import { NO_AGENT } from '../testkit/fixed.ts';
import { readWith, runCypher, writeCypher } from '../testkit/graph.ts';
import { ensureSystem, insertFact, type Said, talker } from '../testkit/memory.ts';
import { newViewer, refuses, world } from '../testkit/world.ts';

// docs/decisions/0028: texts that the answered message needs come back into working memory.

const here = await world();
const deps = runDeps(here);
await ensureSystem(here.deps);

const MODEL = join(import.meta.dirname, '../../packages/local-llm/model');

const DOGS = 'My dogs are called Max and Daisy.';
const ASKED = 'What are the names of my dogs?';

/** A user whose memory no other test fills. */
async function rememberer() {
  const viewer: Viewer = await newViewer(here.deps, 'ada');
  const talk = talker(deps, viewer);
  const recalls = async (conversationId: string, at: object = {}) =>
    (await talk.remembers(conversationId, at)).recalled;
  /** Texts that a question in a new conversation calls back. */
  const asks = async (question: string, recall?: RecallInput) => {
    const { id } = await createConversation(deps, viewer, { recall });
    await talk.says(id, question);
    return (await recalls(id)).map(({ text }) => text);
  };
  const knows = (name: string, summary: string, more: object = {}) =>
    createEntity(deps, viewer, { name, summary, ...more });
  const states = async (said: Said, groupId: string, fact: string, more: Partial<Fact> = {}) => {
    const [source, target] = [await knows('One', '-'), await knows('Two', '-')];
    const uuid = await insertFact(deps, viewer.userId, {
      name: 'STATES',
      fact,
      groupId,
      sourceUuid: source.uuid,
      targetUuid: target.uuid,
      episodes: [said.episodeId],
      ...more,
    });
    // A fact expires later than it is made.
    const { expiredAt = null } = more;
    await writeCypher(
      deps.graph,
      'MATCH ()-[r:RELATES_TO {uuid: $uuid}]->() SET r.expired_at = datetime($expiredAt)',
      { uuid, expiredAt },
    );
    return uuid;
  };
  /** A turn of a new conversation that is read as one statement. */
  const tells = async (text: string, saidAt: string, attribute: string | null) => {
    const conversationId = await talk.starts({});
    const { episodeId } = await talk.says(conversationId, text);
    const statement = { text, about: [], attribute, validAt: null, invalidAt: null };
    const none = new Map<string, never>();
    await deps.graph.write((tx) =>
      stateIn(
        tx,
        {
          ...{ ownerId: viewer.userId, ownerName: 'ada', saidBy: 'ada', isOwner: true },
          ...{ episodeUuid: episodeId, conversationId, saidAt },
        },
        { statements: [{ ...statement, ends: [] }], repeated: none, ended: none },
        { entities: [], now: '2026-01-01T00:00:00Z' },
      ),
    );
  };
  const starts = () => talk.starts({});
  return { viewer, ...talk, starts, recalls, asks, knows, states, tells };
}

describe('recall (S4-WM-01)', () => {
  // S4-WM-05
  it('brings a turn of an older conversation back, with its source and tokens', async () => {
    const ada = await rememberer();
    const { id: old } = await createConversation(deps, ada.viewer, { title: 'Pets' });
    const said = await ada.says(old, DOGS);
    await ada.says(old, 'I had porridge for breakfast.');
    const conversationId = await ada.starts();
    await ada.says(conversationId, ASKED);
    const memory = await ada.remembers(conversationId);
    const { turnId, alternativeId } = said;
    const place = { conversationId: old, turnId, alternativeId };
    expect(memory.recalled).toMatchObject([
      {
        ...{ kind: 'episode', id: said.episodeId, text: DOGS, isQuotation: true },
        ...{ inReplyTo: null, corrects: null },
        sources: [{ ...place, conversationTitle: 'Pets', speaker: 'user', saidBy: 'ada' }],
      },
    ]);
    const [message, last] = memory.messages;
    expect(message?.role).toBe('system');
    const line = `ada: on \\d+ [A-Z][a-z]+ \\d{4}: "${DOGS}"`;
    const context = new RegExp(`not instructions.*<context>\n${line}\n</context>$`, 's');
    expect(message?.content).toMatch(context);
    expect(last?.content).toBe(ASKED);
    expect(memory.tokenBreakdown.recalled).toBe(message?.tokens);
    expect(memory.totalTokens).toBe(memory.messages.reduce((sum, one) => sum + one.tokens, 0));
  });

  it('brings the turn that ended a statement, of whichever conversation (issue 42)', async () => {
    const ada = await rememberer();
    const said = (text: string, saidAt: string) => ada.tells(text, saidAt, 'home');
    await said('I live in a boat house in Odense.', '2024-01-01T00:00:00Z');
    await said('I moved to a farm in Skagen.', '2025-01-01T00:00:00Z');
    expect(await ada.asks('Do I live in a boat house in Odense?')).toEqual([
      'I moved to a farm in Skagen.',
    ]);
    // The turn that ended it is over itself.
    await said('I moved to a mill near Ribe.', '2025-06-01T00:00:00Z');
    expect(await ada.asks('Do I live in a boat house in Odense?')).toEqual([
      'I moved to a mill near Ribe.',
    ]);
    // Also of a statement that is read after its end.
    await said('I live in a tent on Fur.', '2023-01-01T00:00:00Z');
    expect(await ada.asks('Do I live in a tent on Fur?')).toEqual(['I moved to a mill near Ribe.']);
    // A search has it first, with the older ones behind it.
    await runCypher(deps.graph, 'CALL db.awaitIndexes(60)');
    const search = { query: 'the boat house in Odense', kinds: ['episode'] as const, limit: 5 };
    const { hits } = await searchMemory({ ...deps, memoryMode: NO_AGENT }, ada.viewer, search);
    const uuids = hits.map(({ uuid }) => uuid);
    const found = await readWith(deps.graph, findEpisodes, ada.viewer.userId, uuids);
    const contents = new Map(found.map(({ uuid, content }) => [uuid, content]));
    expect(uuids.slice(0, 3).map((uuid) => contents.get(uuid))).toEqual([
      'I moved to a mill near Ribe.',
      'I moved to a farm in Skagen.',
      'I live in a boat house in Odense.',
    ]);
    // Asked for changes, it lists them in the order of time.
    const changed = async (query: string) => {
      const answer = await searchMemory({ ...deps, memoryMode: NO_AGENT }, ada.viewer, { query });
      return answer.hits.flatMap(({ kind, reasons }) =>
        reasons.map(({ text }) => (kind === 'statement' ? text : kind)),
      );
    };
    const toFarm = 'ended on 2025-01-01: “I live in a boat house in Odense.”';
    const toMill = 'ended on 2025-06-01: “I moved to a farm in Skagen.”';
    expect(await changed('What has changed since June 2024?')).toEqual([toFarm, toMill]);
    expect(await changed('What changed since February 2025?')).toEqual([toMill]);
    expect(await changed('What changed about the farm since 2024?')).toEqual([toFarm, toMill]);
    expect(await changed('What changed since July 2025?')).not.toContain(toMill);
  });

  it('answers a question by its attribute (docs/decisions/0133)', async () => {
    const ada = await rememberer();
    const [flat, mill] = ['I rent a flat in Odense.', 'I sold the flat, I moved to Ribe.'];
    await ada.tells(flat, '2024-01-01T00:00:00Z', null);
    await ada.tells('Doctor is Falk.', '2024-01-02T00:00:00Z', null);
    expect(await ada.asks('Where do I live?')).toEqual([flat]);
    expect(await ada.asks('¿Dónde vivo?')).toEqual([flat]);
    await ada.tells(mill, '2025-01-01T00:00:00Z', null);
    expect(await ada.asks('Where do I live?')).toEqual([mill]);
    expect(await ada.asks('Who is my dentist?')).toEqual([]);
    const bob = await rememberer();
    expect(await bob.asks('Where do I live?')).toEqual([]);
    await runCypher(deps.graph, 'CALL db.awaitIndexes(60)');
    const searches = async (query: string) => {
      const answer = await searchMemory({ ...deps, memoryMode: NO_AGENT }, ada.viewer, { query });
      const uuids = answer.hits.map(({ uuid }) => uuid);
      const found = await readWith(deps.graph, findEpisodes, ada.viewer.userId, uuids);
      return [answer.answerable, found.map(({ content }) => content)];
    };
    expect(await searches('Where do I live?')).toEqual([true, [mill]]);
    expect(await searches('Where do I work?')).toEqual([false, []]);
    // What a turn of this moment ends is no answer.
    await ada.says(await ada.starts(), 'I moved to Skagen.');
    expect(await ada.asks('Where do I live?')).not.toContain(mill);
  });

  it('counts a turn of this moment as read (docs/decisions/0131)', async () => {
    const ada = await rememberer();
    await ada.says(await ada.starts(), 'I live in Odense near the harbour.');
    await ada.says(await ada.starts(), 'I moved to Skagen.');
    // Words of another user end nothing of hers.
    const bob = await rememberer();
    await bob.says(await bob.starts(), 'I moved to Ribe.');
    expect(await ada.asks('Do I live in Odense near the harbour?')).toEqual(['I moved to Skagen.']);
    await runCypher(deps.graph, 'CALL db.awaitIndexes(60)');
    const search = { query: 'Odense near the harbour', kinds: ['episode'] as const, limit: 5 };
    const { hits } = await searchMemory({ ...deps, memoryMode: NO_AGENT }, ada.viewer, search);
    const uuids = hits.map(({ uuid }) => uuid);
    const found = await readWith(deps.graph, findEpisodes, ada.viewer.userId, uuids.slice(0, 1));
    expect(found.map(({ content }) => content)).toEqual(['I moved to Skagen.']);
  });

  it('compares again where a statement was written meanwhile (docs/decisions/0131)', async () => {
    const ada = await rememberer();
    const { embed } = await openSentenceModel(MODEL);
    const embeddings: Pick<Embeddings, 'embed' | 'scale'> = {
      embed: async (all) => ({ slot: 'A', vectors: all.map((one) => [...embed(one).vector]) }),
      scale: async () => DEFAULT_SCALE,
    };
    const none = new Map<string, never>();
    let late: (() => Promise<unknown>) | null = null;
    const tries: string[] = [];
    const said = async (text: string, saidAt: string) => {
      const conversationId = await ada.starts();
      const { episodeId } = await ada.says(conversationId, text);
      const turn = {
        ...{ ownerId: ada.viewer.userId, ownerName: 'ada', saidBy: 'ada', isOwner: true },
        ...{ episodeUuid: episodeId, conversationId, saidAt },
      };
      const statement = { text, about: [], attribute: null, validAt: null, invalidAt: null };
      const extraction = {
        ...{ statements: [{ ...statement, ends: [] }], repeated: none, ended: none },
      };
      await withJudge({ graph: deps.graph, embeddings }, turn, extraction, async (judge) => {
        tries.push(text);
        const meanwhile = late;
        late = null;
        await meanwhile?.();
        const place = { entities: [], now: '2026-01-01T00:00:00Z', judge };
        return deps.graph.write((tx) => stateIn(tx, turn, extraction, place));
      });
    };
    const [earlier, later] = ['The club meets on Wednesdays.', 'The club meets on Fridays.'];
    late = () => said(earlier, '2025-01-01T00:00:00Z');
    await said(later, '2025-02-01T00:00:00Z');
    expect(tries).toEqual([later, earlier, later]);
    const rows = await runCypher(
      deps.graph,
      'MATCH (t:TemporalFact {owner: $owner}) WHERE t.invalid_at IS NULL RETURN t.text AS text',
      { owner: userGroupOf(ada.viewer.userId) },
    );
    expect(rows.map(({ text }) => text)).toEqual([later]);
  });

  it('costs few statements, and none where it is off or there is no question', async () => {
    const ada = await rememberer();
    for (let n = 0; n < 5; n++) await ada.says(await ada.starts(), `${DOGS} That was ${n}.`);
    const { id } = await createConversation(deps, ada.viewer, {});
    await ada.says(id, ASKED);
    const counted = await deps.graph.counting(() => ada.remembers(id));
    expect(counted.value.recalled.length).toBeGreaterThan(1);
    expect(counted.statements.map(({ name }) => name)).toEqual([
      'listSwitchesToSettle',
      'readWorkingMemory',
      'findSearchScope',
      'findCandidatesOfSearch',
      'listFollowers',
      'listUnreadTurns',
      'listKnownStatements',
      'listAskedStatements',
      'listStatedInEpisodes',
      'listRecallSources',
    ]);
    await updateConversation(deps, ada.viewer, { id, recall: { tokens: 0 } });
    const off = await deps.graph.counting(() => ada.remembers(id));
    expect(off.value.recalled).toEqual([]);
    expect(off.statements).toHaveLength(2);
    await updateConversation(deps, ada.viewer, { id, recall: null });
    await ada.says(id, 'Hello, how are you?');
    expect((await deps.graph.counting(() => ada.remembers(id))).statements).toHaveLength(2);
  });

  it('answers what was before by the statement that ended (docs/decisions/0135)', async () => {
    const ada = await rememberer();
    await ada.tells('I live in Odense.', '2023-01-01T00:00:00Z', 'home');
    await ada.tells('I moved to Skagen.', '2024-01-01T00:00:00Z', 'home');
    await ada.tells('I moved to Ribe.', '2025-01-01T00:00:00Z', 'home');
    const [first] = await ada.asks('Where did I live before?');
    expect(first).toBe('I moved to Skagen.');
    expect((await ada.asks('Where did I live before Skagen?'))[0]).toBe('I live in Odense.');
    const memory = { ...deps, memoryMode: NO_AGENT };
    const find = async (query: string) => (await searchMemory(memory, ada.viewer, { query })).hits;
    const episodes = async (text: string) =>
      (await find(text)).map(({ uuid, reasons }) => ({ uuid, is: reasons.at(-1)?.text }));
    const [before] = await episodes('Where did I live before I moved to Ribe?');
    const [now] = await episodes('Where do I live?');
    expect(before?.is).toBe('says what is asked for');
    expect(before?.uuid).not.toBe(now?.uuid);
    // What an unread turn ends is a former value at once.
    await ada.says(await ada.starts(), 'We moved to Aarhus.');
    expect((await ada.asks('Where do I live?'))[0]).toBe('We moved to Aarhus.');
    expect((await ada.asks('Where did I live before?'))[0]).toBe('I moved to Ribe.');
  });

  it('answers by turns that are not read yet, of two the newer', async () => {
    const ada = await rememberer();
    await ada.says(await ada.starts(), 'I rent a flat in Leeds.');
    expect(await ada.asks('Where do I live?')).toEqual(['I rent a flat in Leeds.']);
    await ada.says(await ada.starts(), 'My doctor is Patel.');
    const newer = await ada.says(await ada.starts(), 'New doctor is Lind, btw.');
    const query = 'Who is my doctor?';
    expect(await ada.asks(query)).toEqual(['New doctor is Lind, btw.']);
    const { hits } = await searchMemory({ ...deps, memoryMode: NO_AGENT }, ada.viewer, { query });
    expect(hits[0]).toMatchObject({ kind: 'episode', uuid: newer.episodeId, fits: true });
  });

  it('shows no turn that is on screen, and not the asking turn', async () => {
    const ada = await rememberer();
    await ada.says(await ada.starts(), ASKED);
    const conversationId = await ada.starts();
    await ada.says(conversationId, DOGS);
    await ada.says(conversationId, ASKED);
    expect(await ada.recalls(conversationId)).toEqual([]);
  });

  it('brings a turn back that a Summary replaced', async () => {
    const ada = await rememberer();
    const processId = await ada.aProcess();
    const conversationId = await ada.starts();
    const said = await ada.says(conversationId, DOGS);
    const admin: Viewer = { ...ada.viewer, roles: ['user', 'admin'] };
    await createSummary(deps, admin, {
      conversationId,
      sourceEpisodeIds: [said.episodeId],
      coversUpToTurnId: said.turnId,
      content: 'Pets were named.',
      processId,
    });
    await ada.says(conversationId, ASKED);
    const ids = (await ada.recalls(conversationId)).map(({ id }) => id);
    expect(ids).toEqual([said.episodeId]);
  });

  it('leaves other users out, and other conversations where the setting says so', async () => {
    const [ada, bob] = [await rememberer(), await rememberer()];
    await bob.says(await bob.starts(), DOGS);
    expect(await ada.asks(ASKED)).toEqual([]);
    expect(await bob.asks(ASKED, { otherConversations: false })).toEqual([]);
    expect(await bob.asks(ASKED)).toEqual([DOGS]);
  });

  it('follows the path on screen: a turn that was edited away does not come back', async () => {
    const ada = await rememberer();
    const old = await ada.starts();
    const said = await ada.says(old, DOGS);
    const content = 'My dogs are called Rex and Bella.';
    const edit = await addAlternative(deps, ada.viewer, { turnId: said.turnId, content });
    await bindEpisode(deps, edit.id);
    expect(await ada.asks(ASKED)).toEqual([content]);
    await ada.says(old, ASKED);
    expect(await ada.recalls(old)).toEqual([]);
    await activateAlternative(deps, ada.viewer, { id: said.alternativeId });
    expect(await ada.asks(ASKED)).toEqual([DOGS]);
  });

  it('leaves out answers that became stale, here and elsewhere', async () => {
    const ada = await rememberer();
    const old = await ada.starts();
    const said = await ada.says(old, 'Tell me of dogs.');
    const answer = 'Dogs are called Max and Daisy.';
    await ada.says(old, answer, { speaker: 'agent' });
    expect(await ada.asks(ASKED)).toContain(answer);
    const after = 'My dogs are called Rex and Bella.';
    await ada.says(old, after);
    expect(await ada.asks(ASKED)).toContain(after);
    await addAlternative(deps, ada.viewer, { turnId: said.turnId, content: 'Tell me of tea.' });
    expect(await ada.asks(ASKED)).not.toContain(answer);
    expect(await ada.asks(ASKED)).not.toContain(after);
    await ada.says(old, ASKED);
    expect((await ada.recalls(old)).map(({ text }) => text)).not.toContain(answer);
  });

  it("never shows a fork's copies beside the original", async () => {
    const ada = await rememberer();
    const old = await ada.starts();
    const said = await ada.says(old, DOGS);
    const fork = await forkConversation(deps, ada.viewer, { conversationId: old, ...said });
    const [copy] = await runCypher(
      deps.graph,
      'MATCH (a:Alternative {conversationId: $id}) RETURN a.id AS id',
      fork,
    );
    await bindEpisode(deps, String(copy?.['id']));
    expect(await ada.asks(ASKED)).toEqual([DOGS]);
    for (const id of [old, fork.id]) {
      await ada.says(id, ASKED);
      expect(await ada.recalls(id)).toEqual([]);
    }
  });

  it('quotes an answer with its question, and no answer that says nothing', async () => {
    const ada = await rememberer();
    const old = await ada.starts();
    await ada.says(old, 'How are your dogs called?', { speaker: 'agent' });
    await ada.says(old, 'Max and Daisy.');
    await ada.says(old, 'Where do the dogs sleep?');
    const nothing = 'Nothing in what I was given says where the dogs sleep.';
    await ada.says(old, nothing, { speaker: 'agent' });
    const { id } = await createConversation(deps, ada.viewer, {});
    await ada.says(id, ASKED);
    const [best, ...rest] = await ada.recalls(id);
    expect(best).toMatchObject({ text: 'Max and Daisy.', inReplyTo: 'How are your dogs called?' });
    expect(rest.map(({ text }) => text).join(' ')).not.toContain('Nothing in');
  });

  it('brings the turn that takes a statement back, or the reason of silence', async () => {
    const ada = await rememberer();
    const old = await ada.starts();
    const earlier = 'The newsletter goes out on the third of each month.';
    await ada.says(old, earlier);
    await ada.says(old, 'The third, noted.', { speaker: 'agent' });
    const { episodeId } = await ada.says(old, 'Sorry, on the tenth.');
    const { id } = await createConversation(deps, ada.viewer, {});
    await ada.says(id, 'When does the newsletter go out?');
    expect((await ada.recalls(id))[0]).toMatchObject({
      ...{ kind: 'episode', id: episodeId, text: 'Sorry, on the tenth.', corrects: earlier },
      sources: [{ episodeId, saidBy: 'ada' }],
    });
    await ada.says(id, 'Which printer in Ghent lost the newsletter of the choir?');
    expect(await ada.remembers(id)).toMatchObject({
      recalled: [],
      recallReason: expect.stringContaining('has only the word newsletter. No memory near it has'),
    });
  });

  it('recalls facts as of now, once, with the turns that state them', async () => {
    const ada = await rememberer();
    const old = await ada.starts();
    const said = await ada.says(old, 'She has a new job, as we know.');
    const past = new Date(Date.now() - 1_000).toISOString();
    const later = new Date(Date.now() + 86_400_000).toISOString();
    const holds = await ada.states(said, old, 'Grace works at Bosch.');
    await ada.states(said, old, 'Grace works at Siemens.', { invalidAt: past });
    await ada.states(said, old, 'Grace works at Philips.', { expiredAt: past });
    await ada.states(said, old, 'Grace works at Airbus.', { validAt: later });
    const conversationId = await ada.starts();
    await ada.says(conversationId, 'Where does Grace work?');
    const recalled = await ada.recalls(conversationId);
    expect(recalled).toMatchObject([
      { kind: 'fact', id: holds, text: 'Grace works at Bosch.', isQuotation: false },
    ]);
    expect(recalled[0]?.sources).toMatchObject([
      { turnId: said.turnId, conversationId: old, saidBy: 'ada' },
    ]);
  });

  it('meets other forms of a word and words of Thai, in turns and in facts', async () => {
    const ada = await rememberer();
    const old = await ada.starts();
    const said = await ada.says(old, 'I run along the river every morning.');
    await ada.says(old, 'แมวของฉันชื่อทองคำ');
    await ada.states(said, old, 'Ines swam in the fjord.');
    expect(await ada.asks('Who goes running?')).toEqual(['I run along the river every morning.']);
    expect(await ada.asks('แมวชื่ออะไร')).toContain('แมวของฉันชื่อทองคำ');
    expect(await ada.asks('Where does she go swimming?')).toEqual(['Ines swam in the fjord.']);
  });

  it('recalls no fact whose only turn was edited away', async () => {
    const ada = await rememberer();
    const old = await ada.starts();
    const said = await ada.says(old, 'She has a new job, as we know.');
    await ada.states(said, old, 'Grace works at Bosch.');
    await addAlternative(deps, ada.viewer, { turnId: said.turnId, content: 'Never mind.' });
    expect(await ada.asks('Where does Grace work?')).toEqual([]);
  });

  it('recalls an entity with its summary, unless it is active already', async () => {
    const ada = await rememberer();
    const made = await ada.knows('Grace Hopper', 'An admiral who wrote compilers.');
    expect(await ada.asks('Who is Grace Hopper?')).toEqual([
      'Grace Hopper: An admiral who wrote compilers.',
    ]);
    const conversationId = await ada.starts();
    await setActiveEntity(deps, ada.viewer, { conversationId, entityUuid: made.uuid });
    await ada.says(conversationId, 'Who is Grace Hopper?');
    expect(await ada.recalls(conversationId)).toEqual([]);
  });

  it('recalls a line of the table of contents with its event, of other talks only', async () => {
    const ada = await rememberer();
    const { userId } = ada.viewer;
    const elsewhere = deps.newId();
    const store = `${userId}/${ada.viewer.workspace}`;
    const line = 'The greenhouse is heated by compost.';
    const grips = [`grip:1747000000000:${elsewhere}`];
    const bullets = JSON.stringify([{ text: line, gripIds: grips }]);
    await writeCypher(
      deps.graph,
      `CREATE (:TocLatest {store: $store, nodeId: 'toc:day:2025-05-11', versionKey: 'v',
          words: $line, isEmpty: false})
        CREATE (:TocNode {store: $store, nodeId: 'toc:day:2025-05-11', key: 'v', bullets: $bullets})
        CREATE (:Grip {realm: $store, store: $store, gripId: $grips[0], sessionId: $elsewhere,
          timestampMs: 1747000000000, eventIdStart: $elsewhere})
        CREATE (:MemoryEvent {realm: $store, eventId: $elsewhere, role: 'user'})`,
      { store, line, grips, elsewhere, bullets },
    );
    const asks = async (recall: RecallInput) => {
      const { id } = await createConversation(deps, ada.viewer, { recall });
      await ada.says(id, 'How is the greenhouse heated?');
      return ada.recalls(id, { store });
    };
    expect(await asks({})).toMatchObject([
      {
        ...{ kind: 'toc', id: 'toc:day:2025-05-11', text: line, isQuotation: false },
        sources: [{ eventId: elsewhere, saidBy: 'ada', saidAt: '2025-05-11T21:46:40.000Z' }],
      },
    ]);
    expect(await asks({ otherConversations: false })).toEqual([]);
    expect(await ada.asks('How is the greenhouse heated?')).toEqual([]);
    // Jobs of other tests walk through all stores.
    await writeCypher(
      deps.graph,
      `MATCH (n:TocLatest|TocNode|Grip WHERE n.store = $store) DETACH DELETE n`,
      { store },
    );
  });

  it('keeps the budget of its conversation', async () => {
    const ada = await rememberer();
    for (let n = 0; n < 6; n++)
      await ada.says(await ada.starts(), `Dogs of kind ${n} eat ${n * 7} biscuits and sleep.`);
    const spent = async (tokens: number) => {
      const { id } = await createConversation(deps, ada.viewer, { recall: { tokens } });
      await ada.says(id, 'What do dogs eat?');
      return (await ada.remembers(id)).tokenBreakdown.recalled;
    };
    const [none, small, large] = [await spent(5), await spent(80), await spent(600)];
    expect([none, small > 0, small <= 80, large > small]).toEqual([0, true, true, true]);
  });

  it('supplies the variable `recalled`, and searches for no Process that wants none', async () => {
    const ada = await rememberer();
    await ada.says(await ada.starts(), DOGS);
    const conversationId = await ada.starts();
    await ada.says(conversationId, ASKED);
    const supplied = (wanted: readonly string[]) =>
      deps.graph.counting(() =>
        readWith(deps.graph, conversationVariables, ada.viewer.userId, {
          ...{ conversationId, alternativeId: null, wanted },
        }),
      );
    const { value } = await supplied(['recalled', 'message']);
    expect(value).toMatchObject({ message: ASKED, recalled: [{ kind: 'episode', text: DOGS }] });
    expect((await supplied(['message'])).statements).toHaveLength(1);
  });
});

describe('bad input', () => {
  it('refuses a budget that is none, and changes nothing then', async () => {
    const { viewer } = await rememberer();
    const creates = (tokens: number) => createConversation(deps, viewer, { recall: { tokens } });
    for (const tokens of [-1, 8_001, 1.5, Number.NaN])
      await refuses(creates(tokens), 'INVALID recall.tokens');
    const { id, recall } = await createConversation(deps, viewer, { recall: { tokens: 50 } });
    expect(recall).toEqual({ tokens: 50, otherConversations: true });
    const update = (more: object) => updateConversation(deps, viewer, { id, ...more });
    const wrong = update({ title: ' ', recall: { tokens: 9_000 } });
    await refuses(wrong, 'INVALID title', 'INVALID recall.tokens');
    const expected = { tokens: 50, otherConversations: false };
    expect((await update({ recall: { otherConversations: false } })).recall).toEqual(expected);
    expect((await update({ title: 'Only a title' })).recall.tokens).toBe(50);
    const expectedRecall = { tokens: 600, otherConversations: false };
    expect((await update({ recall: { tokens: null } })).recall).toEqual(expectedRecall);
    expect((await update({ recall: null })).recall.otherConversations).toBe(true);
  });

  it('takes operators of full text as words, and every text there is', async () => {
    const ada = await rememberer();
    await ada.says(await ada.starts(), DOGS);
    const hard = [
      'dogs AND (names OR "unclosed',
      '+dogs:"dogs" dogs~ /dogs.*/ [a TO an] NOT \\',
      '*:* OR *:* dogs^99 && || !',
      '犬の名前は何ですか dogs',
      `dogs ${'\ud83d'} \u0000`,
    ];
    for (const text of hard) expect(await ada.asks(text)).toContain(DOGS);
    const unanswered = ['???', '*:*', '🐕', 'the of and', '+owner:"user_other" dogs~2 /d.*/ NOT z'];
    for (const text of unanswered) expect(await ada.asks(text)).toEqual([]);
  });
});
