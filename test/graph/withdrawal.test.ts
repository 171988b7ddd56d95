import { expect, it } from 'vitest';
import { z } from 'zod';
import { listAlternatives } from '../../src/conversations/alternative.cypher.ts';
import { activateAlternative, activateIn } from '../../src/conversations/alternative.mutations.ts';
import {
  createConversation,
  lockConversation,
} from '../../src/conversations/conversation.mutations.ts';
import { forkConversation } from '../../src/conversations/fork.mutations.ts';
import { listTurns } from '../../src/conversations/turn.cypher.ts';
import { addAlternative } from '../../src/conversations/turn.mutations.ts';
import { listActiveEntities } from '../../src/memory-graph/entities/active-entity.cypher.ts';
import { findEntities, listEntities } from '../../src/memory-graph/entities/entity.cypher.ts';
import { findFacts, listFactsOfEntities } from '../../src/memory-graph/entities/fact.cypher.ts';
import {
  applyExtraction,
  copyExtraction,
} from '../../src/memory-graph/extraction/extraction.mutations.ts';
import { rememberFact } from '../../src/memory-graph/extraction/remember.mutations.ts';
import { searchMemory } from '../../src/memory-graph/search/search-memory.service.ts';
import { settleTurns } from '../../src/memory-graph/withdrawal/withdrawal.mutations.ts';
import type { WriteTx } from '../../src/platform/neo4j/graph.ts';
import type { Viewer } from '../../src/users/user.ts';
import { readWorkingMemory } from '../../src/working-memory/working-memory.cypher.ts';
import { runDeps } from '../testkit/conversations.ts';
import { NO_AGENT } from '../testkit/fixed.ts';
import { readWith, runCypher } from '../testkit/graph.ts';
import { type Said, talker } from '../testkit/memory.ts';
import { newViewer, world } from '../testkit/world.ts';

// Issue 42: an alternative that is not on screen has told nothing, and tells it again with it.

const here = await world();
const deps = runDeps(here);

/** Reads a fact out of a turn. */
const learner =
  (viewer: Viewer) =>
  (said: Said, subject: string, relation: string, object: string, statement: string) => {
    const fact = { statement, subject, relation, object, since: null, until: null };
    const { alternativeId } = said;
    return rememberFact(deps, viewer, { fact, alternativeId, runId: deps.newId() });
  };

it('an edited text is withdrawn with all that it ended, and comes back with it', async () => {
  const viewer = await newViewer(here.deps, 'ida');
  const { userId } = viewer;
  const talk = talker(deps, viewer);
  const learns = learner(viewer);
  const known = async () => {
    const { items } = await readWith(deps.graph, listEntities, userId, { first: 50 });
    const entities = items.map(({ item }) => item);
    const uuids = entities.map(({ uuid }) => uuid);
    const facts = await readWith(deps.graph, listFactsOfEntities, userId, uuids);
    const told = new Map([...facts.values()].flat().map((one) => [one.fact, one.invalidAt]));
    return {
      names: entities.map(({ name }) => name).toSorted(),
      holds: [...told].flatMap(([fact, end]) => (end === null ? [fact] : [])).toSorted(),
      ended: [...told].flatMap(([fact, end]) => (end === null ? [] : [fact])),
      ida: entities.find(({ name }) => name === 'Ida')?.summary.replace(/ \(since [^)]*\)/g, ''),
    };
  };
  const first = await talk.says(await talk.starts(), 'I live in Turku.', {
    saidAt: '2024-02-01T10:00:00Z',
  });
  await learns(first, 'Ida', 'LIVES_IN', 'Turku', 'Ida lives in Turku.');
  const second = await talk.says(await talk.starts(), 'I moved to Oulu. I sail.', {
    saidAt: '2025-02-01T10:00:00Z',
  });
  await learns(second, 'Ida', 'MOVED_TO', 'Oulu', 'Ida moved to Oulu.');
  const before = {
    names: ['Ida', 'Oulu', 'Turku'],
    holds: ['Ida moved to Oulu.'],
    ended: ['Ida lives in Turku.'],
    ida: 'Ida moved to Oulu.',
  };
  expect(await known()).toEqual(before);

  const edit = await addAlternative(deps, viewer, { turnId: second.turnId, content: 'I sail.' });
  await settleTurns(deps, [second.turnId]);
  const without = {
    names: ['Ida', 'Turku'],
    holds: ['Ida lives in Turku.'],
    ended: [],
    ida: 'Ida lives in Turku.',
  };
  expect(await known()).toEqual(without);
  // A repeated entry of the log changes nothing.
  await settleTurns(deps, [second.turnId]);
  expect(await known()).toEqual(without);

  await activateAlternative(deps, viewer, { id: second.alternativeId });
  await settleTurns(deps, [second.turnId]);
  expect(await known()).toEqual(before);

  // Meanwhile another conversation says something later: it holds when the older comes back.
  await activateAlternative(deps, viewer, { id: edit.id });
  await settleTurns(deps, [second.turnId]);
  const third = await talk.says(await talk.starts(), 'I live in Vaasa.', {
    saidAt: '2026-02-01T10:00:00Z',
  });
  await learns(third, 'Ida', 'LIVES_IN', 'Vaasa', 'Ida lives in Vaasa.');
  await activateAlternative(deps, viewer, { id: second.alternativeId });
  await settleTurns(deps, [second.turnId]);
  const late = await known();
  expect(late.holds).toEqual(['Ida lives in Vaasa.']);
  expect(late.ended.toSorted()).toEqual(['Ida lives in Turku.', 'Ida moved to Oulu.']);
});

it('a search and an answer right after a switch know nothing of the version left', async () => {
  const viewer = await newViewer(here.deps, 'eva');
  const talk = talker(deps, viewer);
  const learns = (said: Said, town: string) =>
    learner(viewer)(said, 'Eva', 'LIVES_IN', town, `Eva lives in ${town}.`);
  const old = await talk.says(await talk.starts(), 'I live in Turku.', {
    saidAt: '2024-02-01T10:00:00Z',
  });
  await learns(old, 'Turku');
  const conversationId = await talk.starts();
  const moved = await talk.says(conversationId, 'I live in Oulu.', {
    saidAt: '2025-02-01T10:00:00Z',
  });
  await learns(moved, 'Oulu');
  await runCypher(deps.graph, 'CALL db.awaitIndexes(60)');
  const towns = (text: string) => [...new Set(text.match(/Turku|Oulu/g) ?? [])].toSorted();
  const finds = async () => {
    const search = { query: 'Where does Eva live?', kinds: ['fact', 'entity'] as const };
    const { hits, nearest } = await searchMemory({ ...deps, memoryMode: NO_AGENT }, viewer, search);
    const uuids = [...hits, ...nearest].map(({ uuid }) => uuid);
    const facts = await readWith(deps.graph, findFacts, viewer.userId, uuids);
    const entities = await readWith(deps.graph, findEntities, viewer.userId, uuids);
    const summaries = [...entities.values()].map(({ summary }) => summary);
    return towns([...facts.map(({ fact }) => fact), ...summaries].join());
  };
  const elsewhere = await createConversation(deps, viewer, {});
  const question = await talk.says(elsewhere.id, 'In which town does Eva live?');
  /** The facts and entities of a run that answers, started in the same transaction as `first`. */
  const isTold = async (first: (tx: WriteTx) => Promise<void> = async () => {}) => {
    const at = { conversationId: elsewhere.id, alternativeId: question.alternativeId };
    const supplied = await deps.graph.write(async (tx) => {
      await first(tx);
      return deps.runObserver.supply(tx, viewer, { ...at, wanted: ['recalled'] });
    });
    const recalled = z.array(z.object({ kind: z.string(), text: z.string() }));
    const all = recalled.parse(supplied?.['recalled']);
    // The turns that say it are on screen, or not, without any withdrawal.
    return towns(all.flatMap(({ kind, text }) => (kind === 'episode' ? [] : [text])).join());
  };
  expect([await finds(), await isTold()]).toEqual([['Oulu'], ['Oulu']]);
  const { turnId } = moved;
  const edit = await addAlternative(deps, viewer, { turnId, content: 'I sail.' });
  expect(await finds()).toEqual(['Turku']);
  const show = (alternativeId: string) => async (tx: WriteTx) => {
    const conversation = await lockConversation(tx, viewer, conversationId, []);
    await activateIn(deps, tx, viewer, conversation, { alternativeId, path: 'below' });
  };
  expect(await isTold(show(moved.alternativeId))).toEqual(['Oulu']);
  expect(await isTold(show(edit.id))).toEqual(['Turku']);
  // All are settled: a further search reads the marks, and nothing else is done.
  const { statements } = await deps.graph.counting(finds);
  expect(statements.filter(({ name }) => name === 'listSwitchesToSettle')).toHaveLength(1);
  expect(statements.some(({ name }) => name === 'listBranchedTurns')).toBe(false);
});

it("a fork's copy goes with its original, unless it was made of an old version", async () => {
  const viewer = await newViewer(here.deps, 'eli');
  const talk = talker(deps, viewer);
  const conversationId = await talk.starts();
  const said = await talk.says(conversationId, 'I live in Lahti.');
  const { turnId, alternativeId } = said;
  await learner(viewer)(said, 'Eli', 'LIVES_IN', 'Lahti', 'Eli lives in Lahti.');
  await applyExtraction(deps, { alternativeId, runId: null });
  const forks = async () => {
    const fork = await forkConversation(deps, viewer, { conversationId, turnId, alternativeId });
    const turns = await readWith(deps.graph, listTurns, viewer.userId, {
      ...{ conversationId: fork.id, first: 10 },
    });
    const ids = turns.items.map(({ item }) => item.id);
    for (const { id } of await readWith(deps.graph, listAlternatives, viewer.userId, ids)) {
      await talk.isBound('', id);
      await copyExtraction(deps, { alternativeId: id, copiedFromId: alternativeId });
    }
  };
  const held = async () => {
    const { items } = await readWith(deps.graph, listEntities, viewer.userId, { first: 50 });
    const uuids = items.map(({ item }) => item.uuid);
    const facts = await readWith(deps.graph, listFactsOfEntities, viewer.userId, uuids);
    return [...new Set([...facts.values()].flat().map((one) => one.fact))];
  };
  await forks();
  expect(await held()).toEqual(['Eli lives in Lahti.']);
  const edit = await addAlternative(deps, viewer, { turnId, content: 'I live by a lake.' });
  await settleTurns(deps, [turnId]);
  expect(await held()).toEqual([]);
  await activateAlternative(deps, viewer, { id: alternativeId });
  await settleTurns(deps, [turnId]);
  expect(await held()).toEqual(['Eli lives in Lahti.']);

  await activateAlternative(deps, viewer, { id: edit.id });
  await settleTurns(deps, [turnId]);
  expect(await held()).toEqual([]);
  await forks();
  expect(await held()).toEqual(['Eli lives in Lahti.']);
});

it('a text after a dropped version is withdrawn, and comes back with that version', async () => {
  const viewer = await newViewer(here.deps, 'uma');
  const talk = talker(deps, viewer);
  const conversationId = await talk.starts();
  const first = await talk.says(conversationId, 'My sister visits me.');
  const later = await talk.says(conversationId, 'She lives in Bergen.');
  const learns = learner(viewer);
  await learns(later, 'Sister', 'LIVES_IN', 'Bergen', 'The sister of Uma lives in Bergen.');
  const names = async () => {
    const { items } = await readWith(deps.graph, listEntities, viewer.userId, { first: 50 });
    return items.map(({ item }) => item.name).toSorted();
  };
  expect(await names()).toEqual(['Bergen', 'Sister']);
  // Another conversation knows the town, so it is not withdrawn; here it is not active any more.
  const elsewhere = await talk.says(await talk.starts(), 'Bergen is rainy.');
  await learns(elsewhere, 'Bergen', 'HAS', 'rain', 'Bergen is rainy.');
  const active = async () =>
    (await readWith(deps.graph, listActiveEntities, viewer.userId, [conversationId]))
      .get(conversationId)
      ?.map(({ name }) => name)
      .toSorted();
  const { turnId } = first;
  const edit = await addAlternative(deps, viewer, { turnId, content: 'My aunt visits me.' });
  await settleTurns(deps, [turnId]);
  await activateAlternative(deps, viewer, { id: first.alternativeId });
  await settleTurns(deps, [turnId]);
  expect(await active()).toEqual(['Bergen', 'Sister']);
  await activateAlternative(deps, viewer, { id: edit.id });
  // At once, for the answer to the edit.
  const memory = await readWith(deps.graph, readWorkingMemory, viewer.userId, { conversationId });
  expect('missing' in memory ? null : memory.activeEntities).toEqual([]);
  await settleTurns(deps, [turnId]);
  expect(await names()).toEqual(['Bergen', 'rain']);
  expect(await active()).toEqual([]);
  await activateAlternative(deps, viewer, { id: first.alternativeId });
  await settleTurns(deps, [turnId]);
  expect(await active()).toEqual(['Bergen', 'Sister']);

  // A switch of a whole path is settled once, from its first turn.
  const third = await talk.says(conversationId, 'She sings.');
  await activateAlternative(deps, viewer, { id: edit.id });
  for (const { turnId: id, alternativeId: sameAsId } of [later, third])
    await addAlternative(deps, viewer, { turnId: id, sameAsId });
  await activateAlternative(deps, viewer, { id: third.alternativeId, wholePath: true });
  const turnIds = [first, later, third].map((said) => said.turnId);
  const { statements } = await deps.graph.counting(() => settleTurns(deps, turnIds));
  expect(statements.filter(({ name }) => name === 'listEpisodesToSettle')).toHaveLength(1);
});
