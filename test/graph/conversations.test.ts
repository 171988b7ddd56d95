import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAlternatives, listAlternatives } from '../../src/conversations/alternative.cypher.ts';
import { activateAlternative } from '../../src/conversations/alternative.mutations.ts';
import {
  createConversation,
  updateConversation,
} from '../../src/conversations/conversation.mutations.ts';
import { forkConversation } from '../../src/conversations/fork.mutations.ts';
import { findRatings, listRated } from '../../src/conversations/rating.cypher.ts';
import { rateAlternative } from '../../src/conversations/rating.mutations.ts';
import type { RatingValue } from '../../src/conversations/rating.ts';
import { listActivePath, listTurns } from '../../src/conversations/turn.cypher.ts';
import {
  addAlternative,
  appendTurn,
  generateTurn,
  getTurn,
  sendMessage,
} from '../../src/conversations/turn.mutations.ts';
import { appendEntries } from '../../src/outbox/entry.cypher.ts';
import { updateProcess } from '../../src/processes/process.mutations.ts';
import { cancelProcessRun } from '../../src/runs/control/run-control.mutations.ts';
import { runEntry } from '../../src/runs/events/run-entry.ts';
import { startProcessRun } from '../../src/runs/start/start.mutations.ts';
import { readWorkingMemory } from '../../src/working-memory/working-memory.cypher.ts';
import type { WorkingMemory } from '../../src/working-memory/working-memory.ts';
import { ScreenModel } from '../testkit/active-path.ts';
import { runDeps } from '../testkit/conversations.ts';
import { readWith, runCypher, writeWith } from '../testkit/graph.ts';
import { createsProcess } from '../testkit/processes.ts';
import { race, refuses, world } from '../testkit/world.ts';

const here = await world();
const deps = runDeps(here);
const ada = here.ada.viewer;
const processId = (await createsProcess(here, here.ada)).id;

const starts = async (title?: string) => (await createConversation(deps, ada, { title })).id;
const says = (conversationId: string, content: string, more: object = {}) =>
  appendTurn(deps, ada, { conversationId, content, ...more });
const edits = (turnId: string, content: string, more: object = {}, viewer = ada) =>
  addAlternative(deps, viewer, { turnId, content, ...more });
const sends = (conversationId: string, content: string, more: object = { processId }) =>
  sendMessage(deps, ada, { conversationId, content, ...more });
const changes = (id: string, more: object, viewer = ada) =>
  updateConversation(deps, viewer, { id, ...more });
const cancels = (id: string, more: object = {}) => cancelProcessRun(deps, ada, { id, ...more });
const versions = (turnId: string) => readWith(deps.graph, listAlternatives, ada.userId, [turnId]);
const shown = async (turnId: string) => {
  const [active, ...others] = (await versions(turnId)).filter(({ isActive }) => isActive);
  if (active === undefined || others.length > 0) throw new Error('Not one version is active.');
  return active;
};
const path = (conversationId: string, throughTurnId: string | null = null) =>
  readWith(deps.graph, listActivePath, ada.userId, { conversationId, throughTurnId });
const depths = async (id: string) => (await path(id)).map(({ sequence }) => sequence);
const memory = async (conversationId: string, where: object = {}): Promise<WorkingMemory> => {
  const place = { conversationId, ...where };
  const found = await readWith(deps.graph, readWorkingMemory, ada.userId, place);
  if ('missing' in found) throw new Error(`No ${found.missing}`);
  return found;
};
const messages = async (...given: Parameters<typeof memory>) =>
  (await memory(...given)).messages.map(({ content }) => content);
const lastKind = async (conversationId: string) => {
  const [row] = await runCypher(
    deps.graph,
    `MATCH (o:OutboxEntry {conversationId: $conversationId})
     RETURN o.kind AS kind, o.payload AS payload ORDER BY o.id DESC LIMIT 1`,
    { conversationId },
  );
  return { kind: row?.['kind'], ...JSON.parse(String(row?.['payload'])) };
};

describe('a conversation (S4-CONV)', () => {
  // S4-CONV-02, -03, -05
  it('has an owner, a title and a default Process that is enabled', async () => {
    const made = await createConversation(deps, ada, { title: 'Tea', defaultProcessId: processId });
    expect(made).toMatchObject({ title: 'Tea', status: 'active', defaultProcessId: processId });
    const { id } = made;
    const none = { title: null, defaultProcessId: null };
    expect(await changes(id, none)).toMatchObject(none);
    const { id: chosen } = await createsProcess(here, here.ada);
    await changes(id, { defaultProcessId: chosen });
    await updateProcess(deps, ada, { id: chosen, enabled: false });
    expect(await changes(id, { title: 'Tea' })).toMatchObject({ defaultProcessId: chosen });
    await refuses(sends(id, 'Hello', {}), 'DISABLED processId');
    const disabled = await createsProcess(here, here.ada, { enabled: false });
    const foreign = await createsProcess(here, here.bob);
    const creates = (input: object) => createConversation(deps, ada, input);
    const faulty = creates({ title: ' ', defaultProcessId: disabled.id });
    await refuses(faulty, 'INVALID title', 'DISABLED defaultProcessId');
    await refuses(creates({ defaultProcessId: foreign.id }), 'NOT_FOUND defaultProcessId');
  });

  it('takes nothing while it is archived, and goes on when it is not', async () => {
    const id = await starts();
    const turn = await says(id, 'hello');
    await changes(id, { status: 'archived' });
    await refuses(says(id, 'more'), 'STATE conversationId');
    await refuses(sends(id, 'x'), 'STATE conversationId');
    await refuses(edits(turn.id, 'hi'), 'STATE turnId');
    await changes(id, { status: 'active' });
    expect((await says(id, 'more')).sequence).toBe(2);
  });

  it('is there for its owner only', async () => {
    const id = await starts();
    const turn = await says(id, 'secret');
    const { id: version } = await shown(turn.id);
    const bob = here.bob.viewer;
    const said = appendTurn(deps, bob, { conversationId: id, content: 'x' });
    await refuses(said, 'NOT_FOUND conversationId');
    await refuses(edits(turn.id, 'x', {}, bob), 'NOT_FOUND turnId');
    await refuses(activateAlternative(deps, bob, { id: version }), 'NOT_FOUND id');
    await refuses(changes(id, { title: 'x' }, bob), 'NOT_FOUND id');
    const run = startProcessRun(deps, bob, { processId, context: {}, conversationId: id });
    await refuses(run, 'NOT_FOUND processId');
    expect(await readWith(deps.graph, findAlternatives, bob.userId, [version])).toEqual([]);
  });
});

describe('turns and alternatives (S4-TURN, S4-ALT)', () => {
  // S4-TURN-02, -03, S4-CONV-10, S4-ALT-01, S4-ALT-05
  it('grow below the path on screen, one deeper each, with their edges', async () => {
    const id = await starts();
    const root = await says(id, 'one');
    const second = await says(id, 'two', { speaker: 'system' });
    const top = { sequence: 1, parentId: null, viaAlternativeId: null, speaker: 'user' };
    expect(root).toMatchObject(top);
    const via = await shown(root.id);
    expect(second).toMatchObject({ sequence: 2, parentId: root.id, viaAlternativeId: via.id });
    const version = { sequence: 1, content: 'one', hasChildren: true, cacheStatus: 'valid' };
    expect(via).toMatchObject(version);
    expect((await shown(second.id)).respondsToId).toBe(via.id);
    expect(await depths(id)).toEqual([1, 2]);
  });

  it('refuses bad content and foreign places, and writes nothing then', async () => {
    const id = await starts();
    const root = await says(id, 'one');
    const first = (await shown(root.id)).id;
    await edits(root.id, 'one, better');
    const other = await shown((await says(await starts(), 'elsewhere')).id);
    const below = (parentAlternativeId: string) => says(id, 'x', { parentAlternativeId });
    await refuses(says(id, ''), 'REQUIRED content');
    await refuses(says(id, 'x'.repeat(5_000_000)), 'INVALID content');
    await refuses(says(id, 'é'.repeat(131_073)), 'INVALID content');
    await refuses(below(other.id), 'NOT_FOUND parentAlternativeId');
    await refuses(below(first), 'STATE parentAlternativeId');
    await refuses(edits(root.id, ' ', { processId }), 'REQUIRED content', 'INVALID processId');
    await refuses(edits(root.id, 'x', { respondsToId: other.id }), 'NOT_FOUND respondsToId');
    expect(await path(id)).toHaveLength(1);
    const two = await says(id, 'two', { parentAlternativeId: first, activateParent: true });
    expect(two.viaAlternativeId).toBe(first);
    expect((await shown(root.id)).id).toBe(first);
  });

  it('takes the time of an imported turn, in any order but not in the future', async () => {
    const id = await starts();
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const saidAt = '2023-05-08T13:56:00.000Z';
    const root = await says(id, 'one', { saidAt });
    expect(await shown(root.id)).toMatchObject({ saidAt });
    const earlier = await says(id, 'two', { saidAt: '2023-05-08T15:55:00+02:00' });
    expect((await shown(earlier.id)).saidAt).toBe('2023-05-08T13:55:00.000Z');
    const ahead = await shown((await says(id, 'three', { saidAt: at(30_000) })).id);
    expect(Date.parse(ahead.saidAt)).toBeLessThanOrEqual(Date.now());
    const now = await shown((await says(id, 'four')).id);
    expect(now.saidAt).toBe(now.createdAt);
    expect(await depths(id)).toEqual([1, 2, 3, 4]);
    const edit = await edits(root.id, 'one, better');
    expect(edit.saidAt).toBe(edit.createdAt);
    for (const wrong of [at(120_000), '9999-01-01T00:00:00Z', '1969-12-31T23:59:59Z', 'today'])
      await refuses(says(id, 'x', { saidAt: wrong }), 'INVALID saidAt');
    await refuses(says(id, '', { saidAt: 'today' }), 'REQUIRED content', 'INVALID saidAt');
    expect(await path(id)).toHaveLength(4);
  });

  it('an idempotency key makes a repeat harmless', async () => {
    const id = await starts();
    const [a, b] = await Promise.all(
      [1, 2].map(() => says(id, 'once', { idempotencyKey: 'k' + id })),
    );
    expect(a).toEqual(b);
    await refuses(says(id, 'twice', { idempotencyKey: 'k' + id }), 'CONFLICT idempotencyKey');
    expect(await path(id)).toHaveLength(1);
  });

  // S4-TURN-04
  it('keeps exactly one active alternative while 20 writers switch and add', async () => {
    const id = await starts();
    const root = await says(id, 'v1');
    for (const content of ['v2', 'v3']) await edits(root.id, content);
    const known = await versions(root.id);
    const writers = Array.from({ length: 20 }, (_, n) => () => {
      const switched = { id: known[n % 3]?.id ?? '' };
      return n % 5 === 0 ? edits(root.id, `new ${n}`) : activateAlternative(deps, ada, switched);
    });
    expect(await race(writers)).toEqual({ done: 20 });
    const all = await versions(root.id);
    expect(all.filter(({ isActive }) => isActive)).toHaveLength(1);
    expect(all.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('makes one root and one path of turns that are appended at once', async () => {
    const id = await starts();
    const ten = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    expect(await race(ten.map((n) => () => says(id, `n${n}`)))).toEqual({ done: 10 });
    expect(await depths(id)).toEqual(ten);
  });
});

describe('a verdict on an answer', () => {
  const ratings = async (value?: RatingValue) => {
    const { items } = await readWith(deps.graph, listRated, ada.userId, { value });
    const ids = items.map(({ item }) => item);
    return readWith(deps.graph, findRatings, ada.userId, ids);
  };

  it('is one for each answer, replaced and removed by its owner, also in an archive', async () => {
    const id = await starts();
    const asked = await says(id, 'Which bread is best?');
    const told = await says(id, 'Rye.', { speaker: 'agent' });
    const answer = (await shown(told.id)).id;
    const rates = (more: object, viewer = ada) =>
      rateAlternative(deps, viewer, { id: answer, ...more });
    const writers = Array.from({ length: 8 }, () => () => rates({ value: 'up' }));
    expect(await race(writers)).toEqual({ done: 8 });
    await rates({ value: 'up', comment: ' Short and right. ' });
    const [first, ...others] = await ratings();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ id: answer, value: 'up', comment: 'Short and right.' });

    await changes(id, { status: 'archived' });
    await rates({ value: 'down' });
    const createdAt = first?.createdAt;
    expect(await ratings('down')).toMatchObject([{ id: answer, comment: null, createdAt }]);
    expect(await ratings('up')).toEqual([]);

    await refuses(rates({ value: 'up' }, here.bob.viewer), 'NOT_FOUND id');
    await refuses(
      rates({ id: (await shown(asked.id)).id, comment: 'x'.repeat(2_001) }),
      'INVALID id',
      'REQUIRED value',
      'INVALID comment',
    );
    for (const _ of [1, 2]) await rates({ value: null });
    expect(await ratings()).toEqual([]);
  });
});

describe('agent turns', () => {
  // S4-CONV-07
  it('a message is two turns, the choice of the Process and a run in one go', async () => {
    const initialContext = ['message', 'messages', 'conversationId', 'mood'];
    const asking = await createsProcess(here, here.ada, { initialContext });
    const id = await starts();
    await says(id, 'Be kind.', { speaker: 'system' });
    const before = await path(id);
    await refuses(sends(id, 'hello', {}), 'REQUIRED processId');
    await refuses(sends(id, 'hello', { processId: asking.id }), 'REQUIRED context.mood');
    expect(await path(id)).toEqual(before);

    const context = { mood: 'calm' };
    const sent = await sends(id, 'hello', { processId: asking.id, context });
    const generating = { cacheStatus: 'generating', content: '', executedById: asking.id };
    expect(await shown(sent.agentTurn)).toMatchObject({ ...generating, runId: sent.run });
    const pending = 'MATCH (r:PendingStart {id: $id}) RETURN r.context AS context';
    const [run] = await runCypher(deps.graph, pending, { id: sent.run });
    expect(JSON.parse(String(run?.['context']))).toEqual({
      message: 'hello',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'hello' },
      ],
      conversationId: id,
      mood: 'calm',
    });
    // Now it has a default; nothing may be said below an answer that is still to come.
    await refuses(sends(id, 'hello', { context }), 'STATE parentAlternativeId');
    expect((await memory(id)).immediatePath).toHaveLength(2);
  });

  // S4-CONV-06
  it('the Process of a message becomes the choice: one edge with its time', async () => {
    const id = await starts();
    const other = await createsProcess(here, here.ada);
    const chosen = async (by: string) => {
      const { value, statements } = await deps.graph.counting(() =>
        sends(id, 'hello', { processId: by }),
      );
      await cancels(value.run);
      const edges = await runCypher(
        deps.graph,
        `MATCH (:Conversation {id: $id})-[d:DEFAULT_PROCESS]->(p)
         RETURN p.id AS id, toString(d.since) AS since`,
        { id },
      );
      const isWritten = statements.some(({ name }) => name === 'setDefaultProcess');
      return { isWritten, edges };
    };
    const first = await chosen(processId);
    expect(first).toMatchObject({ isWritten: true, edges: [{ id: processId }] });
    expect(await chosen(processId)).toEqual({ isWritten: false, edges: first.edges });
    const since = expect.not.stringMatching(String(first.edges[0]?.['since']));
    expect(await chosen(other.id)).toEqual({ isWritten: true, edges: [{ id: other.id, since }] });
  });

  it('S4-ALT-07: an answer is stale while its question shows another version', async () => {
    const id = await starts();
    const sent = await sends(id, 'first');
    await cancels(sent.run, { reason: 'enough' });
    const answer = await shown(sent.agentTurn);
    expect(answer).toMatchObject({ outcome: 'cancelled', cacheStatus: 'valid', content: '' });
    const asked = await shown(sent.userTurn);
    const edit = await edits(sent.userTurn, 'second');
    expect(edit.isActive).toBe(true);
    expect((await shown(sent.agentTurn)).cacheStatus).toBe('stale');
    expect(await lastKind(id)).toMatchObject({
      kind: 'alternative.activated',
      alternativeId: edit.id,
      staleAlternativeIds: [answer.id],
    });
    const left = { turnId: sent.agentTurn, alternativeId: answer.id, episodeId: null };
    expect((await memory(id)).excludedStale).toEqual([left]);
    expect(await messages(id)).toEqual(['second']);
    // S4-CONV-06: another Process is the default by now, and the old one runs again.
    const other = await createsProcess(here, here.ada);
    await changes(id, { defaultProcessId: other.id });
    expect(await addAlternative(deps, ada, { turnId: sent.agentTurn })).toMatchObject({
      executedById: processId,
      respondsToId: edit.id,
      cacheStatus: 'generating',
      sequence: 2,
    });
    for (const { id } of [asked, answer]) await activateAlternative(deps, ada, { id });
    expect((await shown(sent.agentTurn)).cacheStatus).toBe('valid');
  });
});

describe('the answers of runs', () => {
  it('a cancelled run leaves its text, and the answer can be generated again', async () => {
    const id = await starts();
    const sent = await sends(id, 'ask');
    const place = { stepId: 'a', index: null, attempt: 1, channel: 'text' } as const;
    const head = { runId: sent.run, rootRunId: sent.run, runPath: [sent.run], conversationId: id };
    const run = { ...head, ownerId: ada.userId, workspace: ada.workspace };
    const texts = ['Half ', 'an answer'].map((text) =>
      runEntry(deps, run, 'step.text', { ...place, text }),
    );
    await writeWith(deps.graph, appendEntries, texts);
    await cancels(sent.run);
    const answer = await shown(sent.agentTurn);
    expect(answer).toMatchObject({ content: 'Half an answer', outcome: 'cancelled' });
    const { id: alternativeId } = answer;
    const completed = { kind: 'alternative.completed', alternativeId, status: 'cancelled' };
    expect(await lastKind(id)).toMatchObject(completed);
    expect(await messages(id)).toEqual(['ask']);
    const again = await addAlternative(deps, ada, { turnId: sent.agentTurn });
    expect(again).toMatchObject({ sequence: 2, cacheStatus: 'generating', isActive: true });
  });

  it('S4-TURN-07: branches are answered at the same time', async () => {
    const id = await starts();
    const root = await says(id, 'ask');
    const parentAlternativeId = (await shown(root.id)).id;
    const generate = () =>
      generateTurn(deps, ada, { conversationId: id, parentAlternativeId, processId });
    const [a, b] = await Promise.all([generate(), generate()]);
    expect([a.sequence, b.sequence]).toEqual([2, 2]);
    expect([a.parentId, b.parentId]).toEqual([root.id, root.id]);
  });
});

describe('the path on screen', () => {
  // S4-WM-04
  it('follows the rule, whatever was done before', async () => {
    const step = fc.record({
      kind: fc.constantFrom('append', 'edit', 'switch', 'whole', 'branch'),
      at: fc.nat(1_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const id = await starts();
        const model = new ScreenModel();
        model.append(await shown((await says(id, 'root')).id));
        for (const { kind, at } of steps) {
          const all = await tree(id);
          const { id: one = '', turnId = '' } = all[at % all.length] ?? {};
          const speaker = at % 2 === 0 ? 'agent' : 'user';
          if (kind === 'append')
            model.append(await shown((await says(id, 'more', { speaker })).id));
          else if (kind === 'switch' || kind === 'whole') {
            const wholePath = kind === 'whole';
            await activateAlternative(deps, ada, { id: one, wholePath });
            model.activate(one, wholePath ? 'whole' : 'below');
          } else if (kind === 'branch') {
            const below = { parentAlternativeId: one, activateParent: true };
            model.append(await shown((await says(id, 'branch', below)).id));
          } else if ((await getTurn(deps, ada, turnId)).speaker === 'user')
            model.edit(await edits(turnId, 'edit'));
        }
        expect((await path(id)).map((turn) => turn.id)).toEqual(model.path());
        const { immediatePath, excludedStale, currentAlternativeId } = await memory(id);
        expect(immediatePath.map((entry) => entry.alternativeId)).toEqual(model.validPath());
        expect(currentAlternativeId).toBe(model.validPath().at(-1));
        expect(immediatePath.length + excludedStale.length).toBe(model.path().length);
        const now = await tree(id);
        const stale = now.flatMap((one) => (one.cacheStatus === 'stale' ? [one.id] : []));
        expect(stale.sort()).toEqual(model.staleIds().sort());
        for (const { turnId } of now) await shown(turnId);
        expect(await disagreeing(id)).toEqual([]);
      }),
      { numRuns: 6 },
    );
  });

  it('S4-WM-03: ends before the turns that follow a dropped version', async () => {
    const said = ['Ada Byron is my sister.', 'Noted.', 'She lives in Turin.'];
    const { id, turns, ids } = await talks(said);
    const [question = '', answer = ''] = turns;
    const edit = await edits(question, 'Grace Hopper is my neighbour.');
    expect(await messages(id)).toEqual([edit.content]);
    const { currentTurnId, excludedStale } = await memory(id);
    expect(currentTurnId).toBe(question);
    expect(excludedStale.map(({ alternativeId }) => alternativeId)).toEqual(ids.slice(1));
    expect(await statuses(id)).toEqual(['valid', 'stale', 'stale']);
    expect(await lastKind(id)).toMatchObject({ staleAlternativeIds: ids.slice(1) });

    // What is said now follows the edit; the other talk is off screen, and whole.
    const next = await says(id, 'She taught me Fortran.');
    expect(next.parentId).toBe(question);
    expect(await messages(id)).toEqual([edit.content, 'She taught me Fortran.']);
    expect(await statuses(id)).toEqual(['valid', 'valid']);
    await activateAlternative(deps, ada, { id: ids[0] ?? '' });
    expect(await messages(id)).toEqual(said);
    expect(await statuses(id)).toEqual(['valid', 'valid', 'valid']);
    expect((await path(id)).map((turn) => turn.id)).toEqual([question, answer, turns[2]]);
  });

  it('S4-ALT-10: goes on from either version of a middle turn', async () => {
    const { id, turns, ids } = await talks(['a', 'b', 'c', 'd']);
    const other = await edits(turns[2] ?? '', 'c, otherwise');
    expect(await messages(id)).toEqual(['a', 'b', 'c, otherwise']);
    const stale = ids[3] ?? '';
    await refuses(says(id, 'e', { parentAlternativeId: stale }), 'STATE parentAlternativeId');
    expect(await messages(id)).toEqual(['a', 'b', 'c, otherwise']);
    await says(id, 'e', { parentAlternativeId: stale, activateParent: true });
    expect(await messages(id)).toEqual(['a', 'b', 'c', 'd', 'e']);
    await says(id, 'f', { parentAlternativeId: other.id, activateParent: true });
    expect(await messages(id)).toEqual(['a', 'b', 'c, otherwise', 'f']);
    await activateAlternative(deps, ada, { id: stale, wholePath: true });
    expect(await messages(id)).toEqual(['a', 'b', 'c', 'd', 'e']);
    const at = { turnId: turns[3], alternativeId: stale };
    expect(await messages(id, at)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('says a stale message again after the version on screen, and no other text', async () => {
    const { id, turns, ids } = await talks(['a', 'b', 'c']);
    await edits(turns[0] ?? '', 'A');
    const image = { type: 'image', uri: 'https://example.com/x.png', mediaType: 'image/png' };
    const parts = [{ ...image, alt: 'X' }];
    const shown2 = await edits(turns[2] ?? '', 'c with it', { parts });
    const again = (turnId: string, more: object) => addAlternative(deps, ada, { turnId, ...more });
    const [, answer = '', last = ''] = turns;
    await refuses(again(last, { sameAsId: ids[0] }), 'NOT_FOUND sameAsId');
    await refuses(again(last, { sameAsId: ids[2], content: 'x' }), 'INVALID sameAsId');
    await refuses(again(answer, { sameAsId: ids[1] }), 'INVALID sameAsId');
    const made = await again(last, { sameAsId: shown2.id });
    expect(made).toMatchObject({ content: shown2.content, parts: shown2.parts, sequence: 3 });
    expect(await messages(id)).toEqual(['A']);
  });

  it('brings a turn on screen that is named as a parent, beside a newer one', async () => {
    const { id, ids } = await talks(['a', 'older']);
    await says(id, 'newer', { parentAlternativeId: ids[0] });
    await says(id, 'more', { parentAlternativeId: ids[1] });
    expect(await messages(id)).toEqual(['a', 'older', 'more']);
  });

  it('takes an edit while its answer streams: the answer ends as stale', async () => {
    const id = await starts();
    const sent = await sends(id, 'slow');
    const streaming = await shown(sent.agentTurn);
    await edits(sent.userTurn, 'quick');
    expect(await shown(sent.agentTurn)).toMatchObject({ cacheStatus: 'generating' });
    expect(await messages(id)).toEqual(['quick']);
    expect((await memory(id)).currentTurnId).toBe(sent.userTurn);
    const again = await addAlternative(deps, ada, { turnId: sent.agentTurn });
    await cancels(sent.run);
    const [dropped] = await readWith(deps.graph, findAlternatives, ada.userId, [streaming.id]);
    expect(dropped).toMatchObject({ cacheStatus: 'stale', outcome: 'cancelled', isActive: false });
    expect(again).toMatchObject({ cacheStatus: 'generating', isActive: true });
    await refuses(sends(id, 'more'), 'STATE parentAlternativeId');
  });

  it('is one path while two switch and a third goes on', async () => {
    const { id, turns, ids } = await talks(['a', 'b', 'c']);
    const edit = await edits(turns[0] ?? '', 'A');
    const below = (parentAlternativeId: string, content: string) => () =>
      says(id, content, { parentAlternativeId, activateParent: true });
    const writers = Array.from({ length: 4 }, () => [
      () => activateAlternative(deps, ada, { id: ids[2] ?? '', wholePath: true }),
      () => activateAlternative(deps, ada, { id: edit.id }),
      below(edit.id, 'under A'),
      below(ids[2] ?? '', 'under c'),
    ]).flat();
    expect(await race(writers)).toEqual({ done: writers.length });
    const texts = await messages(id);
    const isOld = texts[0] === 'a';
    expect(texts).toEqual(isOld ? ['a', 'b', 'c', 'under c'] : ['A', 'under A']);
    expect(await statuses(id)).toEqual(texts.map(() => 'valid'));
  });

  it('an edit at the root of twenty turns costs the statements of one of three', async () => {
    const costOf = async (length: number) => {
      const { id, turns, ids } = await talks(Array.from({ length }, (_, n) => `turn ${n}`));
      const edited = await deps.graph.counting(() => edits(turns[0] ?? '', 'other root'));
      expect(await messages(id)).toEqual(['other root']);
      const back = await deps.graph.counting(() =>
        activateAlternative(deps, ada, { id: ids[0] ?? '' }),
      );
      expect(await messages(id)).toHaveLength(length);
      const listed = await deps.graph.counting(() => statuses(id));
      expect(listed.value.every((status) => status === 'valid')).toBe(true);
      return [edited, back, listed].map(({ statements }) => statements.length);
    };
    expect(await costOf(20)).toEqual(await costOf(3));
  });

  it('leads through any turn that is named', async () => {
    const id = await starts();
    const root = await says(id, 'root');
    const left = await says(id, 'left');
    const under = await says(id, 'under left');
    const parentAlternativeId = (await shown(root.id)).id;
    const right = await says(id, 'right', { parentAlternativeId });
    expect((await path(id)).map((turn) => turn.id)).toEqual([root.id, right.id]);
    expect((await path(id, left.id)).map((turn) => turn.id)).toEqual([root.id, left.id, under.id]);
    expect(await messages(id, { turnId: left.id })).toEqual(['root', 'left']);
  });

  // S4-WM-01, -05
  it('working memory counts every token for a model, in few statements', async () => {
    const { id } = await createConversation(deps, ada, { recall: { tokens: 0 } });
    await says(id, 'Hello world');
    await says(id, 'tiktoken is great!', { speaker: 'agent' });
    const { value, statements } = await deps.graph.counting(() => memory(id));
    // cl100k_base: 2 and 6 tokens.
    expect(value.messages).toEqual([
      { role: 'user', content: 'Hello world', tokens: 2 },
      { role: 'assistant', content: 'tiktoken is great!', tokens: 6 },
    ]);
    expect(value.totalTokens).toBe(8);
    expect(Object.values(value.tokenBreakdown).reduce((a, b) => a + b)).toBe(8);
    expect(statements).toHaveLength(1);
    await updateConversation(deps, ada, { id, recall: null });
    const recalling = await deps.graph.counting(() => memory(id));
    expect(recalling.statements.length).toBeGreaterThan(1);
    expect(recalling.statements.length).toBeLessThanOrEqual(4);
    expect((await memory(await starts())).currentTurnId).toBeNull();
  });
});

describe('forks (S4-CONV-09)', () => {
  it('copy the path with its versions, name their origin, and stay independent', async () => {
    const id = await starts('Origin');
    const root = await says(id, 'root');
    const sent = await sends(id, 'ask');
    await cancels(sent.run);
    const answer = await shown(sent.agentTurn);
    const edit = await edits(sent.userTurn, 'ask better');
    await says(id, 'off the path', { parentAlternativeId: (await shown(root.id)).id });
    const input = { conversationId: id, turnId: sent.agentTurn, alternativeId: answer.id };
    const fork = await forkConversation(deps, ada, input);
    const { turnId: originTurnId, alternativeId: originAlternativeId } = input;
    expect(fork).toMatchObject({
      title: 'Origin',
      defaultProcessId: processId,
      forkedFrom: { conversationId: id, originTurnId, originAlternativeId },
    });
    const copied = await path(fork.id);
    const places = copied.map(({ sequence, speaker }) => `${sequence} ${speaker}`);
    expect(places).toEqual(['1 user', '2 user', '3 agent']);
    expect(copied.map((turn) => turn.id)).not.toContain(root.id);
    // The answer was to the first question, which the fork shows, so that it is not stale there.
    const asked = await versions(copied[1]?.id ?? '');
    const versionsOf = asked.map(({ content, isActive }) => `${content}: ${isActive}`);
    expect(versionsOf).toEqual(['ask: true', `${edit.content}: false`]);
    expect(await shown(copied[2]?.id ?? '')).toMatchObject({
      cacheStatus: 'valid',
      executedById: processId,
      respondsToId: asked[0]?.id,
    });
    expect(await disagreeing(fork.id)).toEqual([]);
    expect(await messages(fork.id)).toEqual(['root', 'ask']);
    await says(fork.id, 'only here');
    expect(await path(id, sent.agentTurn)).toHaveLength(3);
    const forks = (more: object) => forkConversation(deps, ada, { ...input, ...more });
    await refuses(forks({ turnId: copied[0]?.id }), 'NOT_FOUND turnId');
    await refuses(forks({ alternativeId: edit.id }), 'NOT_FOUND alternativeId');
    await refuses(forks({ conversationId: fork.id }), 'NOT_FOUND turnId');
  });
});

/** A conversation with these turns; answers the ids of turns and of their alternatives. */
async function talks(contents: readonly string[]) {
  const { id } = await createConversation(deps, ada, { recall: { tokens: 0 } });
  const turns: string[] = [];
  for (const [index, content] of contents.entries())
    turns.push((await says(id, content, { speaker: index % 2 === 0 ? 'user' : 'agent' })).id);
  const ids: string[] = [];
  for (const turnId of turns) ids.push((await shown(turnId)).id);
  return { id, turns, ids };
}

/** Status of each alternative on screen. */
async function statuses(conversationId: string) {
  const turns = (await path(conversationId)).map((turn) => turn.id);
  const all = await readWith(deps.graph, listAlternatives, ada.userId, turns);
  const active = all.filter(({ isActive }) => isActive);
  return turns.map((turnId) => active.find((one) => one.turnId === turnId)?.cacheStatus);
}

/** Alternatives whose repeated `respondsToId` differs from their edge. */
async function disagreeing(conversationId: string) {
  return runCypher(
    deps.graph,
    `MATCH (:Conversation {id: $conversationId})-[:HAS_TURN]->()-[:HAS_ALTERNATIVE]->(a)
      OPTIONAL MATCH (a)-[:RESPONDS_TO]->(r)
      WITH a, r WHERE coalesce(a.respondsToId, '') <> coalesce(r.id, '')
      RETURN a.id AS id`,
    { conversationId },
  );
}

/** All alternatives of a conversation. */
async function tree(conversationId: string) {
  const page = { first: 100, conversationId };
  const { items } = await readWith(deps.graph, listTurns, ada.userId, page);
  return readWith(
    deps.graph,
    listAlternatives,
    ada.userId,
    items.map(({ item }) => item.id),
  );
}
