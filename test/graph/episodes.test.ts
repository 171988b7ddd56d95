import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listAlternatives } from '../../src/conversations/alternative.cypher.ts';
import { createConversation } from '../../src/conversations/conversation.mutations.ts';
import { forkConversation } from '../../src/conversations/fork.mutations.ts';
import { addAlternative, appendTurn } from '../../src/conversations/turn.mutations.ts';
import {
  findEpisodes,
  findEpisodesOfAlternatives,
  findUnboundAlternatives,
} from '../../src/memory-graph/episodes/episode.cypher.ts';
import { bindEpisode } from '../../src/memory-graph/episodes/episode.mutations.ts';
import { CHUNK_CHARS, chunksOf, windowsOf } from '../../src/memory-graph/episodes/episode-text.ts';
import { ingestStarter } from '../../src/memory-graph/extraction/ingest-starter.projection.ts';
import { readWorkingMemory } from '../../src/working-memory/working-memory.cypher.ts';
import { runDeps } from '../testkit/conversations.ts';
import { readWith, runCypher, writeCypher } from '../testkit/graph.ts';
import { someEntry } from '../testkit/outbox.ts';
import { race, world } from '../testkit/world.ts';

const here = await world();
const deps = runDeps(here);
const ada = here.ada.viewer;

const starts = async () => (await createConversation(deps, ada, {})).id;
/** Without an Episode yet. */
const says = async (conversationId: string, content: string, more: object = {}) => {
  const turn = await appendTurn(deps, ada, { conversationId, content, ...more });
  const [alternative] = await readWith(deps.graph, listAlternatives, ada.userId, [turn.id]);
  return { turnId: turn.id, alternativeId: alternative?.id ?? '' };
};
const forks = async (conversationId: string, said: Awaited<ReturnType<typeof says>>) => {
  const fork = await forkConversation(deps, ada, { conversationId, ...said });
  const copy = 'MATCH (a:Alternative {conversationId: $id}) RETURN a.id AS id';
  return { fork, copyId: String((await asked(copy, fork))[0]?.['id']) };
};
const episodeOf = async (alternativeId: string, viewer = ada) =>
  (await readWith(deps.graph, findEpisodesOfAlternatives, viewer.userId, [alternativeId])).get(
    alternativeId,
  ) ?? null;
const asked = (cypher: string, params: object) => runCypher(deps.graph, `${cypher}`, params);
const windowOf = async (uuid: string) =>
  (
    await asked(
      'MATCH (t:EpisodeText {episodeUuid: $uuid}) RETURN t.window AS window ORDER BY t.index',
      { uuid },
    )
  ).map(({ window }) => String(window));

describe('an Episode (S4-EPI)', () => {
  // S4-EPI-01, -03, S4-ALT-08, -09
  it('holds its text, named by its content, in the group of its conversation', async () => {
    const conversationId = await starts();
    const said = await says(conversationId, 'Ada was born in London.');
    expect(await episodeOf(said.alternativeId)).toBeNull();
    const bound = await bindEpisode(deps, said.alternativeId);
    const episode = await episodeOf(said.alternativeId);
    expect(episode).toMatchObject({
      uuid: bound?.episodeUuid,
      name: 'Ada was born in London.',
      content: 'Ada was born in London.',
      groupId: conversationId,
      source: 'message',
      sourceDescription: `said by ${ada.name}`,
      entityEdges: [],
      compressionLevel: 0,
    });
    const [edge] = await asked(
      `MATCH (a:Alternative {id: $alternativeId})-[h:HAS_CONTENT]->()
       RETURN h.source AS source, h.createdAt AS createdAt, a.createdAt AS saidAt`,
      said,
    );
    const { createdAt, validAt } = episode ?? {};
    expect(edge).toMatchObject({ source: 'message', createdAt, saidAt: validAt });
  });

  it('S4-EPI-01: of an imported turn is valid from when it was said, a copy too', async () => {
    const conversationId = await starts();
    const saidAt = '2023-05-08T13:56:00.000Z';
    const said = await says(conversationId, 'I adopted Daisy today.', { saidAt });
    await bindEpisode(deps, said.alternativeId);
    const episode = await episodeOf(said.alternativeId);
    expect(episode?.validAt).toBe(saidAt);
    expect(Date.parse(episode?.createdAt ?? '')).toBeGreaterThan(Date.parse(saidAt));
    const { fork, copyId } = await forks(conversationId, said);
    const bound = await bindEpisode(deps, copyId);
    expect(bound?.copiedFromId).toBe(said.alternativeId);
    const copy = await episodeOf(copyId);
    expect(copy).toMatchObject({ content: 'I adopted Daisy today.', groupId: fork.id });
    expect([copy?.validAt, copy?.uuid === episode?.uuid]).toEqual([saidAt, false]);
  });

  it('S4-WM-01: working memory names it once it is bound', async () => {
    const conversationId = await starts();
    const said = await says(conversationId, 'hello');
    const entry = async () => {
      const memory = await readWith(deps.graph, readWorkingMemory, ada.userId, { conversationId });
      return 'missing' in memory ? null : memory.immediatePath[0];
    };
    expect((await entry())?.episodeId).toBeNull();
    const bound = await bindEpisode(deps, said.alternativeId);
    expect((await entry())?.episodeId).toBe(bound?.episodeUuid);
  });

  it('S4-ALT-08, S4-EPI-02: is written once, however often it is bound', async () => {
    const conversationId = await starts();
    const said = await says(conversationId, 'Once only.');
    const writers = Array.from({ length: 6 }, () => () => bindEpisode(deps, said.alternativeId));
    expect(await race(writers)).toEqual({ done: 6 });
    const first = await episodeOf(said.alternativeId);
    await bindEpisode(deps, said.alternativeId);
    expect(await episodeOf(said.alternativeId)).toEqual(first);
    const [count] = await asked(
      `MATCH (ep:Episodic {group_id: $conversationId}) WITH count(ep) AS episodes
      MATCH (o:OutboxEntry {conversationId: $conversationId, kind: 'episode.bound'})
      RETURN episodes, count(o) AS told`,
      { conversationId },
    );
    expect(count).toEqual({ episodes: 1, told: 1 });
  });

  it('goes on with the stretch of its question: with room, no pause, on its branch', async () => {
    const conversationId = await starts();
    const stretchOf = async (alternativeId: string) => {
      await bindEpisode(deps, alternativeId);
      const [row] = await asked(
        `MATCH (:Alternative {id: $alternativeId})-[:HAS_CONTENT]->(ep)<-[:TEXT_OF]-(t:EpisodeText)
          MATCH (t)-[:PART_OF]->(s:EpisodeStretch)
        RETURN DISTINCT s.key AS key, s.text AS text, s.episodes AS episodes`,
        { alternativeId },
      );
      return row;
    };
    const first = await says(conversationId, 'Where to?');
    const begun = await stretchOf(first.alternativeId);
    expect(begun).toMatchObject({ text: 'Where to?\n', episodes: 1 });
    const second = await says(conversationId, 'To Paris.');
    const gone = await stretchOf(second.alternativeId);
    expect(gone).toEqual({ key: begun?.['key'], text: 'Where to?\nTo Paris.\n', episodes: 2 });

    const other = await addAlternative(deps, ada, { turnId: second.turnId, content: 'To Rome.' });
    expect(await stretchOf(other.id)).toMatchObject({ text: 'To Rome.\n', episodes: 1 });

    const sets = (change: string) =>
      writeCypher(
        deps.graph,
        `MATCH (s:EpisodeStretch {group_id: $conversationId}) SET ${change}`,
        { conversationId },
      );
    await sets('s.lastAt = s.lastAt - duration({minutes: 31})');
    const later = await says(conversationId, 'And then?');
    const expected = { text: 'And then?\n', episodes: 1 };
    expect(await stretchOf(later.alternativeId)).toMatchObject(expected);

    await sets('s.episodes = 24');
    const next = await says(conversationId, 'Home.');
    expect(await stretchOf(next.alternativeId)).toMatchObject({ text: 'Home.\n', episodes: 1 });
  });

  it('every alternative has one of its own, unless it is still empty', async () => {
    const conversationId = await starts();
    const said = await says(conversationId, 'first');
    const edit = await addAlternative(deps, ada, { turnId: said.turnId, content: 'second' });
    const bound = [await bindEpisode(deps, said.alternativeId), await bindEpisode(deps, edit.id)];
    expect(new Set(bound.map((one) => one?.episodeUuid)).size).toBe(2);
    expect((await episodeOf(edit.id))?.content).toBe('second');
    expect(await bindEpisode(deps, deps.newId())).toBeNull();
  });

  // S4-ALT-08
  it('an answer that ended without a word has none; one that was cut has its words', async () => {
    const conversationId = await starts();
    const said = await says(conversationId, 'An answer.', { speaker: 'agent' });
    const { alternativeId: id } = said;
    const ends = (outcome: string, content: string) =>
      writeCypher(
        deps.graph,
        'MATCH (a:Alternative {id: $id}) SET a.outcome = $outcome, a.content = $content',
        { id, outcome, content },
      );
    const unbound = () =>
      readWith(deps.graph, findUnboundAlternatives, { alternativeIds: [id], turnIds: [] });
    for (const outcome of ['failed', 'cancelled', 'timed_out']) {
      await ends(outcome, '');
      expect(await unbound()).toEqual([]);
      expect(await bindEpisode(deps, id)).toBeNull();
    }
    await ends('cancelled', 'Half an ans');
    expect(await unbound()).toEqual([id]);
    await bindEpisode(deps, id);
    expect((await episodeOf(id))?.content).toBe('Half an ans');
  });

  it('is its owner’s alone', async () => {
    const said = await says(await starts(), 'private');
    const bound = await bindEpisode(deps, said.alternativeId);
    const uuids = [bound?.episodeUuid ?? ''];
    const bob = here.bob.viewer;
    expect(await readWith(deps.graph, findEpisodes, bob.userId, uuids)).toEqual([]);
    expect(await readWith(deps.graph, findEpisodes, ada.userId, uuids)).toHaveLength(1);
    expect(await episodeOf(said.alternativeId, bob)).toBeNull();
  });

  it('its window has the texts before and after it, in any order of binding', async () => {
    const conversationId = await starts();
    const [question, answer, next] = [
      await says(conversationId, 'Where does Ada live?'),
      await says(conversationId, 'In Turin, since May.', { speaker: 'system' }),
      await says(conversationId, 'And before?'),
    ];
    const middle = await bindEpisode(deps, answer.alternativeId);
    const both = ['Where does Ada live?', 'In Turin, since May.', 'And before?'];
    expect(await windowOf(middle?.episodeUuid ?? '')).toEqual([both.join('\n')]);
    const first = await bindEpisode(deps, question.alternativeId);
    expect(await windowOf(first?.episodeUuid ?? '')).toEqual([both.slice(0, 2).join('\n')]);
    const last = await bindEpisode(deps, next.alternativeId);
    expect(await windowOf(last?.episodeUuid ?? '')).toEqual([both.slice(1).join('\n')]);
    const later = await says(conversationId, 'In Genoa.');
    await bindEpisode(deps, later.alternativeId);
    const three = [...both.slice(1), 'In Genoa.'].join('\n');
    expect(await windowOf(last?.episodeUuid ?? '')).toEqual([three]);
  });

  // S4-EPI-04
  it('large content is cut into linked pieces; a tool result is kept concise', async () => {
    const conversationId = await starts();
    const sentences = Array.from({ length: 400 }, (_, n) => `Sentence number ${n} of many.`);
    const content = sentences.join(' ');
    const said = await says(conversationId, content);
    const bound = await bindEpisode(deps, said.alternativeId);
    const uuid = bound?.episodeUuid ?? '';
    expect((await episodeOf(said.alternativeId))?.content).toBe(content);
    const pieces = await asked(
      `MATCH (:Episodic {uuid: $uuid})-[h:HAS_CHUNK]->(c:Episodic:EpisodeChunk)
      RETURN c.content AS content, COUNT { (c)-[:NEXT_CHUNK]->() } AS next ORDER BY h.index`,
      { uuid },
    );
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.map((piece) => piece['content']).join('')).toBe(content);
    expect(pieces.map(({ next }) => next)).toEqual([...pieces.slice(1).map(() => 1), 0]);
    const tool = await says(conversationId, content.repeat(2), { turnType: 'tool_result' });
    await bindEpisode(deps, tool.alternativeId);
    const kept = (await episodeOf(tool.alternativeId))?.content ?? '';
    expect(kept.length).toBeLessThan(content.length * 2);
    expect(content.repeat(2).startsWith(kept)).toBe(true);
  });

  it('any text is the sum of its pieces, none too long, each in its window', () => {
    const text = fc
      .array(fc.oneof(fc.lorem({ maxCount: 60 }), fc.string(), fc.constant('😀'.repeat(700))), {
        maxLength: 40,
      })
      .map((parts) => parts.join('\n'));
    fc.assert(
      fc.property(text, (content) => {
        const pieces = chunksOf(content);
        expect(pieces.join('')).toBe(content);
        const windows = windowsOf(content, { before: 'before', after: 'after' });
        expect(windows).toHaveLength(pieces.length);
        pieces.forEach((piece, index) => {
          expect(piece.length).toBeLessThanOrEqual(CHUNK_CHARS);
          expect(windows[index]).toContain(piece);
          expect(piece.isWellFormed()).toBe(content.isWellFormed() || piece.isWellFormed());
        });
      }),
    );
  });
});

describe('the starter of ingestion', () => {
  const added = (kind: string, payload: Record<string, string>) => ({
    ...someEntry({ kind, payload }),
    seq: 1,
  });

  it('hands over versions with content and no Episode yet, each of a turn', async () => {
    const conversationId = await starts();
    const said = await says(conversationId, 'one');
    const edit = await addAlternative(deps, ada, { turnId: said.turnId, content: 'two' });
    const started: string[] = [];
    const starter = ingestStarter({
      graph: deps.graph,
      start: async (id) => void started.push(id),
    });
    const entries = [
      added('turn.added', { turnId: said.turnId, alternativeId: said.alternativeId }),
      added('alternative.added', { turnId: said.turnId, alternativeId: edit.id }),
    ];
    await starter.handle(entries);
    expect(started.sort()).toEqual([said.alternativeId, edit.id].sort());
    await bindEpisode(deps, edit.id);
    started.length = 0;
    await starter.handle(entries);
    expect(started).toEqual([said.alternativeId]);
  });

  it('a failed start fails the batch, which then comes again', async () => {
    const said = await says(await starts(), 'one');
    let isAway = true;
    const started: string[] = [];
    const starter = ingestStarter({
      graph: deps.graph,
      start: async (id) => {
        if (isAway) throw new Error('away');
        started.push(id);
      },
    });
    const entries = [added('turn.added', { turnId: said.turnId })];
    await expect(starter.handle(entries)).rejects.toThrow('away');
    isAway = false;
    await starter.handle(entries);
    expect(started).toEqual([said.alternativeId]);
    const input = { alternativeIds: [], turnIds: [said.turnId] };
    const unbound = await readWith(deps.graph, findUnboundAlternatives, input);
    expect(unbound).toEqual([said.alternativeId]);
  });
});
