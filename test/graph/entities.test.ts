import { describe, expect, it } from 'vitest';
import { countTokens } from '../../src/common/token-budget.ts';
import { createConversation } from '../../src/conversations/conversation.mutations.ts';
import { appendTurn } from '../../src/conversations/turn.mutations.ts';
import {
  removeActiveEntity,
  type SetActiveEntity,
  setActiveEntity,
} from '../../src/memory-graph/entities/active-entity.mutations.ts';
import { ACTIVE_ENTITIES_MAX } from '../../src/memory-graph/entities/active-entity.ts';
import { findEntities, listEntities } from '../../src/memory-graph/entities/entity.cypher.ts';
import { userGroupOf } from '../../src/memory-graph/group.ts';
import {
  type CreateEntity,
  createEntity,
} from '../../src/memory-graph/resolution/create-entity.mutations.ts';
import { mergeEntities } from '../../src/memory-graph/resolution/merge.mutations.ts';
import type { Viewer } from '../../src/users/user.ts';
import {
  conversationVariables,
  readWorkingMemory,
} from '../../src/working-memory/working-memory.cypher.ts';
import type { WorkingMemory } from '../../src/working-memory/working-memory.ts';
import { runDeps } from '../testkit/conversations.ts';
import { readWith, runCypher, writeCypher } from '../testkit/graph.ts';
import { race, refuses, world } from '../testkit/world.ts';

const here = await world();
const deps = runDeps(here);
const ada = here.ada.viewer;
const bob = here.bob.viewer;

const starts = async (viewer = ada) => (await createConversation(deps, viewer, {})).id;
const knows = (input: Partial<CreateEntity> = {}, viewer = ada) =>
  createEntity(deps, viewer, { name: 'Grace Hopper', summary: 'An admiral.', ...input });
const memory = async (conversationId: string): Promise<WorkingMemory> => {
  const found = await readWith(deps.graph, readWorkingMemory, ada.userId, { conversationId });
  if ('missing' in found) throw new Error(`No ${found.missing}`);
  return found;
};
const labelsOf = async (uuid: string) =>
  (
    await runCypher(
      deps.graph,
      `MATCH (e:Entity {uuid: $uuid}) RETURN labels(e) AS labels, [key IN keys(e) WHERE key <>
        'name_embedding'] AS keys`,
      { uuid },
    )
  ).map(({ labels, keys }) => [labels, keys].map((names) => [...(names as string[])].sort()))[0];

describe('an entity by hand (S4-ENT)', () => {
  it('S4-ENT-01, -02, -03: is kept as Graphiti keeps its own, with sources beside it', async () => {
    const conversationId = await starts();
    const made = await knows({
      conversationId,
      category: 'Person',
      facets: { domain: ['computing'], rank: ['rear admiral'] },
    });
    expect(made).toMatchObject({ name: 'Grace Hopper', entityType: 'Person', edgeCount: 0 });
    const found = await readWith(deps.graph, findEntities, ada.userId, [made.uuid]);
    expect(found.get(made.uuid)).toEqual(made);
    expect(made.groupId).toBe(conversationId);
    expect(made.sources).toMatchObject([
      { type: 'user', createdBy: ada.userId, originalName: 'Grace Hopper', confidence: null },
    ]);
    expect(made.typing).toEqual({
      category: 'Person',
      confidence: { category: 1, facets: { domain: 1, rank: 1 } },
      inferredBy: 'user',
    });
    expect(await labelsOf(made.uuid)).toEqual([
      ['Entity', 'Person'],
      ['created_at', 'group_id', 'labels', 'name', 'summary', 'uuid'],
    ]);
  });

  // docs/decisions/0006
  it('S4-ENT-07: two of one name stay two until their user makes them one', async () => {
    const conversationId = await starts();
    const first = await knows({ conversationId, name: 'Chris', summary: 'Paints.' });
    const second = await knows({ conversationId, name: 'Chris', summary: 'Sails.' });
    const made = await readWith(deps.graph, findEntities, ada.userId, [first.uuid, second.uuid]);
    expect([...made.values()].map(({ summary }) => summary).sort()).toEqual(['Paints.', 'Sails.']);
    const merge = { keepUuid: first.uuid, mergeUuid: second.uuid };
    await mergeEntities(deps, ada, merge);
    const after = await readWith(deps.graph, findEntities, ada.userId, [second.uuid]);
    expect(after.get(second.uuid)?.uuid).toBe(first.uuid);
  });

  it('S4-ENT-04, -05: all that does not fit is said at once, and nothing is written', async () => {
    const wrong = { name: ' ', summary: '', category: 'Dragon', facets: { domain: 'one' } };
    await refuses(
      knows(wrong),
      'REQUIRED name',
      'REQUIRED summary',
      'INVALID category',
      'INVALID facets.domain',
    );
    await refuses(knows({ name: 'x'.repeat(201) }), 'INVALID name');
    await refuses(knows({ conversationId: await starts(bob) }), 'NOT_FOUND conversationId');
  });

  it('is its owner’s alone: not found, listed or active elsewhere', async () => {
    const conversationId = await starts();
    const made = await knows({ conversationId, name: 'Only mine' });
    const found = await readWith(deps.graph, findEntities, bob.userId, [made.uuid]);
    expect(found.size).toBe(0);
    const list = (viewer: Viewer, filter: object) =>
      readWith(deps.graph, listEntities, viewer.userId, filter);
    expect((await list(bob, { query: 'Only mine' })).totalCount).toBe(0);
    expect((await list(bob, { conversationId })).totalCount).toBe(0);
    const theirs = await starts(bob);
    await refuses(
      setActiveEntity(deps, bob, { conversationId: theirs, entityUuid: made.uuid }),
      'NOT_FOUND entityUuid',
    );
    await refuses(
      removeActiveEntity(deps, bob, { conversationId, entityUuid: made.uuid }),
      'NOT_FOUND conversationId',
    );
  });

  it('is listed by conversation, kind and text, newest first, a page at a time', async () => {
    const { ada: carol } = await world();
    const conversationId = await starts(carol.viewer);
    const place = await knows({ name: 'Warsaw', category: 'Place' }, carol.viewer);
    expect(place.groupId).toBe(userGroupOf(carol.viewer.userId));
    expect(place.groupId).toMatch(/^[a-zA-Z0-9_-]+$/);
    const person = await knows(
      { conversationId, name: 'Marie Curie', category: 'Person', summary: 'Found radium.' },
      carol.viewer,
    );
    const list = async (filter: object) => {
      const page = await readWith(deps.graph, listEntities, carol.viewer.userId, filter);
      return page.items.map(({ item }) => item.name);
    };
    expect(await list({})).toEqual(['Marie Curie', 'Warsaw']);
    expect(await list({ first: 1 })).toEqual(['Marie Curie']);
    expect(await list({ conversationId })).toEqual(['Marie Curie']);
    expect(await list({ category: 'Place' })).toEqual(['Warsaw']);
    expect(await list({ query: 'RADIUM' })).toEqual(['Marie Curie']);
    await setActiveEntity(deps, carol.viewer, { conversationId, entityUuid: place.uuid });
    expect(await list({ conversationId })).toEqual(['Marie Curie', 'Warsaw']);
    expect(person.groupId).toBe(conversationId);
  });
});

describe('active entities of a conversation (S4-CONV-08, S4-WM-07)', () => {
  it('S4-ENT-05: an entity made in it is active at once, in working memory too', async () => {
    const conversationId = await starts();
    await appendTurn(deps, ada, { conversationId, content: 'Who invented COBOL?' });
    const made = await knows({ conversationId, category: 'Person', facets: { domain: ['navy'] } });
    const before = await memory(conversationId);
    expect(before.activeEntities).toMatchObject([
      {
        ...{ entityUuid: made.uuid, name: 'Grace Hopper', category: 'Person', source: 'user' },
        ...{ relevanceScore: 1, includeSummary: true, includeFacets: false },
        includeRelationships: false,
      },
    ]);
    const [told, spoken] = before.messages;
    expect(told).toMatchObject({ role: 'system' });
    expect(told?.content).toContain('Grace Hopper (Person): An admiral.');
    expect(told?.content).not.toContain('navy');
    expect(spoken).toMatchObject({ role: 'user', content: 'Who invented COBOL?' });
  });

  it('S4-WM-05: included texts count, and the sum is the total', async () => {
    const conversationId = await starts();
    await appendTurn(deps, ada, { conversationId, content: 'hello' });
    const made = await knows({ conversationId, facets: { domain: ['navy', 'compilers'] } });
    const sees = async (choice: Partial<SetActiveEntity>) => {
      await setActiveEntity(deps, ada, { conversationId, entityUuid: made.uuid, ...choice });
      const found = await memory(conversationId);
      const { tokenBreakdown: parts, messages } = found;
      expect(found.totalTokens).toBe(Object.values(parts).reduce((sum, part) => sum + part, 0));
      expect(found.totalTokens).toBe(messages.reduce((sum, { tokens }) => sum + tokens, 0));
      expect(parts.activeEntities).toBe(countTokens(messages[0]?.content ?? ''));
      return { tokens: parts.activeEntities, text: messages[0]?.content ?? '' };
    };
    const summary = await sees({});
    const facets = await sees({ includeFacets: true });
    const bare = await sees({ includeSummary: false, includeFacets: false });
    expect(facets.text).toContain('domain: navy, compilers');
    expect(bare.text).not.toContain('An admiral.');
    expect([bare.tokens < summary.tokens, summary.tokens < facets.tokens]).toEqual([true, true]);
  });

  it('S4-WM-07: the most relevant first; a relevance of 1.2 is refused; absent stays', async () => {
    const conversationId = await starts();
    const [one, two] = [await knows({ name: 'One' }), await knows({ name: 'Two' })];
    const set = (entityUuid: string, more: object = {}) =>
      setActiveEntity(deps, ada, { conversationId, entityUuid, ...more });
    await refuses(set(one.uuid, { relevanceScore: 1.2 }), 'INVALID relevanceScore');
    expect((await memory(conversationId)).activeEntities).toEqual([]);
    await set(one.uuid, { relevanceScore: 0.25, includeFacets: true });
    await set(two.uuid, { relevanceScore: 0.5 });
    await set(one.uuid);
    const { activeEntities } = await memory(conversationId);
    expect(activeEntities).toMatchObject([
      { name: 'Two', relevanceScore: 0.5, includeFacets: false },
      { name: 'One', relevanceScore: 0.25, includeFacets: true },
    ]);
  });

  it('S4-CONV-08: lets go of an entity, which stays', async () => {
    const conversationId = await starts();
    const made = await knows({ conversationId });
    const letsGo = () => removeActiveEntity(deps, ada, { conversationId, entityUuid: made.uuid });
    await letsGo();
    await letsGo();
    expect((await memory(conversationId)).activeEntities).toEqual([]);
    const found = await readWith(deps.graph, findEntities, ada.userId, [made.uuid]);
    expect(found.has(made.uuid)).toBe(true);
    const told = await runCypher(
      deps.graph,
      `MATCH (o:OutboxEntry {conversationId: $conversationId}) WHERE o.kind STARTS WITH "entity."
        RETURN o.kind AS kind ORDER BY o.id`,
      { conversationId },
    );
    const expected = ['entity.created', 'entity.activated', 'entity.deactivated'];
    expect(told.map(({ kind }) => kind)).toEqual(expected);
  });

  it('writers at once make one edge, and no more entities than there may be', async () => {
    const conversationId = await starts();
    const made = await knows();
    const set = (entityUuid: string) => () =>
      setActiveEntity(deps, ada, { conversationId, entityUuid });
    expect(await race(Array.from({ length: 5 }, () => set(made.uuid)))).toEqual({ done: 5 });
    expect((await memory(conversationId)).activeEntities).toHaveLength(1);
    // All but one of the places are filled by hand; the last is wanted by three.
    await writeCypher(
      deps.graph,
      `MATCH (c:Conversation {id: $conversationId})
        UNWIND range(1, $count) AS n
        CREATE (e:Entity {uuid: $conversationId + '-' + n, name: 'n' + n, group_id: c.id,
          summary: '', created_at: datetime()})
        CREATE (c)-[:HAS_ACTIVE_ENTITY {addedAt: datetime(), relevance: 0.1}]->(e)`,
      { conversationId, count: ACTIVE_ENTITIES_MAX - 2 },
    );
    const others = [await knows(), await knows(), await knows()];
    const expected = { done: 1, 'TOO_LARGE conversationId': 2 };
    expect(await race(others.map(({ uuid }) => set(uuid)))).toEqual(expected);
  });

  it('are messages of their own; a message that is not sent yet is empty', async () => {
    const conversationId = await starts();
    await knows({ conversationId });
    const supplied = (...wanted: string[]) =>
      readWith(deps.graph, conversationVariables, ada.userId, {
        ...{ conversationId, alternativeId: null, wanted },
      });
    expect(await supplied('message')).toEqual({ message: '' });
    await appendTurn(deps, ada, { conversationId, content: 'hello' });
    const { message, messages } = (await supplied('message', 'messages')) ?? {};
    expect([message, messages]).toEqual(['hello', [expect.anything(), expect.anything()]]);
  });
});
