import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { activateAlternative } from '../../src/conversations/alternative.mutations.ts';
import { createConversation } from '../../src/conversations/conversation.mutations.ts';
import { addAlternative, appendTurn } from '../../src/conversations/turn.mutations.ts';
import type { MemoryGraphDeps } from '../../src/memory-graph/deps.ts';
import {
  type Embeddings,
  openEmbeddings,
} from '../../src/memory-graph/embeddings/embeddings.service.ts';
import { findFacts } from '../../src/memory-graph/entities/fact.cypher.ts';
import type { Fact } from '../../src/memory-graph/entities/fact.ts';
import { bindEpisode } from '../../src/memory-graph/episodes/episode.mutations.ts';
import { createEntity } from '../../src/memory-graph/resolution/create-entity.mutations.ts';
import { findCandidates, writeFacts } from '../../src/memory-graph/resolution/resolution.cypher.ts';
import type { SearchMemory } from '../../src/memory-graph/search/search.ts';
import {
  type SearchDeps,
  searchMemory,
} from '../../src/memory-graph/search/search-memory.service.ts';
import { type Embed, graphDriver } from '../../src/platform/drivers/graph-query.ts';
import { openEgress } from '../../src/platform/egress/egress.ts';
import type { Viewer } from '../../src/users/user.ts';
import { runDeps } from '../testkit/conversations.ts';
import { driverCall } from '../testkit/driver-calls.ts';
import { aloneWithVectors, scriptedEmbedder } from '../testkit/embedder.ts';
import { quiet } from '../testkit/outbox.ts';
import { newViewer, refusals, type World, world } from '../testkit/world.ts';

// S4-EPI-05: search over words, meaning and graph; scoped by owner, branch and moment.

let here: World;
let deps: MemoryGraphDeps & SearchDeps;
let embeddings: Embeddings;
let letGo: () => Promise<void>;
beforeAll(async () => {
  here = await world();
  const base = runDeps(here);
  letGo = await aloneWithVectors(base.graph);
  embeddings = openEmbeddings({
    graph: base.graph,
    log: quiet,
    embedder: scriptedEmbedder({ model: 'search' }),
    openFormer: () => scriptedEmbedder({ model: 'search' }),
  });
  deps = { ...base, embeddings, memoryMode: { mode: 'separate', agentId: null } };
}, 600_000);
afterAll(() => letGo());

const asked = (cypher: string, params: object = {}) =>
  deps.graph.read((tx) => tx.run(`// asked\n${cypher}`, { ...params }));

/** Somebody with a memory of their own. */
async function rememberer() {
  const viewer: Viewer = await newViewer(here.deps, 'ada');
  const starts = async () => (await createConversation(deps, viewer, {})).id;
  async function says(conversationId: string, content: string, more: object = {}) {
    const turn = await appendTurn(deps, viewer, { conversationId, content, ...more });
    const [row] = await asked('MATCH (a:Alternative {turnId: $id}) RETURN a.id AS id', turn);
    const alternativeId = String(row?.['id']);
    const bound = await bindEpisode(deps, alternativeId);
    return { turnId: turn.id, alternativeId, episodeUuid: bound?.episodeUuid ?? '' };
  }
  const knows = (name: string, summary: string, more: object = {}) =>
    createEntity(deps, viewer, { name, summary, ...more });
  async function fact(
    groupId: string,
    [source, name, target]: readonly [string, string, string],
    text: string,
    episodeUuid: string,
    more: Partial<Fact> = {},
  ): Promise<string> {
    const uuid = deps.newId();
    const now = new Date().toISOString();
    await deps.graph.write((tx) =>
      writeFacts(tx, {
        ownerId: viewer.userId,
        episodeUuid,
        saidAt: now,
        now,
        repeated: [],
        ended: [],
        created: [
          {
            uuid,
            name,
            fact: text,
            groupId,
            sourceUuid: source,
            targetUuid: target,
            episodes: [episodeUuid],
            validAt: null,
            invalidAt: null,
            expiredAt: null,
            createdAt: now,
            ...more,
          },
        ],
      }),
    );
    return uuid;
  }
  const embedded = async () => {
    const owner = `user_${viewer.userId.replaceAll('-', '')}`;
    const pending = () => asked('MATCH (n:Unembedded {owner: $owner}) RETURN n LIMIT 1', { owner });
    while ((await pending()).length > 0) await embeddings.embedPending();
  };
  const finds = async (query: string, more: Partial<SearchMemory> = {}) =>
    searchMemory(deps, viewer, { query, ...more });
  const uuids = async (query: string, more: Partial<SearchMemory> = {}) =>
    (await finds(query, more)).map(({ uuid }) => uuid);
  return { viewer, starts, says, knows, fact, embedded, finds, uuids };
}

describe('search (S4-EPI-05)', () => {
  it('finds entities, facts and Episodes by words and by meaning, and says why', async () => {
    const ada = await rememberer();
    const conversationId = await ada.starts();
    const said = await ada.says(conversationId, 'Marie discovered radium in Paris.');
    const marie = await ada.knows('Marie', 'A chemist.', { conversationId });
    const radium = await ada.knows('Radium', 'An element that glows.', { conversationId });
    const uuid = await ada.fact(
      conversationId,
      [marie.uuid, 'DISCOVERED', radium.uuid],
      'Marie discovered radium.',
      said.episodeUuid,
    );
    await ada.embedded();
    const hits = await ada.finds('who discovered radium?', { conversationId });
    const of = (kind: string) => hits.filter((hit) => hit.kind === kind).map((hit) => hit.uuid);
    expect(of('fact')).toEqual([uuid]);
    expect(of('episode')).toEqual([said.episodeUuid]);
    expect(of('entity')[0]).toBe(radium.uuid);
    expect(hits.find((hit) => hit.uuid === uuid)?.matched).toEqual([
      'words #1',
      expect.stringMatching(/^meaning #1 \(0\.\d\d\)$/),
    ]);
    expect(hits.map(({ score }) => score)).toEqual(
      hits.map(({ score }) => score).toSorted((a, b) => b - a),
    );
    expect(await ada.uuids('radium', { conversationId, kinds: ['fact'] })).toEqual([uuid]);
    expect(await ada.uuids('radium', { conversationId, limit: 1 })).toHaveLength(1);
    expect(await ada.uuids('radium', { kinds: [] })).toEqual([]);
  });

  it('what is nearest of one’s own is found, however much of others’ is nearer', async () => {
    const [ada, bob] = [await rememberer(), await rememberer()];
    const here = await ada.starts();
    const etna = await ada.knows('Etna', 'Spits fire.', { conversationId: here });
    const mountain = await ada.knows('Mountain', 'Spits ash.', { conversationId: here });
    await ada.embedded();
    const there = await bob.starts();
    for (let n = 0; n < 60; n++)
      await bob.knows(`Etna ${n}`, 'Spits fire over Sicily.', { conversationId: there });
    await bob.embedded();
    const hits = await ada.finds('etna spits fire', { kinds: ['entity'] });
    expect(hits.map(({ uuid }) => uuid)).toEqual([etna.uuid, mountain.uuid]);
    for (const { matched } of hits)
      expect(matched).toContainEqual(expect.stringMatching(/^meaning /));

    // And so is what somebody new may be the same as, by what is said of them (S4-ENT-07).
    const asked = await embeddings.embed(['Gibel: Spits fire over Sicily.']);
    const [vector = null] = asked?.vectors ?? [];
    const wanted = [{ key: 'gibel', name: 'Gibel', same: null, vector }];
    const scope = { ownerId: ada.viewer.userId, conversationId: here, groups: [here] };
    const found = await deps.graph.read((tx) =>
      findCandidates(tx, scope, wanted, asked?.slot ?? null),
    );
    expect(found.get('gibel')?.map(({ name }) => name)).toEqual(['Etna', 'Mountain']);
  });

  it('what is on screen is found, however much on other branches fits better', async () => {
    const ada = await rememberer();
    const conversationId = await ada.starts();
    const first = await ada.says(conversationId, 'The sea is calm today.');
    const wave = await ada.knows('Wave', 'Water.', { conversationId });
    const boat = await ada.knows('Boat', 'Floats.', { conversationId });
    const unseen = await addAlternative(deps, ada.viewer, {
      turnId: first.turnId,
      content: 'The sea is rough, rough, rough.',
    });
    const bound = await bindEpisode(deps, unseen.id);
    for (let n = 0; n < 60; n++)
      await ada.fact(
        conversationId,
        [wave.uuid, 'ROCKS', boat.uuid],
        'Rough sea.',
        bound?.episodeUuid ?? '',
      );
    const seen = await ada.fact(
      conversationId,
      [wave.uuid, 'CARRIES', boat.uuid],
      'The sea carries the boat, be it rough or calm.',
      first.episodeUuid,
    );
    await ada.embedded();
    const ask = { conversationId, kinds: ['fact'] as const };
    expect(await ada.uuids('rough sea', ask)).not.toContain(seen);
    await activateAlternative(deps, ada.viewer, { id: first.alternativeId });
    const hits = await ada.finds('rough sea', ask);
    expect(hits.map(({ uuid }) => uuid)).toEqual([seen]);
    expect(hits[0]?.matched).toEqual(['words #1', expect.stringMatching(/^meaning #1 /)]);
  });

  it("another user's group gives nothing, nor does a conversation that is not theirs", async () => {
    const [ada, eve] = [await rememberer(), await rememberer()];
    const conversationId = await ada.starts();
    await ada.says(conversationId, 'The password is swordfish.');
    const mine = await ada.knows('Swordfish', 'A password.', { conversationId });
    await ada.embedded();
    expect(await ada.uuids('swordfish')).not.toEqual([]);
    for (const more of [
      {},
      { conversationId },
      { groupIds: [conversationId] },
      { allBranches: true, groupIds: [conversationId, mine.groupId] },
    ])
      expect(await eve.uuids('swordfish', more)).toEqual([]);
    expect(await refusals(eve.finds('swordfish', { centerEntityUuid: mine.uuid }))).toEqual([
      'NOT_FOUND centerEntityUuid',
    ]);
  });

  it('what was said on a branch that is not on screen is invisible, unless it is asked for', async () => {
    const ada = await rememberer();
    const conversationId = await ada.starts();
    const first = await ada.says(conversationId, 'I live in Ravenna.');
    const marie = await ada.knows('Marie', 'A chemist.', { conversationId });
    const city = await ada.knows('Ravenna', 'A city.', { conversationId });
    const uuid = await ada.fact(
      conversationId,
      [marie.uuid, 'LIVES_IN', city.uuid],
      'Marie lives in Ravenna.',
      first.episodeUuid,
    );
    const kinds = ['fact', 'episode'] as const;
    const edit = await addAlternative(deps, ada.viewer, {
      turnId: first.turnId,
      content: 'I live in Mantua.',
    });
    const second = await bindEpisode(deps, edit.id);
    await ada.embedded();
    for (const scope of [{ conversationId }, {}]) {
      expect(await ada.uuids('Ravenna', { ...scope, kinds })).not.toContain(uuid);
      expect(await ada.uuids('Ravenna', { ...scope, kinds })).not.toContain(first.episodeUuid);
      const shown = await ada.uuids('Mantua', { ...scope, kinds });
      expect(shown).toEqual([second?.episodeUuid]);
      const all = await ada.uuids('Ravenna', { ...scope, kinds, allBranches: true });
      expect(all).toEqual(expect.arrayContaining([uuid, first.episodeUuid]));
      // What a user made is seen on every branch.
      expect(await ada.uuids('Ravenna', { ...scope, kinds: ['entity'] })).toContain(city.uuid);
    }
  });

  it('validAt asks what was true then, knownAt what was known then; what has ended is not true now', async () => {
    const ada = await rememberer();
    const conversationId = await ada.starts();
    const { episodeUuid } = await ada.says(conversationId, 'A story of moves.');
    const marie = await ada.knows('Marie', 'A chemist.', { conversationId });
    const [rome, turin] = [
      await ada.knows('Rome', 'A city.', { conversationId }),
      await ada.knows('Turin', 'A city.', { conversationId }),
    ];
    const before = await ada.fact(
      conversationId,
      [marie.uuid, 'LIVES_IN', rome.uuid],
      'Marie lives in Rome.',
      episodeUuid,
      { validAt: '2020-01-01T00:00:00.000Z', createdAt: '2020-02-01T00:00:00.000Z' },
    );
    const after = await ada.fact(
      conversationId,
      [marie.uuid, 'LIVES_IN', turin.uuid],
      'Marie lives in Turin.',
      episodeUuid,
      { validAt: '2024-01-01T00:00:00.000Z', createdAt: '2024-06-01T00:00:00.000Z' },
    );
    await deps.graph.write((tx) =>
      writeFacts(tx, {
        ownerId: ada.viewer.userId,
        episodeUuid,
        saidAt: '2024-06-01T00:00:00.000Z',
        now: '2024-06-01T00:00:00.000Z',
        created: [],
        repeated: [],
        ended: [
          {
            uuid: before,
            invalidAt: '2024-01-01T00:00:00.000Z',
            expiredAt: '2024-06-01T00:00:00.000Z',
          },
        ],
      }),
    );
    await ada.embedded();
    const at = (more: object) =>
      ada.uuids('where does Marie live', { conversationId, kinds: ['fact'], ...more });
    expect(await at({})).toEqual([after]);
    expect(await at({ validAt: '2022-01-01T00:00:00Z' })).toEqual([before]);
    expect(await at({ validAt: '2024-03-01T00:00:00Z' })).toEqual([after]);
    // In March 2024 nobody had said yet that she moved in January.
    expect(await at({ knownAt: '2024-03-01T00:00:00Z' })).toEqual([before]);
    expect(await at({ knownAt: '2019-01-01T00:00:00Z' })).toEqual([]);
    const [known] = await deps.graph.read((tx) => findFacts(tx, ada.viewer.userId, [before]));
    expect(known).toMatchObject({ invalidAt: '2024-01-01T00:00:00.000Z' });
  });

  it('a centre brings in what it has to do with; rerankers order by distance, mentions and variety', async () => {
    const ada = await rememberer();
    const conversationId = await ada.starts();
    const { episodeUuid } = await ada.says(conversationId, 'Of people and things.');
    const names = ['Marie', 'Pierre', 'Radium', 'Glowworm'];
    const made = new Map<string, string>();
    for (const name of names)
      made.set(name, (await ada.knows(name, `${name} is known.`, { conversationId })).uuid);
    const uuid = (name: string) => made.get(name) ?? '';
    const link = (one: string, name: string, other: string) =>
      ada.fact(
        conversationId,
        [uuid(one), name, uuid(other)],
        `${one} ${name} ${other}.`,
        episodeUuid,
      );
    const near = await link('Marie', 'MARRIED', 'Pierre');
    const far = await link('Pierre', 'STUDIED', 'Radium');
    const remote = await link('Radium', 'OUTSHINES', 'Glowworm');
    await ada.embedded();
    const about = { conversationId, centerEntityUuid: uuid('Marie'), kinds: ['fact'] as const };
    const hits = await ada.finds('anything', about);
    const graph = hits.filter(({ matched }) => matched.some((why) => why.startsWith('graph')));
    expect(graph.map((hit) => hit.uuid).toSorted()).toEqual([near, far].toSorted());
    const ordered = await ada.uuids('known STUDIED OUTSHINES MARRIED', {
      ...about,
      reranker: 'node_distance',
    });
    expect(ordered.indexOf(near)).toBe(0);
    expect(ordered.indexOf(remote)).toBe(2);
    await deps.graph.write((tx) =>
      tx.run(
        '// more\nMATCH ()-[r:RELATES_TO {uuid: $remote}]->() SET r.episodes = r.episodes + $more',
        { remote, more: [deps.newId(), deps.newId()] },
      ),
    );
    const most = await ada.uuids('STUDIED OUTSHINES MARRIED', {
      conversationId,
      kinds: ['fact'],
      reranker: 'episode_mentions',
    });
    expect(most[0]).toBe(remote);
    const varied = await ada.uuids('Marie MARRIED Pierre', {
      conversationId,
      kinds: ['fact'],
      reranker: 'mmr',
    });
    expect(varied).toHaveLength(3);
  });

  it('says all that is wrong with a question at once', async () => {
    const ada = await rememberer();
    expect(await refusals(ada.finds(' ', { limit: 1000, reranker: 'node_distance' }))).toEqual([
      'REQUIRED query',
      'INVALID limit',
      'REQUIRED centerEntityUuid',
    ]);
    for (const query of [
      'AND OR NOT',
      '"',
      '(((',
      '+-&|!(){}[]^~*?:\\/',
      '   ?  ',
      '日本',
      'a'.repeat(2_000),
    ])
      expect(Array.isArray(await ada.uuids(query))).toBe(true);
  });

  it('takes a bounded number of statements, whatever there is', async () => {
    const ada = await rememberer();
    const conversationId = await ada.starts();
    for (let n = 0; n < 5; n++) await ada.says(conversationId, `Radium number ${n}.`);
    await ada.embedded();
    const { statements } = await deps.graph.counting(() => ada.finds('radium', { conversationId }));
    expect(statements.length).toBeLessThanOrEqual(6);
    const all = await deps.graph.counting(() => ada.finds('radium'));
    expect(all.statements.length).toBeLessThanOrEqual(16);
  });

  it('goes by words alone where there is no model', async () => {
    const ada = await rememberer();
    const conversationId = await ada.starts();
    const { episodeUuid } = await ada.says(conversationId, 'Radium glows in the dark.');
    const none = openEmbeddings({
      graph: deps.graph,
      log: quiet,
      embedder: null,
      openFormer: () => scriptedEmbedder(),
    });
    const hits = await searchMemory({ ...deps, embeddings: none }, ada.viewer, {
      query: 'glowing radium',
      conversationId,
    });
    expect(hits).toMatchObject([
      { uuid: episodeUuid, kind: 'episode', matched: ['words #1', 'around #1'] },
    ]);
  });

  it("S4-INTR-09: the Tool of the system's Processes asks by words, meaning and what was said around, of one's own only", async () => {
    const [ada, eve] = [await rememberer(), await rememberer()];
    const conversationId = await ada.starts();
    await ada.says(conversationId, 'Radium glows in the dark.');
    await ada.says(conversationId, 'And then it was but a no to them.');
    await ada.embedded();
    const document = await readFile(new URL('../../examples/system.yaml', import.meta.url), 'utf8');
    const { tools } = parseYaml(document) as { tools: { name: string; operation: never }[] };
    const operation = tools.find(({ name }) => name === 'search memories')?.operation as never;
    const egress = openEgress({ mode: 'dev', allow: [], platformPorts: [], systemOrigins: [] });
    async function texts(viewer: Viewer, query: string, embed?: Embed): Promise<string[]> {
      const driver = graphDriver({ egress, platformGraph: deps.graph, ...(embed && { embed }) });
      const target = { connectionParams: {}, secret: null, system: true };
      const { userId: ownerId, workspace } = viewer;
      const inputs = { query, limit: 5 };
      const { output } = await driver.invoke(
        driverCall(operation, target, { inputs, ownerId, workspace }),
      );
      await driver.close();
      return (output as { text: string }[]).map(({ text }) => text);
    }
    const { embed } = embeddings;
    expect((await texts(ada.viewer, 'glowing (radium)', embed))[0]).toBe(
      'Radium glows in the dark.',
    );
    // Words that English full text leaves out, so only their meaning is left.
    expect((await texts(ada.viewer, 'and then it was', embed))[0]).toBe(
      'And then it was but a no to them.',
    );
    expect(await texts(ada.viewer, 'and then it was')).toEqual([]);
    expect(await texts(ada.viewer, 'glowing radium')).toHaveLength(2);
    expect(await texts(eve.viewer, 'glowing radium', embed)).toEqual([]);
    await egress.close();
  });
});
