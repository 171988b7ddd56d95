import { describe, expect, it } from 'vitest';
import { setActiveEntity } from '../../src/memory-graph/entities/active-entity.mutations.ts';
import { findEntities, listEntities } from '../../src/memory-graph/entities/entity.cypher.ts';
import { findFacts } from '../../src/memory-graph/entities/fact.cypher.ts';
import { NOTHING_EXTRACTED } from '../../src/memory-graph/extraction/extraction.ts';
import { rememberFact } from '../../src/memory-graph/extraction/remember.mutations.ts';
import { withoutForgotten } from '../../src/memory-graph/extraction/without-forgotten.service.ts';
import { findForgets } from '../../src/memory-graph/forgetting/forget.cypher.ts';
import {
  forgetEntity,
  forgetFact,
  forgetMemory,
} from '../../src/memory-graph/forgetting/forget.mutations.ts';
import { userGroupOf } from '../../src/memory-graph/group.ts';
import { createEntity } from '../../src/memory-graph/resolution/create-entity.mutations.ts';
import { mergeEntities } from '../../src/memory-graph/resolution/merge.mutations.ts';
import { runDeps } from '../testkit/conversations.ts';
import { readWith, writeCypher } from '../testkit/graph.ts';
import { talker } from '../testkit/memory.ts';
import { race, refuses, world } from '../testkit/world.ts';

const here = await world();
const deps = runDeps(here);
const ada = here.ada.viewer;
const bob = here.bob.viewer;

const { starts, ...talk } = talker(deps, ada);
/** Adds a message. @returns the id of its alternative */
const says = async (conversationId: string, content: string) =>
  (await talk.says(conversationId, content)).alternativeId;
/** A fact that is read out of a message. */
async function learns(
  alternativeId: string,
  subject: string,
  relation: string,
  object: string,
  statement = `${subject} ${relation.toLowerCase().replaceAll('_', ' ')} ${object}.`,
) {
  const fact = { statement, subject, relation, object, since: null, until: null };
  return rememberFact(deps, ada, { fact, alternativeId, runId: deps.newId() });
}
const run = (cypher: string, params: object) => writeCypher(deps.graph, `${cypher}`, params);
const entityNamed = async (conversationId: string, name: string) => {
  const input = { conversationId, query: name };
  const page = await readWith(deps.graph, listEntities, ada.userId, input);
  const entity = page.items.find(({ item }) => item.name === name)?.item;
  if (entity === undefined) throw new Error(`No ${name}`);
  return entity;
};
const find = async (uuid: string, viewer = ada) =>
  (await readWith(deps.graph, findEntities, viewer.userId, [uuid])).get(uuid);
const factsBy = (uuids: readonly string[]) => readWith(deps.graph, findFacts, ada.userId, uuids);
/**
 * Records that hold one of the uuids, by label or type; marks of forgotten memories are left out.
 */
const left = async (uuids: readonly string[]) =>
  (
    await run(
      `CALL () {
         MATCH (n:Entity|MergeRecord) WHERE n.uuid IN $uuids RETURN n.uuid AS at
         UNION ALL MATCH (n:EntityProfile) WHERE n.entityUuid IN $uuids RETURN 'profile' AS at
         UNION ALL MATCH (n:EntitySource) WHERE any(uuid IN $uuids WHERE n.key STARTS WITH uuid)
         RETURN n.key AS at
         UNION ALL MATCH (n:FactRef|FactRevision) WHERE n.edgeUuid IN $uuids RETURN 'of fact' AS at
         UNION ALL MATCH ()-[r:RELATES_TO]->() WHERE r.uuid IN $uuids RETURN r.fact AS at
         UNION ALL MATCH (c:Conversation {ownerId: $owner}) MATCH (ep:Episodic {group_id: c.id})
           WHERE any(uuid IN ep.entity_edges WHERE uuid IN $uuids) RETURN ep.uuid AS at
       } RETURN at`,
      { uuids, owner: ada.userId },
    )
  ).map(({ at }) => at);
const summarise = (uuid: string, summary: string, author: 'system' | 'user' = 'system') =>
  run(
    `MATCH (e:Entity {uuid: $uuid})-[:HAS_PROFILE]->(p)
     SET e.summary = $summary
     CREATE (p)-[:HAS_ENTITY_SUMMARY]->(:EntitySummary {id: $id, text: $summary, author: $author,
       createdAt: datetime()})`,
    { uuid, summary, author, id: deps.newId() },
  );
const entriesOf = async (uuid: string) =>
  (
    await run(
      `MATCH (o:OutboxEntry) WHERE o.kind = 'memory.forgotten' AND o.payload CONTAINS $uuid
       RETURN o.conversationId AS conversationId`,
      { uuid },
    )
  ).map(({ conversationId }) => conversationId);

describe('forgetting an entity', () => {
  // S4-ENT-06
  it('deletes all that the preview counts, with summaries that name it', async () => {
    const conversationId = await starts();
    const said = await says(conversationId, 'Grace lives in Oslo and works at Acme.');
    const first = await learns(said, 'Grace', 'LIVES_IN', 'Oslo');
    const second = await learns(said, 'Grace', 'WORKS_AT', 'Acme');
    const [grace, oslo, acme] = [
      await entityNamed(conversationId, 'Grace'),
      await entityNamed(conversationId, 'Oslo'),
      await entityNamed(conversationId, 'Acme'),
    ];
    await summarise(grace.uuid, 'An admiral.');
    await summarise(oslo.uuid, 'Where Grace lives.');
    await summarise(acme.uuid, 'A maker of anvils.');
    await setActiveEntity(deps, ada, { conversationId, entityUuid: grace.uuid });
    const preview = await readWith(deps.graph, findForgets, ada.userId, 'entity', [grace.uuid]);
    // A job of another test file may give them vectors meanwhile.
    const counts = { facts: 2, mentions: 1, summaries: 2, conversations: 1 };
    expect(preview.get(grace.uuid)).toMatchObject(counts);
    const forgotten = await forgetEntity(deps, ada, { uuid: grace.uuid, confirmFacts: 2 });
    expect(forgotten).toMatchObject({ uuid: grace.uuid, kind: 'entity', ...counts });
    expect(await find(grace.uuid)).toBeUndefined();
    expect(await left([grace.uuid, ...first.factUuids, ...second.factUuids])).toEqual([]);
    // The ends of its facts stay, without the texts that name it.
    expect(await find(oslo.uuid)).toMatchObject({ summary: '' });
    expect(await find(acme.uuid)).toMatchObject({ summary: 'A maker of anvils.' });
    const content = 'MATCH (a:Alternative {id: $said}) RETURN a.content AS content';
    const words = { content: 'Grace lives in Oslo and works at Acme.' };
    expect(await run(content, { said })).toEqual([words]);
    expect(await entriesOf(grace.uuid)).toEqual([conversationId]);
    const [mark] = await run(
      'MATCH (f:ForgottenMemory {uuid: $uuid}) RETURN properties(f) AS mark',
      { uuid: grace.uuid },
    );
    expect(JSON.stringify(mark)).not.toMatch(/Grace|admiral/i);
  });

  it.each([
    ['Ida', 'The capital of Florida.', 'stays'],
    ['Ida', "Ida's home.", 'goes'],
    ['Ида', 'Видаль живёт здесь.', 'stays'],
    ['Ида', 'Здесь живёт ида.', 'goes'],
    ['Ann', 'Named by Anné.', 'stays'],
    ['Ida Berg', 'Where IDA\n Berg was born.', 'goes'],
    ['Ida Berg', 'Where Ida Bergström was born.', 'stays'],
    ['C++ (old)', 'It has C++ (old) code.', 'goes'],
    ['玛丽', '玛丽住在里斯本。', 'goes'],
  ] as const)('finds %s as whole words in "%s": the summary %s', async (name, summary, outcome) => {
    const conversationId = await starts();
    const said = await says(conversationId, `${name} knows Otranto.`);
    await learns(said, name, 'KNOWS', 'Otranto');
    const { uuid } = await entityNamed(conversationId, 'Otranto');
    await summarise(uuid, summary);
    await run('MATCH (p:EntityProfile {entityUuid: $uuid}) SET p.enrichment = $enrichment', {
      uuid,
      enrichment: JSON.stringify({ summary: `A town.\n${summary}` }),
    });
    await forgetEntity(deps, ada, { uuid: (await entityNamed(conversationId, name)).uuid });
    expect((await find(uuid))?.summary).toBe(outcome === 'stays' ? summary : '');
    const [row] = await run(
      'MATCH (p:EntityProfile {entityUuid: $uuid}) RETURN p.enrichment IS NULL AS isCleared',
      { uuid },
    );
    expect(row).toEqual({ isCleared: outcome === 'goes' });
  });

  it('answers a repeated call the same, also by the uuid of a merged entity', async () => {
    const [kept, lost] = [
      await createEntity(deps, ada, { name: 'Ada Byron', summary: 'Wrote notes.' }),
      await createEntity(deps, ada, { name: 'Countess', summary: 'Of Lovelace.' }),
    ];
    await mergeEntities(deps, ada, { keepUuid: kept.uuid, mergeUuid: lost.uuid });
    const once = await forgetMemory(deps, ada, { uuid: lost.uuid });
    expect(once).toMatchObject({ uuid: kept.uuid, kind: 'entity' });
    expect(await forgetMemory(deps, ada, { uuid: lost.uuid })).toEqual(once);
    expect(await forgetEntity(deps, ada, { uuid: kept.uuid })).toEqual(once);
    await refuses(forgetMemory(deps, bob, { uuid: kept.uuid }), 'NOT_FOUND uuid');
    expect(await left([kept.uuid, lost.uuid])).toEqual([]);
  });

  it("refuses a stranger, and a number of facts that is not the entity's", async () => {
    const conversationId = await starts();
    const said = await says(conversationId, 'Ines lives in Porto.');
    const { factUuids } = await learns(said, 'Ines', 'LIVES_IN', 'Porto');
    const { uuid } = await entityNamed(conversationId, 'Ines');
    await refuses(forgetEntity(deps, bob, { uuid }), 'NOT_FOUND uuid');
    await refuses(forgetFact(deps, bob, { uuid: factUuids[0] ?? '' }), 'NOT_FOUND uuid');
    const theirs = await readWith(deps.graph, findForgets, bob.userId, 'entity', [uuid]);
    expect(theirs.size).toBe(0);
    await refuses(forgetEntity(deps, ada, { uuid, confirmFacts: 0 }), 'CONFLICT confirmFacts');
    expect(await factsBy(factUuids)).toHaveLength(1);
    await forgetEntity(deps, ada, { uuid, confirmFacts: 1 });
    await refuses(forgetEntity(deps, bob, { uuid }), 'NOT_FOUND uuid');
  });

  it('is not read again from words said before, and is from words said later', async () => {
    const conversationId = await starts();
    const before = await says(conversationId, 'Otto plays the tuba in Graz.');
    await learns(before, 'Otto', 'PLAYS', 'Tuba');
    const { uuid } = await entityNamed(conversationId, 'Otto');
    await forgetEntity(deps, ada, { uuid });
    await refuses(learns(before, 'Otto', 'LIVES_IN', 'Graz'), 'STATE statement');
    // The findings of an extraction lose the entity under its name, and where the model means it.
    const entity = (name: string) => ({ name, category: null, summary: '' });
    const read = {
      ...NOTHING_EXTRACTED,
      entities: [entity('OTTO'), entity('The tuba player'), entity('Graz')],
      same: new Map([['the tuba player', uuid]]),
    };
    const names = (saidAt: string) =>
      readWith(deps.graph, withoutForgotten, { ownerId: ada.userId, saidAt }, read).then(
        ({ entities }) => entities.map(({ name }) => name),
      );
    expect(await names('2020-01-01T00:00:00.000Z')).toEqual(['Graz']);
    expect(await names(new Date(Date.now() + 60_000).toISOString())).toHaveLength(3);
    const after = await says(conversationId, 'Otto lives in Linz.');
    await learns(after, 'Otto', 'LIVES_IN', 'Linz');
    expect((await entityNamed(conversationId, 'Otto')).uuid).not.toBe(uuid);
  });

  it('leaves nothing of a fact that is read at the same moment', async () => {
    for (let round = 0; round < 4; round += 1) {
      const conversationId = await starts();
      const name = `Racer ${round}`;
      const first = await says(conversationId, `${name} lives in Turin.`);
      await learns(first, name, 'LIVES_IN', 'Turin');
      const more = await says(conversationId, `${name} works at Fiat and likes Figs.`);
      const { uuid } = await entityNamed(conversationId, name);
      const outcomes = await race([
        () => learns(more, name, 'WORKS_AT', 'Fiat'),
        () => forgetEntity(deps, ada, { uuid }),
        () => learns(more, name, 'LIKES', 'Figs'),
      ]);
      expect(outcomes['done']).toBeGreaterThanOrEqual(1);
      expect(await find(uuid)).toBeUndefined();
      const rows = await run(
        `CALL () {
           MATCH (e:Entity {group_id: $group, name: $name}) RETURN 'entity' AS at
           UNION ALL MATCH (:Entity {group_id: $group})-[r:RELATES_TO]-() RETURN r.fact AS at
           UNION ALL MATCH (f:FactRef {owner: $owner, group_id: $group}) RETURN f.edgeUuid AS at
           UNION ALL MATCH (ep:Episodic {group_id: $group}) WHERE ep.entity_edges <> [] RETURN
           ep.uuid AS at
         } RETURN at`,
        { group: conversationId, name, owner: userGroupOf(ada.userId) },
      );
      expect(rows).toEqual([]);
    }
  });
});

describe('forgetting a fact', () => {
  it('deletes the texts that rest on it, and keeps those of users and other facts', async () => {
    const conversationId = await starts();
    const said = await says(conversationId, 'Mona lives in Rome and works at Fiat.');
    const { factUuids } = await learns(said, 'Mona', 'LIVES_IN', 'Rome');
    const other = await learns(said, 'Mona', 'WORKS_AT', 'Fiat');
    const [mona, rome] = [
      await entityNamed(conversationId, 'Mona'),
      await entityNamed(conversationId, 'Rome'),
    ];
    await summarise(mona.uuid, 'Lives in Rome.');
    await summarise(rome.uuid, 'The city where Mona lives.', 'user');
    const [uuid = ''] = factUuids;
    const forgotten = await forgetFact(deps, ada, { uuid });
    expect(forgotten).toMatchObject({ kind: 'fact', facts: 1, mentions: 0, summaries: 1 });
    expect(await left([uuid])).toEqual([]);
    expect(await factsBy(other.factUuids)).toHaveLength(1);
    expect((await find(mona.uuid))?.summary).toMatch(/^Mona works at Fiat \(since [^)]+\)\.$/);
    expect(await find(rome.uuid)).toMatchObject({ summary: 'The city where Mona lives.' });
    expect(await forgetMemory(deps, ada, { uuid })).toEqual(forgotten);
    await refuses(learns(said, 'Mona', 'LIVES_IN', 'Rome'), 'STATE statement');
    expect(await entriesOf(uuid)).toEqual([conversationId]);
  });

  it('stops an enrichment that has read it: its run writes nothing', async () => {
    const conversationId = await starts();
    const said = await says(conversationId, 'Nils lives in Umea.');
    const { factUuids } = await learns(said, 'Nils', 'LIVES_IN', 'Umea');
    const { uuid } = await entityNamed(conversationId, 'Nils');
    await run("MATCH (p:EntityProfile {entityUuid: $uuid}) SET p.enrichmentRunId = 'under way'", {
      uuid,
    });
    await forgetFact(deps, ada, { uuid: factUuids[0] ?? '' });
    const [row] = await run(
      'MATCH (p:EntityProfile {entityUuid: $uuid}) RETURN p.enrichmentRunId AS runId',
      { uuid },
    );
    expect(row).toEqual({ runId: null });
  });
});
