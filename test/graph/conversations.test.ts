import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { findAlternatives, listAlternatives } from '../../src/conversations/alternative.cypher.ts';
import { activateAlternative } from '../../src/conversations/alternative.mutations.ts';
import {
  createConversation,
  updateConversation,
} from '../../src/conversations/conversation.mutations.ts';
import { forkConversation } from '../../src/conversations/fork.mutations.ts';
import { listActivePath } from '../../src/conversations/turn.cypher.ts';
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
import type { RunDeps } from '../../src/runs/run/ports.ts';
import { startProcessRun } from '../../src/runs/start/start.mutations.ts';
import type { Viewer } from '../../src/users/user.ts';
import { readWorkingMemory } from '../../src/working-memory/working-memory.cypher.ts';
import type { WorkingMemory } from '../../src/working-memory/working-memory.ts';
import { activePathOf, type TreeTurn } from '../testkit/active-path.ts';
import { runDeps } from '../testkit/conversations.ts';
import { createsProcess } from '../testkit/processes.ts';
import { race, refusals, type World, world } from '../testkit/world.ts';

let here: World;
let deps: RunDeps;
let ada: Viewer;
let processId: string;
beforeAll(async () => {
  here = await world();
  deps = runDeps(here);
  ada = here.ada.viewer;
  processId = (await createsProcess(here, here.ada)).id;
});

const starts = async (title?: string) => (await createConversation(deps, ada, { title })).id;
const says = (conversationId: string, content: string, more: object = {}) =>
  appendTurn(deps, ada, { conversationId, content, ...more });
const versions = (turnId: string) =>
  deps.graph.read((tx) => listAlternatives(tx, ada.userId, [turnId]));
const shown = async (turnId: string) => {
  const active = (await versions(turnId)).filter(({ isActive }) => isActive);
  expect(active).toHaveLength(1);
  return active[0] as (typeof active)[number];
};
const path = (conversationId: string, throughTurnId: string | null = null) =>
  deps.graph.read((tx) => listActivePath(tx, ada.userId, { conversationId, throughTurnId }));
const memory = async (conversationId: string, where: object = {}): Promise<WorkingMemory> => {
  const found = await deps.graph.read((tx) =>
    readWorkingMemory(tx, ada.userId, { conversationId, ...where }),
  );
  if ('missing' in found) throw new Error(`No ${found.missing}`);
  return found;
};
const kinds = async (conversationId: string) =>
  (
    await deps.graph.read((tx) =>
      tx.run(
        '// entries\nMATCH (o:OutboxEntry {conversationId: $conversationId}) RETURN o.kind AS kind, o.payload AS payload ORDER BY o.id',
        { conversationId },
      ),
    )
  ).map((row) => ({ kind: String(row['kind']), ...JSON.parse(String(row['payload'])) }));

describe('a conversation (S4-CONV)', () => {
  it('S4-CONV-02, -03, -05: has an owner, a title and a default Process that is enabled', async () => {
    const made = await createConversation(deps, ada, { title: 'Tea', defaultProcessId: processId });
    expect(made).toMatchObject({ title: 'Tea', status: 'active', defaultProcessId: processId });
    const changed = await updateConversation(deps, ada, {
      id: made.id,
      title: null,
      defaultProcessId: null,
    });
    expect(changed).toMatchObject({ title: null, defaultProcessId: null });
    const { id: chosen } = await createsProcess(here, here.ada);
    await updateConversation(deps, ada, { id: made.id, defaultProcessId: chosen });
    await updateProcess(deps, ada, { id: chosen, enabled: false });
    const kept = await updateConversation(deps, ada, { id: made.id, title: 'Tea' });
    expect(kept).toMatchObject({ defaultProcessId: chosen });
    expect(
      await refusals(sendMessage(deps, ada, { conversationId: made.id, content: 'Hello' })),
    ).toEqual(['DISABLED processId']);
    const disabled = await createsProcess(here, here.ada, { enabled: false });
    const foreign = await createsProcess(here, here.bob);
    const refused = (input: object) => refusals(createConversation(deps, ada, input));
    expect(await refused({ title: ' ', defaultProcessId: disabled.id })).toEqual([
      'INVALID title',
      'DISABLED defaultProcessId',
    ]);
    expect(await refused({ defaultProcessId: foreign.id })).toEqual(['NOT_FOUND defaultProcessId']);
  });

  it('takes nothing while it is archived, and goes on when it is not', async () => {
    const id = await starts();
    const turn = await says(id, 'hello');
    await updateConversation(deps, ada, { id, status: 'archived' });
    expect(await refusals(says(id, 'more'))).toEqual(['STATE conversationId']);
    expect(
      await refusals(sendMessage(deps, ada, { conversationId: id, content: 'x', processId })),
    ).toEqual(['STATE conversationId']);
    expect(await refusals(addAlternative(deps, ada, { turnId: turn.id, content: 'hi' }))).toEqual([
      'STATE turnId',
    ]);
    await updateConversation(deps, ada, { id, status: 'active' });
    expect((await says(id, 'more')).sequence).toBe(2);
  });

  it("is nobody else's", async () => {
    const id = await starts();
    const turn = await says(id, 'secret');
    const bob = here.bob.viewer;
    expect(await refusals(appendTurn(deps, bob, { conversationId: id, content: 'x' }))).toEqual([
      'NOT_FOUND conversationId',
    ]);
    expect(await refusals(addAlternative(deps, bob, { turnId: turn.id, content: 'x' }))).toEqual([
      'NOT_FOUND turnId',
    ]);
    expect(
      await refusals(activateAlternative(deps, bob, { id: (await shown(turn.id)).id })),
    ).toEqual(['NOT_FOUND id']);
    expect(await refusals(updateConversation(deps, bob, { id, title: 'x' }))).toEqual([
      'NOT_FOUND id',
    ]);
    expect(
      await refusals(startProcessRun(deps, bob, { processId, context: {}, conversationId: id })),
    ).toEqual(['NOT_FOUND processId']);
  });
});

describe('turns and alternatives (S4-TURN, S4-ALT)', () => {
  it('S4-TURN-02, -03: grow below what is on screen, one deeper each, with the edges of the specification', async () => {
    const id = await starts();
    const root = await says(id, 'one');
    const second = await says(id, 'two', { speaker: 'system' });
    expect(root).toMatchObject({
      sequence: 1,
      parentId: null,
      viaAlternativeId: null,
      speaker: 'user',
    });
    const via = await shown(root.id);
    expect(second).toMatchObject({ sequence: 2, parentId: root.id, viaAlternativeId: via.id });
    expect(via).toMatchObject({
      sequence: 1,
      content: 'one',
      hasChildren: true,
      cacheStatus: 'valid',
    });
    expect((await shown(second.id)).respondsToId).toBe(via.id);
    expect((await path(id)).map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  it('refuses what does not fit, and writes nothing then', async () => {
    const id = await starts();
    const root = await says(id, 'one');
    const first = (await shown(root.id)).id;
    await addAlternative(deps, ada, { turnId: root.id, content: 'one, better' });
    const other = await shown((await says(await starts(), 'elsewhere')).id);
    expect(await refusals(says(id, ''))).toEqual(['REQUIRED content']);
    expect(await refusals(says(id, 'x'.repeat(5_000_000)))).toEqual(['INVALID content']);
    expect(await refusals(says(id, 'é'.repeat(131_073)))).toEqual(['INVALID content']);
    expect(await refusals(says(id, 'x', { parentAlternativeId: other.id }))).toEqual([
      'NOT_FOUND parentAlternativeId',
    ]);
    expect(await refusals(says(id, 'x', { parentAlternativeId: first }))).toEqual([
      'STATE parentAlternativeId',
    ]);
    expect(
      await refusals(addAlternative(deps, ada, { turnId: root.id, content: ' ', processId })),
    ).toEqual(['REQUIRED content', 'INVALID processId']);
    expect(
      await refusals(
        addAlternative(deps, ada, { turnId: root.id, content: 'x', respondsToId: other.id }),
      ),
    ).toEqual(['NOT_FOUND respondsToId']);
    expect(await path(id)).toHaveLength(1);
    const below = await says(id, 'two', { parentAlternativeId: first, activateParent: true });
    expect(below.viaAlternativeId).toBe(first);
    expect((await shown(root.id)).id).toBe(first);
  });

  it('takes the time at which an imported turn was said, in any order but not in the future', async () => {
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
    expect((await path(id)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    const edit = await addAlternative(deps, ada, { turnId: root.id, content: 'one, better' });
    expect(edit.saidAt).toBe(edit.createdAt);
    for (const wrong of [at(120_000), '9999-01-01T00:00:00Z', '1969-12-31T23:59:59Z', 'today'])
      expect(await refusals(says(id, 'x', { saidAt: wrong }))).toEqual(['INVALID saidAt']);
    expect(await refusals(says(id, '', { saidAt: 'today' }))).toEqual([
      'REQUIRED content',
      'INVALID saidAt',
    ]);
    expect(await path(id)).toHaveLength(4);
  });

  it('an idempotency key makes a repeat harmless', async () => {
    const id = await starts();
    const [a, b] = await Promise.all(
      [1, 2].map(() => says(id, 'once', { idempotencyKey: 'k' + id })),
    );
    expect(a).toEqual(b);
    expect(await refusals(says(id, 'twice', { idempotencyKey: 'k' + id }))).toEqual([
      'CONFLICT idempotencyKey',
    ]);
    const send = { conversationId: id, content: 'ask', processId, idempotencyKey: 's' + id };
    const sent = await sendMessage(deps, ada, send);
    expect(await sendMessage(deps, ada, send)).toEqual(sent);
    expect(await path(id)).toHaveLength(3);
  });

  it('S4-TURN-04: keeps exactly one active alternative while 50 writers switch and add at once', async () => {
    const id = await starts();
    const root = await says(id, 'v1');
    for (const content of ['v2', 'v3'])
      await addAlternative(deps, ada, { turnId: root.id, content });
    const known = await versions(root.id);
    const writers = Array.from(
      { length: 50 },
      (_, n) => () =>
        n % 5 === 0
          ? addAlternative(deps, ada, { turnId: root.id, content: `new ${n}` })
          : activateAlternative(deps, ada, { id: known[n % 3]?.id ?? '' }),
    );
    expect(await race(writers)).toEqual({ done: 50 });
    const all = await versions(root.id);
    expect(all.filter(({ isActive }) => isActive)).toHaveLength(1);
    expect(all.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 13 }, (_, n) => n + 1),
    );
  });

  it('one root and one path come of writers who append at once', async () => {
    const id = await starts();
    expect(await race(Array.from({ length: 20 }, (_, n) => () => says(id, `n${n}`)))).toEqual({
      done: 20,
    });
    expect((await path(id)).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 1),
    );
  });
});

describe('agent turns', () => {
  it('S4-CONV-07: a message is two turns, the choice of the Process and a run in one go', async () => {
    const asking = await createsProcess(here, here.ada, {
      initialContext: ['message', 'messages', 'conversationId', 'mood'],
    });
    const id = await starts();
    await says(id, 'Be kind.', { speaker: 'system' });
    const before = await path(id);
    const refused = (more: object) =>
      refusals(sendMessage(deps, ada, { conversationId: id, content: 'hello', ...more }));
    expect(await refused({})).toEqual(['REQUIRED processId']);
    expect(await refused({ processId: asking.id })).toEqual(['REQUIRED context.mood']);
    expect(await path(id)).toEqual(before);

    const context = { mood: 'calm' };
    const sent = await sendMessage(deps, ada, {
      conversationId: id,
      content: 'hello',
      processId: asking.id,
      context,
    });
    const answer = await shown(sent.agentTurn);
    expect(answer).toMatchObject({
      cacheStatus: 'generating',
      content: '',
      runId: sent.run,
      executedById: asking.id,
    });
    const [run] = await deps.graph.read((tx) =>
      tx.run('// run\nMATCH (r:PendingStart {id: $id}) RETURN r.context AS context', {
        id: sent.run,
      }),
    );
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
    expect(await refused({ context })).toEqual(['STATE parentAlternativeId']);
    expect((await memory(id)).immediatePath).toHaveLength(2);
  });

  it('S4-CONV-06: the Process of a message becomes the choice where it is not yet, one edge with its time', async () => {
    const id = await starts();
    const other = await createsProcess(here, here.ada);
    const chosen = async (by: string) => {
      const { value, statements } = await deps.graph.counting(() =>
        sendMessage(deps, ada, { conversationId: id, content: 'hello', processId: by }),
      );
      await cancelProcessRun(deps, ada, { id: value.run });
      const edges = await deps.graph.read((tx) =>
        tx.run(
          '// choice\nMATCH (:Conversation {id: $id})-[d:DEFAULT_PROCESS]->(p) RETURN p.id AS id, toString(d.since) AS since',
          { id },
        ),
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
    const sent = await sendMessage(deps, ada, { conversationId: id, content: 'first', processId });
    await cancelProcessRun(deps, ada, { id: sent.run, reason: 'enough' });
    const answer = await shown(sent.agentTurn);
    expect(answer).toMatchObject({ outcome: 'cancelled', cacheStatus: 'valid', content: '' });
    const asked = await shown(sent.userTurn);
    const edit = await addAlternative(deps, ada, { turnId: sent.userTurn, content: 'second' });
    expect(edit.isActive).toBe(true);
    expect((await shown(sent.agentTurn)).cacheStatus).toBe('stale');
    expect((await kinds(id)).at(-1)).toMatchObject({
      kind: 'alternative.activated',
      alternativeId: edit.id,
      staleAlternativeIds: [answer.id],
    });
    const stale = await memory(id);
    expect(stale.excludedStale).toEqual([
      { turnId: sent.agentTurn, alternativeId: answer.id, episodeId: null },
    ]);
    expect(stale.messages.map(({ content }) => content)).toEqual(['second']);
    // S4-CONV-06: another Process is the default by now, and the old one runs again.
    const other = await createsProcess(here, here.ada);
    await updateConversation(deps, ada, { id, defaultProcessId: other.id });
    const again = await addAlternative(deps, ada, { turnId: sent.agentTurn });
    expect(again).toMatchObject({
      executedById: processId,
      respondsToId: edit.id,
      cacheStatus: 'generating',
      sequence: 2,
    });
    await activateAlternative(deps, ada, { id: asked.id });
    await activateAlternative(deps, ada, { id: answer.id });
    expect((await shown(sent.agentTurn)).cacheStatus).toBe('valid');
  });

  it('a run that is cancelled leaves what it had said, and the answer can be generated again', async () => {
    const id = await starts();
    const sent = await sendMessage(deps, ada, { conversationId: id, content: 'ask', processId });
    const place = { stepId: 'a', index: null, attempt: 1, channel: 'text' } as const;
    const head = { runId: sent.run, rootRunId: sent.run, runPath: [sent.run], conversationId: id };
    const run = { ...head, ownerId: ada.userId, workspace: ada.workspace };
    const texts = ['Half ', 'an answer'].map((text) =>
      runEntry(deps, run, 'step.text', { ...place, text }),
    );
    await deps.graph.write((tx) => appendEntries(tx, texts));
    await cancelProcessRun(deps, ada, { id: sent.run });
    const answer = await shown(sent.agentTurn);
    expect(answer).toMatchObject({ content: 'Half an answer', outcome: 'cancelled' });
    expect((await kinds(id)).at(-1)).toMatchObject({
      kind: 'alternative.completed',
      alternativeId: answer.id,
      status: 'cancelled',
    });
    expect((await memory(id)).messages.map(({ content }) => content)).toEqual(['ask']);
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

describe('what is on screen', () => {
  it('is what the rule says, whatever was done before', async () => {
    const step = fc.record({
      kind: fc.constantFrom('append', 'edit', 'switch', 'branch'),
      at: fc.nat(1_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const id = await starts();
        await says(id, 'root');
        for (const { kind, at } of steps) {
          const rows = await tree(id);
          const turn = rows[at % rows.length] as TreeTurn;
          const all = await versions(turn.id);
          const one = all[at % all.length]?.id ?? '';
          if (kind === 'append')
            await says(id, 'more', { speaker: at % 2 === 0 ? 'agent' : 'user' });
          else if (kind === 'switch') await activateAlternative(deps, ada, { id: one });
          else if (kind === 'branch')
            await says(id, 'branch', { parentAlternativeId: one, activateParent: true });
          else if ((await getTurn(deps, ada, turn.id)).speaker === 'user') {
            await addAlternative(deps, ada, { turnId: turn.id, content: 'edit' });
          }
        }
        const expected = activePathOf(await tree(id)).map((turn) => turn.id);
        expect((await path(id)).map((turn) => turn.id)).toEqual(expected);
        for (const { id: turnId } of await tree(id)) await shown(turnId);
        expect(await disagreeing(id)).toEqual([]);
      }),
      { numRuns: 8 },
    );
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
    expect((await memory(id, { turnId: left.id })).messages.map(({ content }) => content)).toEqual([
      'root',
      'left',
    ]);
  });

  it('S4-WM-01, -05: working memory counts every token it would give a model, in one statement without recall and few with it', async () => {
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
    const sent = await sendMessage(deps, ada, { conversationId: id, content: 'ask', processId });
    await cancelProcessRun(deps, ada, { id: sent.run });
    const answer = await shown(sent.agentTurn);
    const edit = await addAlternative(deps, ada, { turnId: sent.userTurn, content: 'ask better' });
    await says(id, 'off the path', { parentAlternativeId: (await shown(root.id)).id });
    const input = { conversationId: id, turnId: sent.agentTurn, alternativeId: answer.id };
    const fork = await forkConversation(deps, ada, input);
    expect(fork).toMatchObject({
      title: 'Origin',
      defaultProcessId: processId,
      forkedFrom: {
        conversationId: id,
        originTurnId: sent.agentTurn,
        originAlternativeId: answer.id,
      },
    });
    const copied = await path(fork.id);
    expect(copied.map(({ sequence, speaker }) => `${sequence} ${speaker}`)).toEqual([
      '1 user',
      '2 user',
      '3 agent',
    ]);
    expect(copied.map((turn) => turn.id)).not.toContain(root.id);
    // The answer was to the first question, and is as stale there as it was here.
    const asked = await versions(copied[1]?.id ?? '');
    expect(asked.map(({ content, isActive }) => [content, isActive])).toEqual([
      ['ask', false],
      [edit.content, true],
    ]);
    expect(await shown(copied[2]?.id ?? '')).toMatchObject({
      cacheStatus: 'stale',
      executedById: processId,
      respondsToId: asked[0]?.id,
    });
    expect(await disagreeing(fork.id)).toEqual([]);
    expect((await memory(fork.id)).messages.map(({ content }) => content)).toEqual([
      'root',
      'ask better',
    ]);
    await says(fork.id, 'only here');
    expect(await path(id, sent.agentTurn)).toHaveLength(3);
    const refused = (more: object) => refusals(forkConversation(deps, ada, { ...input, ...more }));
    expect(await refused({ turnId: copied[0]?.id })).toEqual(['NOT_FOUND turnId']);
    expect(await refused({ alternativeId: edit.id })).toEqual(['NOT_FOUND alternativeId']);
    expect(await refused({ conversationId: fork.id })).toEqual(['NOT_FOUND turnId']);
  });
});

/** Alternatives whose repeated `respondsToId` is not what their edge says. */
async function disagreeing(conversationId: string) {
  return deps.graph.read((tx) =>
    tx.run(
      `// disagreeing
      MATCH (:Conversation {id: $conversationId})-[:HAS_TURN]->()-[:HAS_ALTERNATIVE]->(a)
      OPTIONAL MATCH (a)-[:RESPONDS_TO]->(r)
      WITH a, r WHERE coalesce(a.respondsToId, '') <> coalesce(r.id, '')
      RETURN a.id AS id`,
      { conversationId },
    ),
  );
}

async function tree(conversationId: string): Promise<TreeTurn[]> {
  const rows = await deps.graph.read((tx) =>
    tx.run(
      `// tree
      MATCH (:Conversation {id: $conversationId})-[:HAS_TURN]->(t)-[h:HAS_ALTERNATIVE]->(a) WHERE h.isActive
      OPTIONAL MATCH (t)-[up:CHILD_OF]->(p)
      OPTIONAL MATCH (a)-[:RESPONDS_TO]->(r)
      RETURN t {.id, .timestamp, parentId: p.id, viaAlternativeId: up.viaAlternative, respondsToId: r.id,
        activeAlternativeId: a.id} AS turn ORDER BY t.id`,
      { conversationId },
    ),
  );
  return rows.map((row) => row['turn'] as unknown as TreeTurn);
}

it('finds alternatives of their owner only', async () => {
  const turn = await says(await starts(), 'mine');
  const { id } = await shown(turn.id);
  expect(await deps.graph.read((tx) => findAlternatives(tx, here.bob.viewer.userId, [id]))).toEqual(
    [],
  );
});
