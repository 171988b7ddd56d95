import { describe, expect, it } from 'vitest';
import { countTokens } from '../../src/common/token-budget.ts';
import { forkConversation } from '../../src/conversations/fork.mutations.ts';
import { addAlternative } from '../../src/conversations/turn.mutations.ts';
import { findEpisodes } from '../../src/memory-graph/episodes/episode.cypher.ts';
import { createEntity } from '../../src/memory-graph/resolution/create-entity.mutations.ts';
import { deleteProcess } from '../../src/processes/process.mutations.ts';
import {
  listSummaries,
  listSummaryEpisodes,
} from '../../src/working-memory/summaries/summary.cypher.ts';
import {
  type CreateSummary,
  createSummary,
  deleteSummary,
  rebindSummary,
} from '../../src/working-memory/summaries/summary.mutations.ts';
import {
  compressConversation,
  compressIfDue,
} from '../../src/working-memory/upkeep/compression.mutations.ts';
import { runDeps } from '../testkit/conversations.ts';
import { readWith, runCypher } from '../testkit/graph.ts';
import { ensureSystem, fixedSettings, type Said, talker } from '../testkit/memory.ts';
import { newViewer, race, refusals, refuses, world } from '../testkit/world.ts';

/** An admin with a talk of her own, so that she may repair it. */
const here = await world();
const deps = { ...runDeps(here), settings: fixedSettings({ compressionTokenThreshold: 200 }) };
await ensureSystem(here.deps);
const ada = here.root.viewer;
const talk = talker(deps, ada);
const processId = await talk.aProcess();

const asked = async (cypher: string, params: object) => runCypher(deps.graph, `${cypher}`, params);
const sumsUp = (
  conversationId: string,
  sources: readonly Said[],
  more: Partial<CreateSummary> = {},
) =>
  createSummary(deps, ada, {
    conversationId,
    sourceEpisodeIds: sources.map(({ episodeId }) => episodeId),
    coversUpToTurnId: sources.at(-1)?.turnId ?? '',
    content: 'It was said.',
    processId,
    ...more,
  });

describe('a Summary (S4-SUM)', () => {
  // S4-SUM-02, -03, -04, -08, S4-PAT-01
  it('by hand, has its edges, its Episode and its level', async () => {
    const conversationId = await talk.starts();
    const said = await talk.talksFor(conversationId, 4);
    const summary = await sumsUp(conversationId, said.slice(0, 3), { content: ' Three things. ' });
    expect(summary).toMatchObject({
      conversationId,
      compressionLevel: 1,
      tokenCount: countTokens(' Three things. '),
      coversUpToId: said[2]?.turnId,
      createdByProcessId: processId,
    });
    const [edges] = await asked(
      `MATCH (c:Conversation)-[:HAS_SUMMARY]->(s:Summary
        {id: $id})-[h:HAS_CONTENT]->(ep:Episodic:SummaryEpisode)
       MATCH (s)-[:COVERS_UP_TO]->(t:ConversationTurn), (s)-[:CREATED_BY_PROCESS]->(p:Process)
       RETURN c.id AS conversationId, h.source AS source, h.createdAt IS NOT NULL AS dated,
         ep.source AS own, ep.group_id AS groupId,
         t.id AS turnId, p.id AS processId, keys(s) AS keys,
         COLLECT { MATCH (s)-[x:SUMMARIZES]->(e) RETURN [x.order, e.uuid] ORDER BY x.order }
         AS sources`,
      { id: summary.id },
    );
    expect(edges).toMatchObject({
      ...{ conversationId, source: 'summary', dated: true, own: 'text', groupId: conversationId },
      ...{ turnId: said[2]?.turnId, processId },
      sources: said.slice(0, 3).map(({ episodeId }, index) => [index + 1, episodeId]),
    });
    const expected = ['compressionLevel', 'createdAt', 'id', 'tokenCount'];
    expect([...((edges?.['keys'] ?? []) as string[])].sort()).toEqual(expected);
    const [episode] = await readWith(deps.graph, findEpisodes, ada.userId, [summary.episodeUuid]);
    const named = { source: 'summary', compressionLevel: 1, name: `Summary:${summary.id}` };
    expect(episode).toMatchObject(named);

    const higher = await sumsUp(conversationId, [], {
      sourceEpisodeIds: [summary.episodeUuid, said[3]?.episodeId ?? ''],
      coversUpToTurnId: said[3]?.turnId ?? '',
    });
    expect(higher.compressionLevel).toBe(2);
    await refuses(deleteProcess(deps, ada, { id: processId }), 'IN_USE id');
  });

  // S4-EPI-04, S4-ENT-09
  it('mentions the known entities that it names, as does its next text', async () => {
    const conversationId = await talk.starts();
    const said = await talk.talksFor(conversationId, 2);
    const knows = (name: string) =>
      createEntity(deps, ada, { name, summary: `About ${name}.`, conversationId });
    const [marie, radium] = [await knows('Marie Curie'), await knows('Radium')];
    const mentioned = async (id: string) =>
      (
        await asked(
          `MATCH (:Summary {id: $id})-[h:HAS_CONTENT]->(ep)-[m:MENTIONS]->(e:Entity)
           RETURN e.uuid AS uuid, m.group_id AS groupId, m.uuid IS NOT NULL AS named, h.createdAt
             AS at ORDER BY at, uuid`,
          { id },
        )
      ).map(({ uuid, groupId, named }) => ({ uuid, groupId, named }));
    const of = ({ uuid }: { uuid: string }) => ({ uuid, groupId: conversationId, named: true });
    const summary = await sumsUp(conversationId, said, {
      content: 'Marie Curie told of her work; nothing of Radiums or radium.',
    });
    expect(await mentioned(summary.id)).toEqual([of(marie)]);
    await rebindSummary(deps, ada, { id: summary.id, content: 'It was about Radium.' });
    expect(await mentioned(summary.id)).toEqual([of(marie), of(radium)]);
  });

  // S4-WM-01, -05, -06
  it('stands in working memory for the turns it replaces, and no others', async () => {
    const conversationId = await talk.starts();
    const said = await talk.talksFor(conversationId, 5);
    const before = await talk.remembers(conversationId);
    const summary = await sumsUp(conversationId, said.slice(0, 3));
    const memory = await talk.remembers(conversationId);
    expect(memory.summaries).toEqual([summary.id]);
    expect(memory.immediatePath.map(({ turnId }) => turnId)).toEqual(
      said.slice(3).map(({ turnId }) => turnId),
    );
    expect(memory.messages.map(({ role }) => role)).toEqual(['system', 'user', 'user']);
    expect(memory.messages[0]?.content).toContain('It was said.');
    const { immediatePath, summaries, activeEntities, introspection } = memory.tokenBreakdown;
    expect(memory.totalTokens).toBe(immediatePath + summaries + activeEntities + introspection);
    expect(memory.totalTokens).toBe(memory.messages.reduce((sum, { tokens }) => sum + tokens, 0));
    expect(before.tokenBreakdown.summaries).toBe(0);

    const higher = await sumsUp(conversationId, [], {
      sourceEpisodeIds: [summary.episodeUuid, said[3]?.episodeId ?? ''],
      coversUpToTurnId: said[3]?.turnId ?? '',
      content: 'In short.',
    });
    const stacked = await talk.remembers(conversationId);
    expect(stacked.summaries).toEqual([higher.id]);
    expect(stacked.immediatePath.map(({ turnId }) => turnId)).toEqual([said[4]?.turnId]);
    const { statements } = await deps.graph.counting(() => talk.remembers(conversationId));
    expect(statements.map(({ name }) => name)).toEqual([
      'listSwitchesToSettle',
      'readWorkingMemory',
    ]);
  });

  // S4-SUM-01, -06, S4-PAT-02
  it('is bound anew by another edge, and the old Episode stays as it was', async () => {
    const conversationId = await talk.starts();
    const said = await talk.talksFor(conversationId, 2);
    const summary = await sumsUp(conversationId, said, { content: 'It was said wrong.' });
    const [old] = await readWith(deps.graph, findEpisodes, ada.userId, [summary.episodeUuid]);
    const rebound = await rebindSummary(deps, ada, { id: summary.id, content: 'It was said.' });
    expect(rebound).toMatchObject({
      ...{ id: summary.id, createdAt: summary.createdAt, compressionLevel: 1 },
      ...{ tokenCount: countTokens('It was said.'), content: 'It was said.' },
    });
    const episodes = await readWith(deps.graph, listSummaryEpisodes, [summary]);
    const expected = ['It was said.', 'It was said wrong.'];
    expect(episodes.get(summary.id)?.bound.map(({ content }) => content)).toEqual(expected);
    expect(episodes.get(summary.id)?.bound[1]).toEqual(old);
    expect((await talk.remembers(conversationId)).messages[0]?.content).toContain('It was said.');
    await refuses(rebindSummary(deps, ada, { id: summary.id, content: ' ' }), 'REQUIRED content');
  });

  // S4-SUM-07
  it('deleted by an admin, it leaves the context and stays for higher Summaries', async () => {
    const conversationId = await talk.starts();
    const said = await talk.talksFor(conversationId, 3);
    const one = await sumsUp(conversationId, said.slice(0, 2));
    const input = { sourceEpisodeIds: [one.episodeUuid], coversUpToTurnId: said[1]?.turnId ?? '' };
    const two = await sumsUp(conversationId, [], input);
    await deleteSummary(deps, ada, { id: one.id });
    // The higher one stands as it did; its source is gone from the context, not from the text that
    // it was made of.
    expect((await talk.remembers(conversationId)).summaries).toEqual([two.id]);
    await deleteSummary(deps, ada, { id: two.id });
    const memory = await talk.remembers(conversationId);
    expect(memory.summaries).toEqual([]);
    expect(memory.immediatePath).toHaveLength(3);
    await refuses(deleteSummary(deps, ada, { id: one.id }), 'NOT_FOUND id');
    const left = await readWith(deps.graph, listSummaries, ada.userId, [conversationId]);
    expect(left.get(conversationId)).toBeUndefined();
  });

  // S4-SUM-05, -07
  it("only an admin repairs, in anybody's conversation; others learn of nothing", async () => {
    const { bob, ada: carol } = here;
    const theirs = talker(deps, bob.viewer);
    const conversationId = await theirs.starts();
    const said = await theirs.talksFor(conversationId, 2);
    const input: CreateSummary = {
      conversationId,
      sourceEpisodeIds: said.map(({ episodeId }) => episodeId),
      coversUpToTurnId: said[1]?.turnId ?? '',
      content: 'In short.',
      processId: await theirs.aProcess(),
    };
    await refuses(createSummary(deps, bob.viewer, input), 'FORBIDDEN ');
    await refuses(createSummary(deps, carol.viewer, input), 'NOT_FOUND conversationId');
    await refuses(createSummary(deps, ada, { ...input, processId }), 'NOT_FOUND processId');
    const { id } = await createSummary(deps, ada, input);
    expect((await theirs.remembers(conversationId)).summaries).toEqual([id]);
    const content = 'Otherwise.';
    await refuses(rebindSummary(deps, bob.viewer, { id, content }), 'FORBIDDEN ');
    await refuses(rebindSummary(deps, carol.viewer, { id, content }), 'NOT_FOUND id');
    await refuses(deleteSummary(deps, bob.viewer, { id }), 'FORBIDDEN ');
    await refuses(deleteSummary(deps, carol.viewer, { id }), 'NOT_FOUND id');
    expect((await rebindSummary(deps, ada, { id, content })).content).toBe(content);
    expect(await deleteSummary(deps, ada, { id })).toBe(id);
  });

  // S4-SUM-03, -04
  it('bad input is refused with its code and place, and nothing is written', async () => {
    const conversationId = await talk.starts();
    const said = await talk.talksFor(conversationId, 4);
    const other = await talk.says(await talk.starts(), 'Elsewhere.');
    const ids = (...places: number[]) => places.map((place) => said[place]?.episodeId ?? '');
    const upTo = (place: number) => said[place]?.turnId ?? '';
    const tries: [Partial<CreateSummary>, string[]][] = [
      [{ sourceEpisodeIds: [] }, ['REQUIRED sourceEpisodeIds']],
      [{ sourceEpisodeIds: [], content: ' ' }, ['REQUIRED sourceEpisodeIds', 'REQUIRED content']],
      [{ sourceEpisodeIds: ids(0, 0) }, ['INVALID sourceEpisodeIds.1']],
      [
        { sourceEpisodeIds: Array.from({ length: 501 }, (_, n) => `e${n}`) },
        ['TOO_LARGE sourceEpisodeIds'],
      ],
      [{ content: 'x'.repeat(256 * 1024 + 1) }, ['INVALID content']],
      [{ conversationId: deps.newId() }, ['NOT_FOUND conversationId']],
      [{ processId: deps.newId() }, ['NOT_FOUND processId']],
      [
        { sourceEpisodeIds: [...ids(0), other.episodeId], coversUpToTurnId: deps.newId() },
        ['NOT_FOUND sourceEpisodeIds.1', 'NOT_FOUND coversUpToTurnId'],
      ],
      [{ coversUpToTurnId: other.turnId }, ['NOT_FOUND coversUpToTurnId']],
      [{ coversUpToTurnId: upTo(2) }, ['INVALID coversUpToTurnId']],
      [{ coversUpToTurnId: upTo(0) }, ['INVALID sourceEpisodeIds.1']],
      [{ sourceEpisodeIds: ids(1, 0) }, ['INVALID sourceEpisodeIds.1']],
    ];
    for (const [change, expected] of tries)
      expect(await refusals(sumsUp(conversationId, said.slice(0, 2), change))).toEqual(expected);
    expect((await talk.remembers(conversationId)).summaries).toEqual([]);

    const branch = await addAlternative(deps, ada, { turnId: upTo(1), content: 'Or else.' });
    const { episodeId } = await talk.isBound(branch.turnId, branch.id);
    // Two versions of one turn lie on no path together.
    const input = { sourceEpisodeIds: [...ids(0, 1), episodeId], coversUpToTurnId: upTo(1) };
    await refuses(sumsUp(conversationId, said, input), 'INVALID sourceEpisodeIds.2');
    await sumsUp(conversationId, said.slice(0, 2));
    await refuses(sumsUp(conversationId, said.slice(0, 2)), 'CONFLICT sourceEpisodeIds.0');
  });

  it('S4-SUM-03: of several at once for the same turns, one is made', async () => {
    const conversationId = await talk.starts();
    const said = await talk.talksFor(conversationId, 3);
    const writers = Array.from({ length: 5 }, () => () => sumsUp(conversationId, said));
    expect(await race(writers)).toEqual({ done: 1, 'CONFLICT sourceEpisodeIds.0': 4 });
    const memory = await talk.remembers(conversationId);
    expect(memory.summaries).toHaveLength(1);
    expect(memory.immediatePath).toEqual([]);
  });
});

describe('a fork of a compressed talk', () => {
  // S4-CONV-09, S4-SUM-08
  it('keeps the Summaries of the path it copied, and no run compresses it again', async () => {
    const conversationId = await talk.starts();
    const said = await talk.talksFor(conversationId, 12, (n) => `${n}: ${'word '.repeat(30)}`);
    const low = await sumsUp(conversationId, said.slice(0, 4), { content: 'The first four.' });
    await sumsUp(conversationId, [], {
      sourceEpisodeIds: [low.episodeUuid, ...said.slice(4, 8).map(({ episodeId }) => episodeId)],
      coversUpToTurnId: said[7]?.turnId ?? '',
      content: 'The first eight.',
    });
    const late = await sumsUp(conversationId, said.slice(10, 12), { content: 'The last two.' });
    const lastId = said[10]?.turnId ?? '';
    const input = { conversationId, turnId: lastId, alternativeId: said[10]?.alternativeId ?? '' };
    const fork = await forkConversation(deps, ada, input);
    const copies = (await asked(
      `MATCH (:Conversation {id: $id})-[h:HAS_TURN]->(t)-[:HAS_ALTERNATIVE]->(a)
       RETURN t.id AS turnId, a.id AS alternativeId ORDER BY h.sequence`,
      fork,
    )) as unknown as { turnId: string; alternativeId: string }[];
    expect(copies).toHaveLength(11);
    const tight = { ...deps, settings: fixedSettings({ compressionTokenThreshold: 260 }) };
    for (const { turnId, alternativeId } of copies) {
      await talk.isBound(turnId, alternativeId);
      // Two relays at once copy once.
      const started = await Promise.all([1, 2].map(() => compressIfDue(tight, fork.id)));
      expect(started).toEqual([null, null]);
    }
    const memory = await talk.remembers(fork.id);
    const before = await talk.remembers(conversationId, { turnId: lastId });
    expect(memory.messages).toEqual(before.messages);
    expect(memory.messages[0]?.content).toContain('The first eight.');
    const kept = await readWith(deps.graph, listSummaries, ada.userId, [fork.id]);
    const [four, eight] = [copies[3]?.turnId, copies[7]?.turnId];
    expect(kept.get(fork.id)).toMatchObject([
      { content: 'The first four.', compressionLevel: 1, coversUpToId: four },
      { content: 'The first eight.', compressionLevel: 2, coversUpToId: eight },
    ]);
    // The fork is independent: its Summaries stay when those of the original go.
    await deleteSummary(deps, ada, { id: low.id });
    await deleteSummary(deps, ada, { id: late.id });
    expect((await talk.remembers(fork.id)).messages).toEqual(before.messages);
    const [runs] = await asked(
      'MATCH (r:ProcessRun {conversationId: $id}) RETURN count(r) AS count',
      fork,
    );
    expect(runs).toEqual({ count: 0 });
  });
});

describe('compression (S4-SUM-08)', () => {
  const long = (n: number) => `The ${n}. thing that was said is that the river is as wide as ever.`;

  it('starts one run once the path has passed the threshold', async () => {
    const viewer = await newViewer(here.deps, 'dora');
    const dora = talker(deps, viewer);
    const conversationId = await dora.starts();
    await dora.talksFor(conversationId, 5, long);
    expect(await compressIfDue(deps, conversationId)).toBeNull();
    await dora.talksFor(conversationId, 9, long);
    expect((await dora.remembers(conversationId)).totalTokens).toBeGreaterThan(200);
    const runs = await Promise.all([1, 2, 3].map(() => compressIfDue(deps, conversationId)));
    expect(runs.filter((id) => id !== null)).toHaveLength(1);
    expect(await compressIfDue(deps, conversationId)).toBeNull();
    const [run] = await asked(
      `MATCH (:Conversation
        {id: $conversationId})<-[:TASK_OF]-(t:MemoryTask)-[:DONE_BY]->(r:ProcessRun)
       RETURN r.ownerId AS ownerId, r.context AS context, r.processName AS name, t.kind AS kind`,
      { conversationId },
    );
    const expected = { ownerId: viewer.userId, kind: 'compression', name: 'compress conversation' };
    expect(run).toMatchObject(expected);
    const context = JSON.parse(String(run?.['context'])) as Record<string, unknown>;
    expect(context['text']).toEqual(expect.stringContaining('user: The 1. thing'));
    await refuses(compressConversation(deps, viewer, { conversationId }), 'STATE conversationId');
    const { statements } = await deps.graph.counting(() => compressIfDue(deps, conversationId));
    expect(statements.length).toBeLessThanOrEqual(3);
  });

  it('on demand: refuses unknown things, and a run with nothing to do', async () => {
    const conversationId = await talk.starts();
    await refuses(compressConversation(deps, ada, { conversationId }), 'STATE conversationId');
    const [first] = await talk.talksFor(conversationId, 2);
    const tries: [object, string][] = [
      [{ conversationId: deps.newId() }, 'NOT_FOUND conversationId'],
      [{ upToTurnId: deps.newId() }, 'NOT_FOUND upToTurnId'],
      [{ processId: deps.newId() }, 'NOT_FOUND processId'],
    ];
    for (const [change, expected] of tries)
      await refuses(compressConversation(deps, ada, { conversationId, ...change }), expected);
    const { viewer } = here.bob;
    const foreign = compressConversation(deps, viewer, { conversationId });
    await refuses(foreign, 'NOT_FOUND conversationId');
    const upToTurnId = first?.turnId ?? '';
    const run = await compressConversation(deps, ada, { conversationId, upToTurnId, processId });
    const expectedRun = { status: 'pending', ownerId: ada.userId, processId, conversationId };
    expect(run).toMatchObject(expectedRun);
  });
});
