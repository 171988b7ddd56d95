import { describe, expect, it } from 'vitest';
import { forkConversation } from '../../src/conversations/fork.mutations.ts';
import { addAlternative } from '../../src/conversations/turn.mutations.ts';
import { listActiveEntities } from '../../src/memory-graph/entities/active-entity.cypher.ts';
import {
  removeActiveEntity,
  setActiveEntity,
} from '../../src/memory-graph/entities/active-entity.mutations.ts';
import { bindEpisode } from '../../src/memory-graph/episodes/episode.mutations.ts';
import { applyExtraction } from '../../src/memory-graph/extraction/extraction.mutations.ts';
import { createEntity } from '../../src/memory-graph/resolution/create-entity.mutations.ts';
import { mergeEntities } from '../../src/memory-graph/resolution/merge.mutations.ts';
import { runDeps } from '../testkit/conversations.ts';
import { readWith, runCypher } from '../testkit/graph.ts';
import { fixedSettings, talker } from '../testkit/memory.ts';
import { newViewer, race, world } from '../testkit/world.ts';

// S4-CONV-08, S4-WM-07: entities become active and inactive by themselves as a conversation
// mentions them. Here known names are mentioned; no model is asked.

const here = await world();
const deps = { ...runDeps(here), settings: fixedSettings({ activeEntitiesMax: 2 }) };

/** A user with some known people and a conversation about them. */
async function speaker(names: readonly string[]) {
  const viewer = await newViewer(here.deps, 'ada');
  const talk = talker(deps, viewer);
  const uuids = new Map<string, string>();
  for (const name of names) {
    const { uuid } = await createEntity(deps, viewer, { name, summary: `${name} sails.` });
    uuids.set(name, uuid);
  }
  const uuidOf = (name: string) => uuids.get(name) ?? '';
  const conversationId = await talk.starts();
  const reads = (alternativeId: string) => applyExtraction(deps, { alternativeId, runId: null });
  const says = async (content: string, id = conversationId) => {
    const said = await talk.says(id, content);
    await reads(said.alternativeId);
    return said;
  };
  const references = async (id = conversationId) =>
    (await readWith(deps.graph, listActiveEntities, viewer.userId, [id])).get(id) ?? [];
  const active = async (id = conversationId) => (await references(id)).map(({ name }) => name);
  const change = (name: string) => ({ conversationId, entityUuid: uuidOf(name) });
  const pins = (name: string) => setActiveEntity(deps, viewer, change(name));
  const removes = (name: string) => removeActiveEntity(deps, viewer, change(name));
  const entries = async () =>
    (
      await runCypher(
        deps.graph,
        `MATCH (o:OutboxEntry {conversationId: $conversationId})
          WHERE o.kind IN ['entity.activated', 'entity.deactivated']
          RETURN o.kind AS kind, o.payload AS payload ORDER BY o.id`,
        { conversationId },
      )
    ).map(({ kind, payload }) => {
      const { entityUuid } = JSON.parse(String(payload)) as { entityUuid: string };
      const name = [...uuids].find(([, uuid]) => uuid === entityUuid)?.[0];
      return `${String(kind).replace('entity.', '')} ${name}`;
    });
  const more = { viewer, conversationId, uuidOf, talk, reads, says, references, active };
  return { ...more, pins, removes, entries };
}

describe('active entities (S4-CONV-08)', () => {
  it('are those mentioned lately, up to the setting; the least relevant gives way', async () => {
    const ada = await speaker(['Grace', 'Linus', 'Barbara']);
    await ada.says('Grace called.');
    expect(await ada.references()).toMatchObject([
      { name: 'Grace', relevanceScore: 0.5, pinned: false, includeSummary: true },
    ]);
    await ada.says('Grace spoke with Linus.');
    expect(await ada.active()).toEqual(['Grace', 'Linus']);
    await ada.says('Linus met Barbara. Linus again!');
    expect((await ada.active()).sort()).toEqual(['Grace', 'Linus']);
    await ada.says('Barbara laughed.');
    expect((await ada.active()).sort()).toEqual(['Barbara', 'Linus']);
    expect(await ada.entries()).toEqual([
      'activated Grace',
      'activated Linus',
      'activated Barbara',
      'deactivated Grace',
    ]);
    const memory = await ada.talk.remembers(ada.conversationId);
    expect(memory.messages[0]?.content).toContain('Barbara sails.');
  });

  it('lose relevance while nothing mentions them, and go', async () => {
    const ada = await speaker(['Grace']);
    await ada.says('Grace called.');
    const scores: number[] = [];
    for (let n = 0; n < 16; n++) {
      await ada.says(`Porridge number ${n}.`);
      scores.push((await ada.references())[0]?.relevanceScore ?? 0);
    }
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores[0]).toBeGreaterThan(0.4);
    expect(scores.at(-1)).toBe(0);
    expect(await ada.active()).toEqual([]);
  });

  it('stay where the user pinned them, and stay away where the user removed them', async () => {
    const ada = await speaker(['Grace', 'Linus', 'Barbara']);
    await ada.pins('Grace');
    await ada.says('Linus and Barbara met. Barbara!');
    expect((await ada.references()).filter(({ pinned }) => pinned).map(({ name }) => name)).toEqual(
      ['Grace'],
    );
    expect(await ada.active()).toHaveLength(2);
    const [gone = ''] = (await ada.active()).filter((name) => name !== 'Grace');
    await ada.removes(gone);
    await ada.says(`${gone}, ${gone}, ${gone}.`);
    expect(await ada.active()).not.toContain(gone);
    await ada.pins(gone);
    await ada.says('Porridge.');
    expect((await ada.active()).sort()).toEqual(['Grace', gone].sort());
    await ada.removes('Grace');
    await ada.says('Grace, of course.');
    expect(await ada.active()).not.toContain('Grace');
  });

  it('follow the path on screen: a mention that was edited away makes nothing active', async () => {
    const ada = await speaker(['Grace', 'Linus']);
    const said = await ada.says('Grace called.');
    const input = { turnId: said.turnId, content: 'Linus called.' };
    const edit = await addAlternative(deps, ada.viewer, input);
    await bindEpisode(deps, edit.id);
    await ada.reads(edit.id);
    expect(await ada.active()).toEqual(['Linus']);
  });

  it('are copied by a fork with the choices of the user, and follow a merge', async () => {
    const ada = await speaker(['Grace', 'Linus', 'Amazing Grace']);
    await ada.pins('Linus');
    await ada.says('Grace called.');
    await ada.removes('Grace');
    const said = await ada.says('Grace again.');
    const input = { ...said, conversationId: ada.conversationId };
    const fork = await forkConversation(deps, ada.viewer, input);
    expect(await ada.active(fork.id)).toEqual(['Linus']);
    await ada.says('And Grace.', fork.id);
    expect(await ada.active(fork.id)).toEqual(['Linus']);
    const given = { keepUuid: ada.uuidOf('Amazing Grace'), mergeUuid: ada.uuidOf('Grace') };
    await mergeEntities(deps, ada.viewer, given);
    await ada.says('Amazing Grace, how sweet.');
    expect(await ada.active()).toEqual(['Linus']);
  });

  it('meet one limit and keep the choices of the user, with writers at once', async () => {
    const names = ['Grace', 'Linus', 'Barbara', 'Donald'];
    const ada = await speaker(names);
    const said = await Promise.all(
      names.map((name) => ada.talk.says(ada.conversationId, `${name} called.`)),
    );
    const reads = said.map(
      ({ alternativeId }) =>
        async () =>
          ada.reads(alternativeId),
    );
    const done = await race([...reads, () => ada.pins('Donald')]);
    expect(done).toEqual({ done: 5 });
    await ada.says('Porridge.');
    const references = await ada.references();
    expect(references).toHaveLength(2);
    expect(references.filter(({ pinned }) => pinned).map(({ name }) => name)).toEqual(['Donald']);
    const changes = await ada.entries();
    const net = (name: string) =>
      changes.filter((one) => one === `activated ${name}`).length -
      changes.filter((one) => one === `deactivated ${name}`).length;
    for (const { name, pinned } of references) if (!pinned) expect(net(name)).toBe(1);
  });
});
