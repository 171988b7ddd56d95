import { describe, expect, it } from 'vitest';
import { recordFailureIn } from '../../src/background/background.mutations.ts';
import type { Clock } from '../../src/common/clock.ts';
import { findEpisodes } from '../../src/memory-graph/episodes/episode.cypher.ts';
import { createEntity } from '../../src/memory-graph/resolution/create-entity.mutations.ts';
import { searchMemory } from '../../src/memory-graph/search/search-memory.service.ts';
import type { Viewer } from '../../src/users/user.ts';
import {
  listIntrospectionEpisodes,
  listIntrospections,
} from '../../src/working-memory/introspections/introspection.cypher.ts';
import {
  deleteIntrospection,
  injectIntrospection,
  introspectIfDue,
  rebindIntrospection,
  triggerIntrospection,
} from '../../src/working-memory/introspections/introspection.mutations.ts';
import type { InjectIntrospection } from '../../src/working-memory/introspections/introspection.ts';
import { createSummary } from '../../src/working-memory/summaries/summary.mutations.ts';
import { taskItem } from '../../src/working-memory/tasks/task.ts';
import { runDeps } from '../testkit/conversations.ts';
import { NO_AGENT } from '../testkit/fixed.ts';
import { readWith, runCypher } from '../testkit/graph.ts';
import { ensureSystem, fixedSettings, talker } from '../testkit/memory.ts';
import { newViewer, race, refusals, refuses, world } from '../testkit/world.ts';

const here = await world();
const deps = {
  ...runDeps(here),
  settings: fixedSettings({ introspectionMaxRotation: 3, introspectionCompressionThreshold: 2 }),
};
await ensureSystem(here.deps);

const asked = (cypher: string, params: object) => runCypher(deps.graph, `${cypher}`, params);
const signsUp = () => newViewer(here.deps, 'eve', ['user', 'admin']);
const notes = (viewer: Viewer, content: string, more: Partial<InjectIntrospection> = {}) =>
  injectIntrospection(deps, viewer, { content, ...more });
const carousel = async (viewer: Viewer, which: 'carousel' | 'all' = 'carousel') =>
  (await readWith(deps.graph, listIntrospections, viewer.userId, which === 'all')).map(
    ({ carouselPosition, content, archived }) => ({ carouselPosition, content, archived }),
  );

describe('the carousel (S4-INTR)', () => {
  // S4-INTR-01, -04, -05
  it('a note has its place, its owner and an Episode of the group of notes', async () => {
    const eve = await signsUp();
    const conversationContext = 'conversation-1, compressions 1-5';
    const note = await notes(eve, ' She likes rivers. ', { conversationContext });
    expect(note).toMatchObject({
      ...{ ownerId: eve.userId, carouselPosition: 0, archived: false },
      ...{ conversationContext, content: 'She likes rivers.' },
    });
    const [edges] = await asked(
      `MATCH (u:User)<-[:OWNED_BY]-(i:Introspection {id:
        $id})-[h:HAS_CONTENT]->(ep:Episodic:IntrospectionEpisode)-[:OWNED_BY]->(u)
       RETURN u.id AS userId, h.source AS source, h.createdAt IS NOT NULL AS dated, ep.group_id AS
         groupId, ep.source AS own,
         COUNT { (ep)<-[:TEXT_OF]-(:EpisodeText) } AS texts`,
      { id: note.id },
    );
    expect(edges).toEqual({
      ...{ userId: eve.userId, source: 'introspection', dated: true, own: 'text', texts: 1 },
      groupId: 'system_introspection',
    });
  });

  // S4-EPI-04
  it('S4-INTR-12: mentions entities of its owner that it names, also when bound anew', async () => {
    const eve = await signsUp();
    const knows = (name: string) => createEntity(deps, eve, { name, summary: `${name}.` });
    const [seine, louvre] = [await knows('Seine'), await knows('Louvre')];
    const mentioned = async (id: string) =>
      (
        await asked(
          `MATCH (:Introspection {id: $id})-[:HAS_CONTENT]->()-[:MENTIONS]->(e) RETURN e.uuid AS
            uuid`,
          { id },
        )
      )
        .map(({ uuid }) => uuid)
        .toSorted();
    const note = await notes(eve, 'She walks along the Seine.');
    expect(await mentioned(note.id)).toEqual([seine.uuid]);
    await rebindIntrospection(deps, eve, { id: note.id, content: 'She goes to the Louvre.' });
    expect(await mentioned(note.id)).toEqual([seine.uuid, louvre.uuid].toSorted());
  });

  // S4-INTR-02, -03
  it('fills free places, then archives the oldest; a smaller one archives more', async () => {
    const eve = await signsUp();
    for (const content of ['one', 'two', 'three', 'four']) await notes(eve, content);
    const contents = async () => (await carousel(eve)).map(({ content }) => content);
    expect(await carousel(eve)).toEqual([
      { carouselPosition: 0, content: 'four', archived: false },
      { carouselPosition: 1, content: 'two', archived: false },
      { carouselPosition: 2, content: 'three', archived: false },
    ]);
    const expected = { carouselPosition: 0, content: 'one', archived: true };
    expect((await carousel(eve, 'all')).at(-1)).toEqual(expected);
    await notes(eve, 'five', { carouselPosition: 2 });
    expect(await contents()).toEqual(['four', 'two', 'five']);
    const [chain] = await asked(
      `MATCH (:Introspection {slot: $slot})-[:REPLACES]->(old:Introspection) RETURN old.archivedAt
        IS NOT NULL AS archived`,
      { slot: `${eve.userId}/2` },
    );
    expect(chain).toEqual({ archived: true });
    const two = { ...deps, settings: fixedSettings({ introspectionMaxRotation: 2 }) };
    await injectIntrospection(two, eve, { content: 'six' });
    expect(await contents()).toHaveLength(2);
  });

  it('S4-INTR-03: search finds notes, archived ones too, as they are worded now', async () => {
    const [eve, ada] = [await signsUp(), await signsUp()];
    const { id } = await notes(eve, 'She waters the fig tree on Sundays.');
    for (const content of ['Her boat is green.', 'She reads maps.', 'She dislikes rain.'])
      await notes(eve, content);
    await rebindIntrospection(deps, eve, { id, content: 'She waters the fig on Fridays.' });
    const search = { ...deps, memoryMode: NO_AGENT };
    const find = async (viewer: Viewer, more: object = {}) =>
      (await searchMemory(search, viewer, { query: 'watering the fig', ...more })).hits;
    const hits = await find(eve);
    expect(hits.map(({ kind }) => kind)).toEqual(['note']);
    const [episode] = await readWith(deps.graph, findEpisodes, eve.userId, [hits[0]?.uuid ?? '']);
    expect(episode?.content).toBe('She waters the fig on Fridays.');
    expect(await find(eve, { kinds: ['episode'] })).toEqual([]);
    expect(await find(eve, { kinds: ['note'] })).toHaveLength(1);
    expect(await find(ada)).toEqual([]);
  });

  // S4-INTR-06, S4-PAT-02
  it('rebound by another edge, moved by delete and recreate; the archive keeps both', async () => {
    const eve = await signsUp();
    const note = await notes(eve, 'She likes brooks.');
    const [old] = await readWith(deps.graph, findEpisodes, eve.userId, [note.episodeUuid]);
    const input = { id: note.id, content: 'She likes rivers.' };
    const rebound = await rebindIntrospection(deps, eve, input);
    const expected = { id: note.id, content: 'She likes rivers.', carouselPosition: 0 };
    expect(rebound).toMatchObject(expected);
    const bound = await readWith(deps.graph, listIntrospectionEpisodes, eve.userId, [note.id]);
    expect(bound.get(note.id)?.[1]).toEqual(old);
    expect(await deleteIntrospection(deps, eve, { id: note.id })).toBe(note.id);
    expect(await carousel(eve)).toEqual([]);
    expect(await carousel(eve, 'all')).toHaveLength(1);
    const place = { carouselPosition: 2 };
    expect(await notes(eve, 'She likes rivers.', place)).toMatchObject(place);
    await refuses(deleteIntrospection(deps, eve, { id: note.id }), 'NOT_FOUND id');
  });

  // S4-INTR-01
  it('bad notes are refused with code and place; foreign ones are not there', async () => {
    const [eve, bob] = [await signsUp(), here.bob.viewer];
    const tries: [InjectIntrospection, string[]][] = [
      [{ content: ' ' }, ['REQUIRED content']],
      [{ content: 'x'.repeat(2_001) }, ['INVALID content']],
      [{ content: 'x', carouselPosition: 3 }, ['INVALID carouselPosition']],
      [{ content: '', carouselPosition: -1 }, ['REQUIRED content', 'INVALID carouselPosition']],
      [{ content: 'x', conversationContext: 'x'.repeat(501) }, ['INVALID conversationContext']],
    ];
    for (const [input, expected] of tries)
      expect(await refusals(injectIntrospection(deps, eve, input))).toEqual(expected);
    expect(await carousel(eve)).toEqual([]);
    const { id, episodeUuid } = await notes(eve, 'Mine.');
    const theirs = { id, content: 'Yours.' };
    await refuses(rebindIntrospection(deps, bob, theirs), 'NOT_FOUND id');
    await refuses(rebindIntrospection(deps, eve, { id, content: '' }), 'REQUIRED content');
    await refuses(deleteIntrospection(deps, bob, { id }), 'NOT_FOUND id');
    expect(await readWith(deps.graph, findEpisodes, bob.userId, [episodeUuid])).toEqual([]);
  });

  it('S4-INTR-02: of writers at once, each gets a place of its own', async () => {
    const eve = await signsUp();
    const writers = Array.from({ length: 6 }, (_, n) => () => notes(eve, `note ${n}`));
    expect(await race(writers)).toEqual({ done: 6 });
    const places = (await carousel(eve)).map(({ carouselPosition }) => carouselPosition);
    expect(places).toEqual([0, 1, 2]);
    expect(await carousel(eve, 'all')).toHaveLength(6);
  });

  // S4-INTR-11, S4-WM-05
  it('stands in the working memory of its user, by position', async () => {
    const eve = await signsUp();
    const talk = talker(deps, eve);
    const conversationId = await talk.starts();
    const second = await notes(eve, 'Second.', { carouselPosition: 1 });
    const first = await notes(eve, 'First.');
    const memory = await talk.remembers(conversationId);
    expect(memory.introspectionContext).toEqual([first.episodeUuid, second.episodeUuid]);
    expect(memory.messages[0]).toMatchObject({
      role: 'system',
      content: 'Your notes to yourself:\n[0] First.\n[1] Second.',
    });
    expect(memory.tokenBreakdown.introspection).toBe(memory.messages[0]?.tokens);
    expect(memory.totalTokens).toBe(memory.tokenBreakdown.introspection);
    const theirs = talker(deps, here.bob.viewer);
    expect((await theirs.remembers(await theirs.starts())).introspectionContext).toEqual([]);
  });
});

describe('reflecting (S4-INTR-07)', () => {
  /** Sums up one turn after the other, as compressions would. */
  async function compressed(viewer: Viewer, times: number) {
    const talk = talker(deps, viewer);
    const conversationId = await talk.starts();
    const processId = await talk.aProcess();
    const sums = async () => {
      const said = await talk.says(conversationId, 'The river is wide.');
      await createSummary(deps, viewer, {
        conversationId,
        sourceEpisodeIds: [said.episodeId],
        coversUpToTurnId: said.turnId,
        content: 'Wide.',
        processId,
      });
    };
    for (let n = 0; n < times; n++) await sums();
    return { conversationId, sums };
  }
  const contextOf = async (runId: string) => {
    const context = 'MATCH (r:ProcessRun {id: $runId}) RETURN r.context AS context';
    return JSON.parse(String((await asked(context, { runId }))[0]?.['context'])) as object;
  };

  // S4-INTR-07, -08, -09, -10
  it('starts at the threshold, once, with warning, notes and summaries', async () => {
    const eve = await signsUp();
    const { conversationId, sums } = await compressed(eve, 1);
    expect(await introspectIfDue(deps, conversationId)).toBeNull();
    await sums();
    const tries = await Promise.all([1, 2, 3].map(() => introspectIfDue(deps, conversationId)));
    const [runId = '', ...others] = tries.filter((id) => id !== null);
    expect(others).toEqual([]);
    // S4-INTR-08: no Worker executes the run here, and the user goes on at once.
    const talk = talker(deps, eve);
    await talk.says(conversationId, 'The river is deep, too.');
    const { messages } = await talk.remembers(conversationId);
    expect(messages.at(-1)?.content).toBe('The river is deep, too.');
    const summary = { level: 1, content: 'Wide.' };
    expect(await contextOf(runId)).toMatchObject({
      ...{ warning: expect.stringMatching(/^Position 0 is free/), notes: [], positions: 3 },
      summaries: [summary, summary],
    });
    const [task] = await asked(
      `MATCH (c:Conversation {id: $conversationId})<-[:TASK_OF]-(t:MemoryTask {kind:
        'introspection'})-[:DONE_BY]->(r:ProcessRun)
       RETURN t.from AS from, t.to AS to, r.ownerId AS ownerId, r.processName AS name,
         r.status AS status, c.compressionsSinceIntrospection AS counted`,
      { conversationId },
    );
    const run = { ownerId: eve.userId, name: 'introspect', status: 'pending' };
    expect(task).toEqual({ from: 1, to: 2, counted: 0, ...run });
  });

  // S4-INTR-09
  it('the agent is told which note it would replace, and given all of them', async () => {
    const eve = await signsUp();
    const { conversationId } = await compressed(eve, 0);
    for (const content of ['one', 'two', 'three']) await notes(eve, content);
    const run = await triggerIntrospection(deps, eve, { conversationId });
    expect(await contextOf(run.id)).toMatchObject({
      warning: expect.stringMatching(/^Position 0 will be replaced .*: one$/),
      notes: [{ position: 0, content: 'one' }, { position: 1 }, { position: 2 }],
    });
    await refuses(triggerIntrospection(deps, eve, { conversationId }), 'STATE conversationId');
    const foreign = triggerIntrospection(deps, here.bob.viewer, { conversationId });
    await refuses(foreign, 'NOT_FOUND conversationId');
  });

  it('rests after a failure, a little longer each time', async () => {
    const eve = await signsUp();
    const { conversationId } = await compressed(eve, 2);
    const runId = await introspectIfDue(deps, conversationId);
    const item = taskItem(eve.userId, conversationId, 'introspection');
    const fail = (id: string | null) =>
      deps.graph.write(async (tx) => {
        await recordFailureIn(deps, tx, item, null);
        await tx.run(
          `// fails
          MATCH (t:MemoryTask)-[:DONE_BY]->(r:ProcessRun {id: $id}), (t)-[:TASK_OF]->(c)
          SET r.status = 'failed', r.completedAt = datetime(), c.compressionsSinceIntrospection =
            t.counted`,
          { id },
        );
      });
    await fail(runId);
    const at = (minutes: number): Clock => ({ nowMs: () => Date.now() + minutes * 60_000 });
    const triesAfter = (minutes: number) =>
      introspectIfDue({ ...deps, clock: at(minutes) }, conversationId);
    expect(await triesAfter(0)).toBeNull();
    const second = await triesAfter(1.1);
    expect(second).not.toBeNull();
    await fail(second);
    expect(await triesAfter(1.1)).toBeNull();
    expect(await triesAfter(2.1)).not.toBeNull();
  });
});
