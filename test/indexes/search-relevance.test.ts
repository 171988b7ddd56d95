import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openSentenceModel } from '../../packages/local-llm/src/sentence-model.ts';
import {
  type Embeddings,
  openEmbeddings,
} from '../../src/memory-graph/embeddings/embeddings.service.ts';
import { createEntity } from '../../src/memory-graph/resolution/create-entity.mutations.ts';
import { searchMemory } from '../../src/memory-graph/search/search-memory.service.ts';
import { runDeps } from '../testkit/conversations.ts';
import { aloneWithVectors } from '../testkit/embedder.ts';
import { NO_AGENT } from '../testkit/fixed.ts';
import { runCypher } from '../testkit/graph.ts';
import { insertFact, talker } from '../testkit/memory.ts';
import { quiet } from '../testkit/outbox.ts';
import { newViewer, world } from '../testkit/world.ts';

// S4-EPI-05 through the shipped embedder: the kinds of a default search are weighed by relevance,
// so that none buries the answer.

const TALK = [
  'Hi James, how was your weekend?',
  'Great! I took Daisy to the lake on Saturday, she swam for the first time.',
  'Aw, she is still so small. How old is she now?',
  'Five months. The vet gave her the last vaccination on Tuesday.',
  'I spent the weekend at a chess tournament in Leeds and came in third.',
  'Congratulations! Did you win any money?',
  'Forty pounds, which I spent on a book about Bobby Fischer.',
  'Ha. I started a new job in March, by the way, at a bakery.',
  'Really? I thought you were a programmer at the bank.',
  'I was, but I got tired of screens. Now I get up at four and bake rye bread.',
  'What does your sister say about it?',
  'Emma thinks I am mad. She moved to Lisbon last year and teaches surfing there.',
  'I would love to visit Portugal. I have only been to Norway and Japan.',
  'You should come along in September, I booked two weeks.',
  'Good idea, but my mother has her knee operation in September.',
  'Oh, I hope it goes well. Is she still living in Cardiff?',
  'Yes, with her two cats, Plum and Pickle.',
  'I am allergic to cats, sadly. They make me sneeze.',
  'My guitar teacher is as well. I am learning Spanish songs with him.',
  'Play me one when we meet on Friday at the Crown.',
];
/** The question, and the number of the turn that answers it. */
const QUESTIONS: readonly (readonly [string, number])[] = [
  ['Where did Daisy swim for the first time?', 1],
  ['When did Daisy get her last vaccination?', 3],
  ['Which place did John get in the chess tournament in Leeds?', 4],
  ['What did John spend the forty pounds on?', 6],
  ['When did James start his new job at a bakery?', 7],
  ['What kind of bread does James bake?', 9],
  ['Where did Emma move and teach surfing?', 11],
  ['To which countries has John been, besides Portugal?', 12],
  ['What are the names of the cats Plum and who else?', 16],
  ['Who is allergic to cats?', 17],
  ['What songs is John learning on the guitar?', 18],
];
/** No turn says this; only the fact does. */
const FACT_QUESTION = 'What breed is Daisy, a Labrador?';
const ENTITIES: readonly (readonly [string, string])[] = [
  ['James', 'A friend of John who has a dog.'],
  ['John', 'Plays chess.'],
  ['Daisy', 'A dog.'],
  ['Labrador', 'A breed of dogs.'],
  ['Emma', 'The sister of James.'],
  ['Great', 'An interjection.'],
];

const base = runDeps(await world());
const letGo = await aloneWithVectors(base.graph);
const sentences = await openSentenceModel(
  join(import.meta.dirname, '../../packages/local-llm/model'),
);
const embedder = {
  model: 'local-embedding-512',
  url: 'test:',
  embed: async (texts: readonly string[]) =>
    texts.map((text) => [...sentences.embed(text.replaceAll('\n', ' ')).vector]),
};
const embeddings: Embeddings = openEmbeddings({
  graph: base.graph,
  log: quiet,
  embedder,
  openFormer: () => embedder,
});
const deps = { ...base, embeddings, memoryMode: NO_AGENT };
afterAll(() => letGo());

it('a default search shows the answering turn among its first three', async () => {
  const viewer = await newViewer(deps, 'james');
  const talk = talker(deps, viewer);
  const conversationId = await talk.starts({});
  const said: string[] = [];
  for (const content of TALK) said.push((await talk.says(conversationId, content)).episodeId);
  const uuidOf = new Map<string, string>();
  for (const [name, summary] of ENTITIES)
    uuidOf.set(name, (await createEntity(deps, viewer, { name, summary, conversationId })).uuid);
  const fact = await insertFact(deps, viewer.userId, {
    name: 'IS_A',
    fact: 'Daisy is a Labrador.',
    groupId: conversationId,
    sourceUuid: uuidOf.get('Daisy') ?? '',
    targetUuid: uuidOf.get('Labrador') ?? '',
    episodes: [said[1] ?? ''],
  });
  const owner = `user_${viewer.userId.replaceAll('-', '')}`;
  const waiting = 'MATCH (n:Unembedded {owner: $owner}) RETURN n LIMIT 1';
  const pending = () => runCypher(deps.graph, waiting, { owner });
  while ((await pending()).length > 0) await deps.embeddings.embedPending();

  const placeOf = async (query: string, uuid: string, kinds?: ['episode']) =>
    (await searchMemory(deps, viewer, { query, ...(kinds && { kinds }) })).hits.findIndex(
      (hit) => hit.uuid === uuid,
    ) + 1;
  const places: Record<string, [number, number]> = {};
  for (const [question, answer] of QUESTIONS)
    places[question] = [
      await placeOf(question, said[answer] ?? ''),
      await placeOf(question, said[answer] ?? '', ['episode']),
    ];
  const amongThree = Object.values(places).filter(([place]) => place >= 1 && place <= 3);
  expect(amongThree.length, JSON.stringify(places)).toBeGreaterThanOrEqual(9);

  const { hits } = await searchMemory(deps, viewer, { query: FACT_QUESTION });
  const place = hits.findIndex((hit) => hit.uuid === fact);
  expect(place).toBeGreaterThanOrEqual(0);
  expect(place).toBeLessThan(3);
  const before = hits.slice(0, place).filter((hit) => hit.kind === 'episode');
  expect(before.filter((hit) => hit.uuid !== said[1])).toEqual([]);
});
