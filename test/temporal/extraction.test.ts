import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createMemoryGraphActivities } from '../../activities/memory.ts';
import { listMemoryEvents } from '../../src/agent-memory/events/event-list.service.ts';
import { memoryEventProjection } from '../../src/agent-memory/events/memory-event.projection.ts';
import type { JsonObject } from '../../src/common/json.ts';
import { forkConversation } from '../../src/conversations/fork.mutations.ts';
import { setActiveEntity } from '../../src/memory-graph/entities/active-entity.mutations.ts';
import { enrichEntity } from '../../src/memory-graph/entities/enrichment.mutations.ts';
import { listEntitySummaries } from '../../src/memory-graph/entities/entity-summary.cypher.ts';
import { chooseEntitySummary } from '../../src/memory-graph/entities/entity-summary.mutations.ts';
import { userGroupOf } from '../../src/memory-graph/group.ts';
import { createEntity } from '../../src/memory-graph/resolution/create-entity.mutations.ts';
import { listEntries } from '../../src/outbox/entry.cypher.ts';
import { findRunById } from '../../src/runs/run/run.cypher.ts';
import type { Viewer } from '../../src/users/user.ts';
import { readWith } from '../testkit/graph.ts';
import { fixedSettings } from '../testkit/memory.ts';
import { openMemoryWorld, type Rememberer, saying } from '../testkit/memory-world.ts';
import { eventually } from '../testkit/outbox.ts';
import { refuses } from '../testkit/world.ts';

// S4-EPI-04, S4-ENT: turns are read by a Process that is data, as the conversation's owner,
// with the model of their choice.

const here = await openMemoryWorld();
afterAll(() => here.close());

const entity = (name: string, category = 'Person', summary = '') => ({ name, category, summary });
const fact = (source: string, relation: string, target: string, more: object = {}) => ({
  source,
  target,
  relation,
  fact: `${source} ${relation.toLowerCase().replaceAll('_', ' ')} ${target}.`,
  valid_at: null,
  invalid_at: null,
  ...more,
});
/**
 * Events of the agent memory about a conversation, its runs included, once the extraction has
 * ended.
 */
async function remembered(viewer: Viewer, conversationId: string): Promise<string[]> {
  const { engine } = here;
  const entries = await readWith(
    engine.graph,
    listEntries,
    { conversationId },
    { afterSeq: 0, limit: 1_000 },
  );
  expect(entries.filter(({ kind }) => kind === 'step.ended')).not.toEqual([]);
  const memoryMode = { mode: 'separate', agentId: null } as const;
  const settings = fixedSettings({});
  await memoryEventProjection({ ...engine.deps, settings, memoryMode, random: Math.random }).handle(
    entries,
  );
  const about = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  const input = { ...about, sessionId: conversationId };
  const { items } = await listMemoryEvents({ graph: engine.graph, memoryMode }, viewer, input);
  return items.map(({ item }) => `${item.eventType}: ${item.text}`).sort();
}
/** Text, author and state of each stored summary, newest first. */
async function summariesOf(viewer: Viewer, uuid: string): Promise<string[][]> {
  const { graph } = here.engine;
  const found = await readWith(graph, listEntitySummaries, viewer.userId, [uuid]);
  return (found.get(uuid) ?? []).map(({ text, author, isCurrent, isProposed }) => [
    text,
    author,
    isCurrent ? 'current' : isProposed ? 'proposed' : '',
  ]);
}
const NOTHING_KNOWN = { same: [], repeated: [], ended: [] };
/** A user says a text in which their model finds these entities and facts. */
const tells = (
  user: Rememberer,
  conversationId: string,
  text: string,
  entities: JsonObject[],
  facts: JsonObject[] = [],
  known: JsonObject = NOTHING_KNOWN,
) => user.tells(conversationId, text, { entities }, { facts }, known);

describe('reading an Episode', () => {
  it('no people of what a Tool returned, by no model; known names alone', async () => {
    const ada = await here.person();
    const conversationId = await ada.starts();
    await tells(ada, conversationId, 'Ask Grace.', [entity('Grace')]);
    const calls = here.llm.requestsOf(ada.model).length;
    const content = '{"assignee": "Grace", "reporter": "Edsger Fox", "key": "QUO-331"}';
    const more = { speaker: 'agent', turnType: 'tool_result' } as const;
    const end = await here.ingested(await ada.says(conversationId, content, more));
    expect(end).toMatchObject({ status: 'by names', runId: null, faults: [] });
    expect(here.llm.requestsOf(ada.model)).toHaveLength(calls);
    expect((await ada.entities()).map(({ name }) => name)).toEqual(['Grace']);
  });

  // S4-EPI-04, S4-ENT-11
  it('entities it mentions and facts between them, by the model of memorySettings', async () => {
    const ada = await here.person();
    const conversationId = await ada.starts();
    const end = await tells(
      ada,
      conversationId,
      'Grace works at Acme since 2024.',
      [entity('Grace', 'Person', 'Works at Acme.'), entity('Acme', 'Organization')],
      [fact('Grace', 'WORKS_AT', 'Acme', { valid_at: '2024-01-01' })],
    );
    expect(end).toMatchObject({ status: 'read', faults: [] });
    const run = await readWith(here.engine.graph, findRunById, end.runId ?? '');
    expect(run).toMatchObject({
      status: 'completed',
      ownerId: ada.viewer.userId,
      conversationId,
      processName: 'extract memories',
    });
    const expected = ['session_start: ', 'user_message: Grace works at Acme since 2024.'];
    expect(await remembered(ada.viewer, conversationId)).toEqual(expected);
    expect(here.llm.requestsOf(ada.model)).toHaveLength(1);
    const grace = await ada.entity('Grace');
    expect(grace).toMatchObject({
      entityType: 'Person',
      summary: 'Grace works at Acme (since 1 January 2024).',
      groupId: userGroupOf(ada.viewer.userId),
      edgeCount: 1,
      typing: { category: 'Person', inferredBy: 'graphiti' },
      sources: [{ type: 'graphiti', episodeId: end.episodeUuid, originalName: 'Grace' }],
    });
    const facts = await ada.facts(grace.uuid);
    expect(facts).toMatchObject([
      {
        name: 'WORKS_AT',
        fact: 'Grace works at Acme.',
        validAt: '2024-01-01T00:00:00.000Z',
        invalidAt: null,
        expiredAt: null,
        episodes: [end.episodeUuid],
      },
    ]);
    const [episode] = (await here.asked(
      `MATCH (ep:Episodic {uuid: $episodeUuid}) RETURN ep.entity_edges AS edges,
      [(ep)-[:MENTIONS]->(e) | e.name] AS names`,
      end,
    )) as Record<string, string[]>[];
    expect(episode?.['edges']).toEqual(facts.map(({ uuid }) => uuid));
    expect(episode?.['names']?.sort()).toEqual(['Acme', 'Grace']);
  });

  it('a newer fact that contradicts ends the older; a repeated one is the same', async () => {
    const ada = await here.person();
    const conversationId = await ada.starts();
    const people = [entity('Grace'), entity('Rome', 'Place'), entity('Turin', 'Place')];
    const rome = fact('Grace', 'LIVES_IN', 'Rome', { valid_at: '2020-01-01' });
    await tells(ada, conversationId, 'Grace lives in Rome.', people, [rome]);
    const again = await tells(ada, conversationId, 'Yes, Rome.', people, [rome]);
    await tells(ada, conversationId, 'She moved to Turin.', people, [
      fact('Grace', 'MOVED_TO', 'Turin', { valid_at: '2025-05-01' }),
    ]);
    const known = (await ada.facts((await ada.entity('Grace')).uuid)).toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    );
    expect(known).toMatchObject([
      { name: 'LIVES_IN', invalidAt: '2025-05-01T00:00:00.000Z' },
      { name: 'MOVED_TO', invalidAt: null, expiredAt: null },
    ]);
    expect(known[0]?.expiredAt).not.toBeNull();
    expect(known[0]?.episodes).toHaveLength(2);
    expect(known[0]?.episodes).toContain(again.episodeUuid);
    // A model may say so too, of any relation.
    await tells(
      ada,
      conversationId,
      'Grace no longer likes Turin.',
      people,
      [fact('Grace', 'DISLIKES', 'Turin', { valid_at: '2026-01-01' })],
      { ...NOTHING_KNOWN, ended: [{ fact: 'Grace dislikes Turin.', uuid: known[1]?.uuid ?? '' }] },
    );
    const later = await ada.facts((await ada.entity('Grace')).uuid);
    expect(later.find(({ name }) => name === 'MOVED_TO')?.invalidAt).toBe(
      '2026-01-01T00:00:00.000Z',
    );
    const revisions = await here.asked(
      'MATCH (r:FactRevision) WHERE r.edgeUuid IN $uuids RETURN r',
      {
        uuids: known.map(({ uuid }) => uuid),
      },
    );
    expect(revisions).toHaveLength(2);
  });

  // S4-ENT-07
  it('an entity of a user is found by name and keeps its uuid, name and summary', async () => {
    const ada = await here.person();
    const conversationId = await ada.starts();
    const input = { conversationId, name: 'Grace Hopper', summary: 'An admiral.' };
    const made = await createEntity(here.engine.knowledge, ada.viewer, input);
    const given = { name: 'COBOL', summary: 'A language.' };
    const own = await createEntity(here.engine.knowledge, ada.viewer, given);
    const end = await tells(
      ada,
      conversationId,
      'grace hopper made COBOL.',
      [entity('grace  hopper', 'Person', 'Made COBOL.')],
      [fact('Grace Hopper', 'MADE', 'COBOL')],
    );
    const [hopper, cobol] = [await ada.entity('Grace Hopper'), await ada.entity('COBOL')];
    expect([hopper.uuid, cobol.uuid]).toEqual([made.uuid, own.uuid]);
    expect(hopper.sources.map(({ type }) => type)).toEqual(['user', 'graphiti']);
    const expected = { originalName: 'grace hopper', episodeId: end.episodeUuid };
    expect(hopper.sources[1]).toMatchObject(expected);
    expect(hopper.summary).toMatch(/^An admiral\.\nGrace Hopper made COBOL \(since [^)]+\)\.$/);
    expect(hopper.entityType).toBe('Person');
    // It was named word for word, so it is mentioned though the model left it out.
    expect(cobol.edgeCount).toBe(1);
    expect(await ada.facts(cobol.uuid)).toMatchObject([{ name: 'MADE', sourceUuid: made.uuid }]);
    expect(await ada.entities()).toHaveLength(2);
  });

  it('impossible facts leave faults, and nothing malformed in the graph', async () => {
    const calm = await here.person();
    const third = await calm.starts();
    const many = Array.from({ length: 100 }, () => entity('Grace'));
    const odd = await tells(calm, third, 'Grace is odd.', many, [
      fact('Grace', 'KNOWS', 'Grace'),
      fact('Grace', 'KNOWS', 'Nobody'),
      { ...fact('Grace', 'X', 'Grace'), valid_at: '2026-02-31' },
    ]);
    expect(odd.status).toBe('read');
    expect(odd.faults.length).toBeGreaterThan(0);
    expect(await calm.entities()).toHaveLength(1);
    expect(await calm.facts((await calm.entity('Grace')).uuid)).toEqual([]);
    // It went on: the next turn is read as ever.
    const next = await tells(calm, third, 'Rome.', [entity('Rome', 'Place')]);
    expect(next.status).toBe('read');
  });

  // S4-EPI-04
  it('a text too long for a model is read in parts; a bad part spoils no other', async () => {
    const ada = await here.person();
    const conversationId = await ada.starts();
    const names = ['Amsterdam', 'Bergen', 'Cadiz', 'Dublin', 'Esbjerg'];
    const filling = 'There was nothing else to be seen on that day. '.repeat(240);
    here.llm.answers(ada.model, ({ system, messages }) => {
      // The first: an unusable answer is asked for once more.
      const asked = messages[0]?.content ?? '';
      const content = /<messages>([\s\S]*)<\/messages>/.exec(asked)?.[1] ?? '';
      expect(content.length).toBeLessThan(24_100);
      if (content.includes('Cadiz')) return { text: 'No.' };
      const seen = names.filter((name) => content.includes(name));
      if (!system.includes('{entities:')) return saying({ ...NOTHING_KNOWN, facts: [] });
      const entities = seen.map((name) => entity(name, 'Place', `${name} was seen.`));
      return saying({ entities, facts: [] });
    });
    const text = names.map((name) => `We came to ${name}. ${filling}`).join('\n\n');
    expect(text.length).toBeGreaterThan(50_000);
    const end = await here.ingested(await ada.says(conversationId, text));
    expect(end).toMatchObject({
      status: 'read',
      faults: [expect.stringContaining('The run failed: OUTPUT_INVALID')],
    });
    const found = (await ada.entities()).map(({ name }) => name).toSorted();
    expect(found).toEqual(expect.arrayContaining(['Amsterdam', 'Esbjerg']));
    expect(found).not.toContain('Cadiz');
    const runs = (await here.asked(
      'MATCH (r:ProcessRun {conversationId: $conversationId}) RETURN r.status AS status',
      { conversationId },
    )) as { status: string }[];
    const expected = ['completed', 'completed', 'failed'];
    expect(runs.map(({ status }) => status).toSorted()).toEqual(expected);
  });

  it('one name said twice at once is one entity', async () => {
    const ada = await here.person();
    const conversationId = await ada.starts();
    here.llm.script(
      Array.from({ length: 12 }, () => ({
        text: JSON.stringify({ entities: [entity('Grace')], facts: [], ...NOTHING_KNOWN }),
      })),
      ada.model,
    );
    const said: string[] = [];
    for (let n = 0; n < 4; n++) said.push(await ada.says(conversationId, `Grace, number ${n}`));
    for (const id of said) await here.ingested(id);
    expect((await ada.entity('Grace')).edgeCount).toBe(4);
  });
});

describe('turns that wait', () => {
  it('are read by one run once the conversation is quiet, each finding in its turn', async () => {
    const ada = await here.person(false);
    const conversationId = await ada.starts();
    const activities = createMemoryGraphActivities({
      ...here.engine.knowledge,
      // Longer than the binding of the last turn takes on a busy machine.
      extractionQuietSeconds: 8,
    });
    const said: string[] = [];
    for (const content of ['Grace works at Acme.', 'What does she do there?', 'Grace met Alan.']) {
      const alternativeId = await ada.says(conversationId, content);
      await activities.bindEpisode({ alternativeId });
      said.push(alternativeId);
    }
    const [first = '', , last = ''] = said;
    const early = await activities.startExtraction({ alternativeId: first });
    expect(early).toEqual({ waitMs: expect.any(Number) });
    here.llm.script(
      [
        saying({
          entities: [entity('Grace', 'Person', 'Works.'), entity('Acme'), entity('Alan')],
          facts: [fact('Grace', 'WORKS_AT', 'Acme'), fact('Grace', 'MET', 'Alan')],
        }),
      ],
      ada.model,
    );
    let runId: string | null = null;
    await eventually('the conversation is quiet', async () => {
      const started = await Promise.all(
        said.map((alternativeId) => activities.startExtraction({ alternativeId })),
      );
      runId = z.string().nullable().catch(null).parse(started[0]);
      return runId !== null && started.every((one) => one === runId);
    });
    await here.engine.wait(ada.viewer, runId ?? '');
    await Promise.all(
      said.map((alternativeId) => activities.applyExtraction({ alternativeId, runId })),
    );
    expect(here.llm.requestsOf(ada.model)).toHaveLength(1);
    const mentioned = await here.asked(
      `UNWIND $said AS id MATCH (:Alternative {id: id})-[:HAS_CONTENT]->(ep)
       RETURN COLLECT { MATCH (ep)-[:MENTIONS]->(e) RETURN e.name ORDER BY e.name } AS names,
         size(ep.entity_edges) AS facts`,
      { said },
    );
    expect(mentioned).toEqual([
      { names: ['Acme', 'Grace'], facts: 1 },
      { names: [], facts: 0 },
      { names: ['Alan', 'Grace'], facts: 1 },
    ]);
    const met = (await ada.facts((await ada.entity('Grace')).uuid)).find(
      (one) => one.name === 'MET',
    );
    expect((await here.ingested(last)).episodeUuid).toBe(met?.episodes[0]);
  });
});

describe('the cost of a turn', () => {
  it('is the same number of statements, however much is said and known (S4-EPI-04)', async () => {
    const ada = await here.person(false);
    const conversationId = await ada.starts();
    const { graph, knowledge } = here.engine;
    const activities = createMemoryGraphActivities(knowledge);
    const PER_TURN = 20;
    const nameOf = (n: number) => `Q${n}x${(n * 7919) % 1_009} Z${n * 13}`;
    const namesIn = (turn: number) => {
      const from = (turn - 1) * PER_TURN;
      // Half of them were named in the turn before.
      return Array.from({ length: PER_TURN + PER_TURN / 2 }, (_, n) => nameOf(from + n));
    };
    async function told(turn: number): Promise<string[]> {
      const names = namesIn(turn);
      here.llm.script(
        [
          {
            entities: names.map((name) => entity(name, 'Person', `Told of in turn ${turn}.`)),
            facts: names.slice(1).map((name) => fact(names[0] ?? '', 'LIVES_IN', name)),
          },
          NOTHING_KNOWN,
        ].map(saying),
        ada.model,
      );
      const alternativeId = await ada.says(conversationId, `${turn}: ${names.join(', ')}.`);
      const started = await graph.counting(async () => {
        await activities.bindEpisode({ alternativeId });
        return activities.startExtraction({ alternativeId });
      });
      const runId = z.string().parse(started.value);
      expect((await here.engine.wait(ada.viewer, runId)).status).toBe('completed');
      const applied = await graph.counting(async () => {
        await activities.applyExtraction({ alternativeId, runId });
        await activities.embedNew();
      });
      const all = [...started.statements, ...applied.statements].map(({ name }) => name);
      // Settings are kept for a while, so later turns may find them cached.
      return all.filter((name) => name !== 'findSettings');
    }
    await told(1);
    const early = await told(2);
    await told(3);
    expect(await told(4)).toEqual(early);
    expect(early.length).toBeLessThanOrEqual(42);
    const [known] = (await here.asked(
      'MATCH (e:Entity {group_id: $group}) RETURN count(e) AS count',
      { group: userGroupOf(ada.viewer.userId) },
    )) as { count: number }[];
    expect(known?.count).toBe(4 * PER_TURN + PER_TURN / 2);
  });
});

describe('enrichment', () => {
  // S4-ENT-08, -09, -10
  it('the fifth mention starts it, once; it adds and takes nothing away', async () => {
    const ada = await here.person();
    const conversationId = await ada.starts();
    const made = await createEntity(here.engine.knowledge, ada.viewer, {
      conversationId,
      name: 'Grace',
      summary: 'A friend.',
      category: 'Person',
      facets: { domain: ['navy'] },
    });
    const mention: JsonObject[] = [{ entities: [entity('Grace')] }, { facts: [] }, NOTHING_KNOWN];
    const runs = () =>
      here.asked(
        "MATCH (r:ProcessRun {ownerId: $id, processName: 'enrich entity'}) RETURN r.id AS id",
        { id: ada.viewer.userId },
      ) as Promise<unknown[]>;
    // One entity and nothing else known: facts are not asked for, so neither is the resolution.
    for (let n = 0; n < 4; n++) await ada.tells(conversationId, `Grace, ${n}.`, ...mention);
    expect(await runs()).toHaveLength(0);
    here.llm.script([], ada.model);
    await ada.tells(conversationId, 'Grace again.', ...mention, {
      summary: 'An admiral and a friend.',
      category: 'Concept',
      confidence: 0.8,
      facets: { domain: ['computing'], status: ['active'] },
    });
    await eventually('it is enriched', async () => (await ada.entity('Grace')).enrichedAt !== null);
    const grace = await ada.entity('Grace');
    expect(grace).toMatchObject({
      uuid: made.uuid,
      // The user's own words and kind; the model's stand beside them.
      summary: 'A friend.',
      entityType: 'Person',
      facets: { domain: ['navy', 'computing'], status: ['active'] },
      typing: { category: 'Person', inferredBy: 'user' },
      enrichment: { summary: 'An admiral and a friend.', confidence: 0.8 },
    });
    expect(new Set(grace.sources.map(({ type }) => type))).toEqual(
      new Set(['user', 'graphiti', 'enrichment']),
    );
    expect(grace.enrichedById).not.toBeNull();
    expect(await summariesOf(ada.viewer, grace.uuid)).toEqual([
      ['An admiral and a friend.', 'system', 'proposed'],
      ['A friend.', 'user', 'current'],
    ]);
    await ada.tells(conversationId, 'And Grace once more.', ...mention);
    expect(await runs()).toHaveLength(1);
  });

  // S4-ENT-08
  it('a user accepts a proposal or goes back, and no text is lost to a later run', async () => {
    const ada = await here.person();
    const { knowledge } = here.engine;
    const input = { name: 'Hedy', summary: 'An actress.' };
    const { uuid } = await createEntity(knowledge, ada.viewer, input);
    const proposed = async (summary: string) => {
      here.llm.script([saying({ summary })], ada.model);
      await enrichEntity(knowledge, ada.viewer, uuid);
      const wanted = `${summary} is proposed`;
      await eventually(wanted, async () =>
        (await summariesOf(ada.viewer, uuid)).some(([text]) => text === summary),
      );
    };
    const choose = async (text: string, viewer = ada.viewer) => {
      const { graph } = here.engine;
      const found = await readWith(graph, listEntitySummaries, ada.viewer.userId, [uuid]);
      const summaryId = found.get(uuid)?.find((one) => one.text === text)?.id ?? 'none';
      return chooseEntitySummary(knowledge, viewer, { entityUuid: uuid, summaryId });
    };
    await proposed('An inventor.');
    expect((await choose('An inventor.')).summary).toBe('An inventor.');
    await proposed('An inventor of radio.');
    expect(await summariesOf(ada.viewer, uuid)).toEqual([
      ['An inventor of radio.', 'system', 'proposed'],
      ['An inventor.', 'system', 'current'],
      ['An actress.', 'user', ''],
    ]);
    expect((await choose('An actress.')).summary).toBe('An actress.');
    await refuses(choose('Nothing like it.'), 'NOT_FOUND summaryId');
    const eve = (await here.person()).viewer;
    await refuses(choose('An inventor.', eve), 'NOT_FOUND entityUuid');
    expect(await summariesOf(eve, uuid)).toEqual([]);
    // Two runs at once: the newer one is written, and neither takes a text away.
    const texts = ['One.', 'Two.'];
    here.llm.script(
      texts.map((summary) => saying({ summary })),
      ada.model,
    );
    await Promise.all(texts.map(() => enrichEntity(knowledge, ada.viewer, uuid)));
    await eventually('a proposal is there', async () =>
      (await summariesOf(ada.viewer, uuid)).some(([text]) => texts.includes(text ?? '')),
    );
    const kept = (await summariesOf(ada.viewer, uuid)).map(([text]) => text);
    expect(kept).toEqual(
      expect.arrayContaining(['An actress.', 'An inventor.', 'An inventor of radio.']),
    );
    expect((await ada.entity('Hedy')).summary).toBe('An actress.');
  });

  // S4-ENT-10
  it('reads turns by name, the central facts, and equal texts once', async () => {
    const ada = await here.person();
    const conversationId = await ada.starts();
    await tells(
      ada,
      conversationId,
      'Grace lives in Rome.',
      [entity('Grace'), entity('Rome', 'Place')],
      [fact('Grace', 'LIVES_IN', 'Rome')],
    );
    const { uuid } = await ada.entity('Grace');
    here.llm.script([saying({ summary: 'A Roman.' })], ada.model);
    await enrichEntity(here.engine.knowledge, ada.viewer, uuid);
    await eventually('it is enriched', async () => (await ada.entity('Grace')).enrichedAt !== null);
    const [run] = (await here.asked(
      `MATCH (r:ProcessRun {ownerId: $id, processName: 'enrich entity'}) RETURN r.context
        AS context`,
      { id: ada.viewer.userId },
    )) as { context: string }[];
    expect(JSON.parse(run?.context ?? '{}')).toMatchObject({
      said: [`${ada.viewer.name}: Grace lives in Rome.`],
      facts: [expect.stringContaining('Rome')],
    });
  });

  // S4-ENT-08
  it('fills an empty summary, and renews its own whatever a turn adds', async () => {
    const ada = await here.person();
    const conversationId = await ada.starts();
    // One entity: facts are not asked for. An answer too many would go to the enrichment.
    await ada.tells(conversationId, 'Hopper.', { entities: [entity('Hopper')] });
    const { uuid } = await ada.entity('Hopper');
    const enriched = async (summary: string) => {
      here.llm.script([saying({ summary })], ada.model);
      await enrichEntity(here.engine.knowledge, ada.viewer, uuid);
      await eventually('it is enriched', async () => {
        const { enrichment } = await ada.entity('Hopper');
        return enrichment?.['summary'] === summary;
      });
      return (await ada.entity('Hopper')).summary;
    };
    expect(await enriched('An admiral.')).toBe('An admiral.');
    expect(await enriched('A rear admiral.')).toBe('A rear admiral.');
    const more = entity('Hopper', 'Person', 'She wrote a compiler.');
    await ada.tells(conversationId, 'Hopper again.', { entities: [more] });
    expect(await enriched('A sailor.')).toBe('A sailor.');
  });
});

describe('forks', () => {
  it('a copy mentions the entities of its original, and no model is asked again', async () => {
    const ada = await here.person();
    const conversationId = await ada.starts();
    const end = await tells(
      ada,
      conversationId,
      'Grace works at Acme.',
      [entity('Grace'), entity('Acme', 'Organization')],
      [fact('Grace', 'WORKS_AT', 'Acme')],
    );
    const asked = here.llm.requestsOf(ada.model).length;
    const [turn] = (await here.asked(
      'MATCH (a:Alternative {id: $alternativeId}) RETURN a.turnId AS id',
      end,
    )) as {
      id: string;
    }[];
    const grace = await ada.entity('Grace');
    await setActiveEntity(here.engine.deps, ada.viewer, { conversationId, entityUuid: grace.uuid });
    const input = { conversationId, turnId: turn?.id ?? '', alternativeId: end.alternativeId };
    const fork = await forkConversation(here.engine.deps, ada.viewer, input);
    const [copy] = (await here.asked(
      'MATCH (a:Alternative {conversationId: $id}) RETURN a.id AS id',
      fork,
    )) as {
      id: string;
    }[];
    const copied = await here.ingested(copy?.id ?? '');
    expect(copied.status).toBe('copied');
    expect(here.llm.requestsOf(ada.model)).toHaveLength(asked);
    const [known] = await ada.facts(grace.uuid);
    expect(known?.episodes.toSorted()).toEqual([end.episodeUuid, copied.episodeUuid].toSorted());
    expect((await ada.entity('Grace')).edgeCount).toBe(2);
    const kept = await ada.entities({ conversationId: fork.id });
    // A mentioned entity is active by itself (S4-CONV-08), and a fork takes it along.
    expect(kept.map(({ name }) => name).toSorted()).toEqual(['Acme', 'Grace']);
  });
});
