import { afterAll, describe, expect, it } from 'vitest';
import { activateAlternative } from '../../src/conversations/alternative.mutations.ts';
import { createConversation } from '../../src/conversations/conversation.mutations.ts';
import { addAlternative } from '../../src/conversations/turn.mutations.ts';
import { openEmbeddings } from '../../src/memory-graph/embeddings/embeddings.service.ts';
import { findFacts } from '../../src/memory-graph/entities/fact.cypher.ts';
import { bindEpisode } from '../../src/memory-graph/episodes/episode.mutations.ts';
import { createEntity } from '../../src/memory-graph/resolution/create-entity.mutations.ts';
import { findCandidates, writeFacts } from '../../src/memory-graph/resolution/resolution.cypher.ts';
import { SEARCH_LIMIT_DEFAULT, type SearchMemory } from '../../src/memory-graph/search/search.ts';
import { searchMemory } from '../../src/memory-graph/search/search-memory.service.ts';
import type { Viewer } from '../../src/users/user.ts';
import { runDeps } from '../testkit/conversations.ts';
import { aloneWithVectors, scriptedEmbedder } from '../testkit/embedder.ts';
import { NO_AGENT } from '../testkit/fixed.ts';
import { readWith, runCypher, writeCypher, writeWith } from '../testkit/graph.ts';
import { insertFact, talker } from '../testkit/memory.ts';
import { quiet } from '../testkit/outbox.ts';
import { newViewer, refuses, world } from '../testkit/world.ts';

// S4-EPI-05: search over words, meaning and graph; scoped by owner, branch and moment.

const here = await world();
const base = runDeps(here);
const letGo = await aloneWithVectors(base.graph);
const embeddings = openEmbeddings({
  graph: base.graph,
  log: quiet,
  embedder: scriptedEmbedder({ model: 'search' }),
  openFormer: () => scriptedEmbedder({ model: 'search' }),
});
const deps = { ...base, embeddings, memoryMode: NO_AGENT };
afterAll(() => letGo());

/** A user with a memory and a conversation of their own. */
async function rememberer() {
  const viewer: Viewer = await newViewer(here.deps, 'ada');
  const { says } = talker(deps, viewer);
  const { id } = await createConversation(deps, viewer, {});
  type Link = readonly [{ uuid: string }, string, { uuid: string }];
  const uuids = async (query: string, more: Partial<SearchMemory> = {}) =>
    (await finds(query, more)).map(({ uuid }) => uuid);
  /** Those that fit, then the nearest others. */
  const finds = async (query: string, more: Partial<SearchMemory> = {}) => {
    const { hits, nearest } = await searchMemory(deps, viewer, { query, ...more });
    return [...hits, ...nearest].slice(0, more.limit ?? SEARCH_LIMIT_DEFAULT);
  };
  return {
    viewer,
    /** Its conversation. */
    id,
    says: (content: string) => says(id, content),
    /** A new version of a turn, with its Episode. */
    edits: async (turnId: string, content: string) => {
      const edit = await addAlternative(deps, viewer, { turnId, content });
      return (await bindEpisode(deps, edit.id))?.episodeUuid ?? '';
    },
    knows: (name: string, summary: string) =>
      createEntity(deps, viewer, { name, summary, conversationId: id }),
    fact: ([source, name, target]: Link, fact: string, episode: string, more = {}) =>
      insertFact(deps, viewer.userId, {
        groupId: id,
        name,
        fact,
        sourceUuid: source.uuid,
        targetUuid: target.uuid,
        episodes: [episode],
        ...more,
      }),
    embedded: async () => {
      const owner = `user_${viewer.userId.replaceAll('-', '')}`;
      const pending = 'MATCH (n:Unembedded {owner: $owner}) RETURN n LIMIT 1';
      while ((await runCypher(deps.graph, pending, { owner })).length > 0)
        await embeddings.embedPending();
    },
    finds,
    uuids,
  };
}

describe('search (S4-EPI-05)', () => {
  it('finds entities, facts and Episodes by words and by meaning, and says why', async () => {
    const ada = await rememberer();
    const conversationId = ada.id;
    const { episodeId } = await ada.says('Marie discovered radium in Paris.');
    const marie = await ada.knows('Marie', 'A chemist.');
    const radium = await ada.knows('Radium', 'An element that glows.');
    const link = [marie, 'DISCOVERED', radium] as const;
    const uuid = await ada.fact(link, 'Marie discovered radium.', episodeId);
    await ada.embedded();
    const hits = await ada.finds('who discovered radium?', { conversationId });
    const of = (kind: string) => hits.filter((hit) => hit.kind === kind).map((hit) => hit.uuid);
    expect(of('fact')).toEqual([uuid]);
    expect(of('episode')).toEqual([episodeId]);
    expect(of('entity')[0]).toBe(radium.uuid);
    const why = ['words #1', expect.stringMatching(/^meaning #1 \(0\.\d\d\)$/)];
    expect(hits.find((hit) => hit.uuid === uuid)?.matched).toEqual(why);
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(await ada.uuids('radium', { conversationId, kinds: ['fact'] })).toEqual([uuid]);
    expect(await ada.uuids('radium', { conversationId, limit: 1 })).toHaveLength(1);
    expect(await ada.uuids('radium', { kinds: [] })).toEqual([]);
  });

  it('finds the nearest of one’s own, however much of others’ is nearer', async () => {
    const [ada, bob] = [await rememberer(), await rememberer()];
    const etna = await ada.knows('Etna', 'Spits fire.');
    const mountain = await ada.knows('Mountain', 'Spits ash.');
    await ada.embedded();
    for (let n = 0; n < 60; n++) await bob.knows(`Etna ${n}`, 'Spits fire over Sicily.');
    await bob.embedded();
    const hits = await ada.finds('etna spits fire', { kinds: ['entity'] });
    expect(hits.map(({ uuid }) => uuid)).toEqual([etna.uuid, mountain.uuid]);
    for (const { matched } of hits)
      expect(matched).toContainEqual(expect.stringMatching(/^meaning /));

    // The same holds for entities that a new one may be the same as (S4-ENT-07).
    const asked = await embeddings.embed(['Gibel: Spits fire over Sicily.']);
    const [vector = null] = asked?.vectors ?? [];
    const wanted = [{ key: 'gibel', name: 'Gibel', same: null, vector }];
    const scope = { ownerId: ada.viewer.userId, conversationId: ada.id, groups: [ada.id] };
    const slot = asked?.slot ?? null;
    const found = await readWith(deps.graph, findCandidates, scope, wanted, slot);
    expect(found.get('gibel')?.map(({ name }) => name)).toEqual(['Etna', 'Mountain']);
  });

  it('finds the fact on screen, however much on other branches fits better', async () => {
    const ada = await rememberer();
    const first = await ada.says('The sea is calm today.');
    const wave = await ada.knows('Wave', 'Water.');
    const boat = await ada.knows('Boat', 'Floats.');
    const unseen = await ada.edits(first.turnId, 'The sea is rough, rough, rough.');
    for (let n = 0; n < 60; n++) await ada.fact([wave, 'ROCKS', boat], 'Rough sea.', unseen);
    const text = 'The sea carries the boat, be it rough or calm.';
    const seen = await ada.fact([wave, 'CARRIES', boat], text, first.episodeId);
    await ada.embedded();
    const ask = { conversationId: ada.id, kinds: ['fact'] as const };
    expect(await ada.uuids('rough sea', ask)).not.toContain(seen);
    await activateAlternative(deps, ada.viewer, { id: first.alternativeId });
    const hits = await ada.finds('rough sea', ask);
    expect(hits.map(({ uuid }) => uuid)).toEqual([seen]);
    expect(hits[0]?.matched).toEqual(['words #1', expect.stringMatching(/^meaning #1 /)]);
  });

  it("gives nothing of another user's group or conversation", async () => {
    const [ada, eve] = [await rememberer(), await rememberer()];
    await ada.says('The password is swordfish.');
    const mine = await ada.knows('Swordfish', 'A password.');
    await ada.embedded();
    expect(await ada.uuids('swordfish')).not.toEqual([]);
    for (const more of [
      {},
      { conversationId: ada.id },
      { groupIds: [ada.id] },
      { allBranches: true, groupIds: [ada.id, mine.groupId] },
    ])
      expect(await eve.uuids('swordfish', more)).toEqual([]);
    const asked = eve.finds('swordfish', { centerEntityUuid: mine.uuid });
    await refuses(asked, 'NOT_FOUND centerEntityUuid');
  });

  it('leaves out words of a branch that is not on screen, unless they are asked for', async () => {
    const ada = await rememberer();
    const first = await ada.says('I live in Ravenna.');
    const marie = await ada.knows('Marie', 'A chemist.');
    const city = await ada.knows('Ravenna', 'A city.');
    const link = [marie, 'LIVES_IN', city] as const;
    const uuid = await ada.fact(link, 'Marie lives in Ravenna.', first.episodeId);
    const second = await ada.edits(first.turnId, 'I live in Mantua.');
    await ada.embedded();
    for (const scope of [{ conversationId: ada.id }, {}]) {
      const given = { ...scope, kinds: ['fact', 'episode'] as const };
      const found = await ada.uuids('Ravenna', given);
      expect(found).not.toContain(uuid);
      expect(found).not.toContain(first.episodeId);
      expect(await ada.uuids('Mantua', given)).toEqual([second]);
      const all = await ada.uuids('Ravenna', { ...given, allBranches: true });
      expect(all).toEqual(expect.arrayContaining([uuid, first.episodeId]));
      // Entities that a user made are seen on every branch.
      expect(await ada.uuids('Ravenna', { ...scope, kinds: ['entity'] })).toContain(city.uuid);
    }
  });

  it('asks by validAt for facts true then, by knownAt for facts known then', async () => {
    const ada = await rememberer();
    const { episodeId } = await ada.says('A story of moves.');
    const marie = await ada.knows('Marie', 'A chemist.');
    const lives = async (city: string, validAt: string, createdAt: string) =>
      ada.fact(
        [marie, 'LIVES_IN', await ada.knows(city, 'A city.')],
        `Marie lives in ${city}.`,
        episodeId,
        { validAt, createdAt },
      );
    const [invalidAt, expiredAt] = ['2024-01-01T00:00:00.000Z', '2024-06-01T00:00:00.000Z'];
    const before = await lives('Rome', '2020-01-01T00:00:00.000Z', '2020-02-01T00:00:00.000Z');
    const after = await lives('Turin', invalidAt, expiredAt);
    await writeWith(deps.graph, writeFacts, {
      ownerId: ada.viewer.userId,
      episodeUuid: episodeId,
      saidAt: expiredAt,
      now: expiredAt,
      created: [],
      repeated: [],
      ended: [{ uuid: before, invalidAt, expiredAt, byFact: after }],
    });
    await ada.embedded();
    const asked = { conversationId: ada.id, kinds: ['fact'] as const };
    for (const [more, found] of [
      [{}, [after]],
      [{ validAt: '2022-01-01T00:00:00Z' }, [before]],
      [{ validAt: '2024-03-01T00:00:00Z' }, [after]],
      // In March 2024 no message had said yet that she moved in January.
      [{ knownAt: '2024-03-01T00:00:00Z' }, [before]],
      [{ knownAt: '2019-01-01T00:00:00Z' }, []],
    ] as const)
      expect(await ada.uuids('where does Marie live', { ...asked, ...more })).toEqual(found);
    const [known] = await readWith(deps.graph, findFacts, ada.viewer.userId, [before]);
    expect(known).toMatchObject({ invalidAt });
  });

  it('adds the facts around a centre, and reranks by distance, mentions and variety', async () => {
    const ada = await rememberer();
    const { episodeId } = await ada.says('Of people and things.');
    const names = ['Marie', 'Pierre', 'Radium', 'Glowworm'];
    const made = await Promise.all(names.map((name) => ada.knows(name, `${name} is known.`)));
    const link = (at: number, name: string) => {
      const [one, other] = [made[at], made[at + 1]];
      if (one === undefined || other === undefined) throw new Error(`Nothing at ${at}.`);
      return ada.fact([one, name, other], `${one.name} ${name} ${other.name}.`, episodeId);
    };
    const near = await link(0, 'MARRIED');
    const far = await link(1, 'STUDIED');
    const remote = await link(2, 'OUTSHINES');
    await ada.embedded();
    const asked = { conversationId: ada.id, kinds: ['fact'] as const };
    const about = { ...asked, centerEntityUuid: made[0]?.uuid ?? '' };
    const hits = await ada.finds('anything', about);
    const graph = hits.filter(({ matched }) => matched.some((why) => why.startsWith('graph')));
    expect(graph.map((hit) => hit.uuid).toSorted()).toEqual([near, far].toSorted());
    const words = 'known STUDIED OUTSHINES MARRIED';
    const ordered = await ada.uuids(words, { ...about, reranker: 'node_distance' });
    expect([ordered.indexOf(near), ordered.indexOf(remote)]).toEqual([0, 2]);
    await writeCypher(
      deps.graph,
      'MATCH ()-[r:RELATES_TO {uuid: $remote}]->() SET r.episodes = r.episodes + $more',
      { remote, more: [deps.newId(), deps.newId()] },
    );
    const most = await ada.uuids(words.slice(6), { ...asked, reranker: 'episode_mentions' });
    expect(most[0]).toBe(remote);
    const varied = await ada.uuids('Marie MARRIED Pierre', { ...asked, reranker: 'mmr' });
    expect(varied).toHaveLength(3);
  });

  it('names all faults of a question at once, and takes any text as words', async () => {
    const ada = await rememberer();
    await refuses(
      ada.finds(' ', { limit: 1000, reranker: 'node_distance' }),
      'REQUIRED query',
      'INVALID limit',
      'REQUIRED centerEntityUuid',
    );
    const operators = '+-&|!(){}[]^~*?:\\/';
    for (const query of ['AND OR NOT', '"', '(((', operators, '   ?  ', '日本', 'a'.repeat(2_000)])
      expect(Array.isArray(await ada.uuids(query))).toBe(true);
  });

  it('takes a bounded number of statements, whatever there is', async () => {
    const ada = await rememberer();
    for (let n = 0; n < 3; n++) await ada.says(`Radium number ${n}.`);
    await ada.embedded();
    const countOf = async (more: object) =>
      (await deps.graph.counting(() => ada.finds('radium', more))).statements.length;
    expect(await countOf({ conversationId: ada.id })).toBeLessThanOrEqual(9);
    expect(await countOf({})).toBeLessThanOrEqual(21);
  });
});
