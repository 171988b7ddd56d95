import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { openSentenceModel } from '../packages/local-llm/src/sentence-model.ts';
import { withBefore } from '../src/memory-graph/embeddings/embedding.ts';
import { DEFAULT_SCALE } from '../src/memory-graph/embeddings/meaning-scale.ts';
import { STRETCH } from '../src/memory-graph/episodes/episode-text.ts';
import type { Candidate, Found } from '../src/memory-graph/search/candidate.ts';
import { type RankedAnswer, rank } from '../src/memory-graph/search/rank.ts';
import { type SearchQuery, searchQueryOf } from '../src/memory-graph/search/search-query.ts';
import {
  calledFor,
  chooseRecalled,
  type RecallSource,
} from '../src/working-memory/recall/recall.ts';
import { recallQueryOf } from '../src/working-memory/recall/recall-query.ts';
import { type LocomoTalk, type LocomoTurn, readLocomo } from './locomo.ts';

// The ranker and the verdict of search and recall over LoCoMo's turns, without a server: the same
// code as in the product, with BM25 instead of Lucene for the candidates, and the vectors of the
// bundled sentence model; `--without-vectors` leaves them out.
// Beside it plain BM25, and BM25 over windows that knows the speaker. Silence: questions about what
// was never said (LoCoMo's adversarial ones), and those of another talk with the names of this one.
// Fitted on the first half of the talks; `unseen` is the other.
//
//  node bench/ranking.bench.ts --data <path of locomo10.json> [--without-vectors]

const { values } = parseArgs({
  options: { data: { type: 'string' }, 'without-vectors': { type: 'boolean' } },
  strict: false,
});
if (typeof values.data !== 'string') {
  console.log('skipped: give the path of locomo10.json with --data.');
  process.exit(0);
}
const talks = await readLocomo(values.data);
const model =
  values['without-vectors'] === true
    ? null
    : await openSentenceModel(join(import.meta.dirname, '../packages/local-llm/model'));

function vectorOf(text: string): Float32Array | null {
  return model?.embed(text.replaceAll('\n', ' ')).vector ?? null;
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

/** The candidates that a search reads. */
const CANDIDATES_MAX = 60;
/** The budget of a conversation that sets none. */
const RECALL_TOKENS = 600;
const sources: readonly RecallSource[] = [
  {
    ...{ conversationId: 'c', conversationTitle: null, turnId: 't', alternativeId: 'a' },
    ...{ episodeId: 'e', eventId: null, speaker: 'user', saidBy: 'Ada', saidAt: '2023-05-08' },
  },
];
/** A talk whose questions are asked in this one. */
const FOREIGN_STEP = 3;

interface Shelf {
  readonly turns: readonly (LocomoTurn & {
    readonly window: string;
    readonly stretch: string;
    readonly vector: Float32Array | null;
  })[];
  readonly stretches: ReadonlyMap<string, string>;
}

function shelfOf({ turns }: LocomoTalk): Shelf {
  const stretches = new Map<string, string[]>();
  const places = new Map<number, number>();
  const shelved = turns.map((turn, at) => {
    const window = [turns[at - 1], turn, turns[at + 1]].flatMap((one) =>
      one?.session === turn.session ? [one.text] : [],
    );
    const place = places.get(turn.session) ?? 0;
    places.set(turn.session, place + 1);
    const stretch = `${turn.session}/${Math.floor(place / STRETCH.episodesMax)}`;
    stretches.set(stretch, [...(stretches.get(stretch) ?? []), turn.text]);
    const joined = window.join('\n');
    return { ...turn, window: joined, stretch, vector: vectorOf(withBefore(turn.text, joined)) };
  });
  const texts = [...stretches].map(([key, of]) => [key, of.join('\n')] as const);
  return { turns: shelved, stretches: new Map(texts) };
}

function foundIn(
  { turns, stretches }: Shelf,
  query: SearchQuery,
  asked: Float32Array | null,
): Found {
  const own = query.match(turns.map(({ text }) => text));
  const windows = query.match(turns.map(({ window }) => window));
  const all = turns.map(
    ({ id, text, window, stretch, saidAtMs, vector }, at): Candidate => ({
      ...{ kind: 'episode', uuid: id, method: 'words', text, window, stretch, speaker: 'user' },
      saidAt: new Date(saidAtMs).toISOString(),
      // As Lucene weighs both fields.
      score: 0.5 * (own[at]?.bm25 ?? 0) + (windows[at]?.bm25 ?? 0),
      near: asked === null || vector === null ? null : dot(vector, asked),
    }),
  );
  const best = (some: readonly Candidate[]) =>
    some.toSorted((a, b) => b.score - a.score).slice(0, CANDIDATES_MAX);
  const candidates = [
    ...best(all.filter(({ score }) => score > 0)),
    ...best(
      all.flatMap((one) =>
        one.near == null ? [] : [{ ...one, method: 'meaning' as const, score: one.near }],
      ),
    ),
  ];
  const matched = query.match([...stretches.values()]);
  const scored = [...stretches.keys()]
    .map((key, at) => [key, matched[at]?.bm25 ?? 0] as const)
    .filter(([, score]) => score > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, CANDIDATES_MAX);
  return { candidates, stretches: new Map(scored) };
}

/** Ids of turns, best first, by the plainest means. */
function baselinesOf({ turns }: Shelf, { speakers }: LocomoTalk, question: string) {
  const query = searchQueryOf(question, '');
  const own = query.match(turns.map(({ text }) => text));
  const windows = query.match(turns.map(({ window }) => window));
  const named = speakers.filter((name) => question.includes(name));
  const best = (score: (at: number) => number) =>
    turns
      .map(({ id }, at) => ({ id, score: score(at) }))
      .sort((a, b) => b.score - a.score)
      .map(({ id }) => id);
  const bm25 = (at: number) => own[at]?.bm25 ?? 0;
  return {
    bm25: best(bm25),
    'bm25, windows, speaker': best((at) => {
      const isNamed = named.includes(turns[at]?.speaker ?? '');
      return (bm25(at) + 2 * (windows[at]?.bm25 ?? 0)) * (isNamed ? 1.3 : 1);
    }),
  };
}

class Tally {
  private readonly counts = new Map<string, number[]>();
  add(row: string, figures: readonly number[]): void {
    const now = this.counts.get(row) ?? [0, ...figures.map(() => 0)];
    this.counts.set(
      row,
      now.map((value, at) => value + (at === 0 ? 1 : (figures[at - 1] ?? 0))),
    );
  }
  print(title: string, columns: readonly string[]): void {
    console.log(`\n${title}`);
    for (const [row, [count = 0, ...sums]] of this.counts) {
      const cells = columns.map(
        (column, at) =>
          `${column} ${((sums[at] ?? 0) / count).toFixed(3)} (${Math.round(sums[at] ?? 0)})`,
      );
      console.log(`${row.padEnd(48)} of ${String(count).padEnd(5)} ${cells.join('  ')}`);
    }
  }
}

const found = new Tally();
const silence = new Tally();
const recalled = new Tally();

function grade(rows: readonly string[], ids: readonly string[], evidence: ReadonlySet<string>) {
  const hits = (k: number) => ids.slice(0, k).filter((id) => evidence.has(id)).length;
  const figures = [hits(1), Math.sign(hits(10)), Math.sign(hits(20)), hits(10) / evidence.size];
  for (const row of rows) found.add(row, figures);
}

function silent(kind: string, half: string, { answerable, ranked }: RankedAnswer): void {
  const count = ranked.filter(({ fits }) => fits).slice(0, 10).length;
  silence.add(`${kind}, ${half}`, [answerable ? 0 : 1, count]);
}

for (const [at, talk] of talks.entries()) {
  const half = at < talks.length / 2 ? 'fitted' : 'unseen';
  const shelf = shelfOf(talk);
  const known = new Set(shelf.turns.map(({ id }) => id));
  const search = (question: string) => {
    const query = searchQueryOf(question, 'bench');
    return rank(query, foundIn(shelf, query, vectorOf(question)), DEFAULT_SCALE);
  };
  const recall = (question: string): string[] => {
    const query = recallQueryOf(question);
    if (query === null) return [];
    const { called } = calledFor(query, foundIn(shelf, query, null), [question]);
    const memories = called.map(({ thing: { uuid: id, text }, relevance }) => ({
      ...({
        kind: 'episode',
        id,
        text,
        inReplyTo: null,
        corrects: null,
        isQuotation: true,
        relevance,
        sources,
      } as const),
    }));
    return chooseRecalled(memories, RECALL_TOKENS).map(({ id }) => id);
  };
  for (const { text: question, kind, evidence } of talk.questions) {
    const answer = search(question);
    const called = recall(question);
    const recalls = (id: string) => called.includes(id);
    if (kind === 'adversarial') {
      silent('adversarial', half, answer);
      recalled.add(`adversarial, ${half}`, [called.length]);
      continue;
    }
    if (![...evidence].some((id) => known.has(id))) continue;
    const ids = answer.ranked.map(({ uuid }) => uuid);
    const isFound = ids.slice(0, 10).some((id) => evidence.has(id));
    silent(isFound ? 'answer among the ten' : 'answer not among the ten', half, answer);
    const share = [...evidence].filter(recalls).length / evidence.size;
    recalled.add(`answered, ${half}`, [called.length, Math.sign(share), share]);
    const fitting = answer.ranked.filter(({ fits }) => fits).map(({ uuid }) => uuid);
    const baselines = baselinesOf(shelf, talk, question);
    for (const [method, list] of Object.entries({
      search: ids,
      'search, hits that fit': fitting,
      ...baselines,
    }))
      grade([`${method}, all`, `${method}, ${half}`, `${method}, ${kind}`], list, evidence);
  }
  const other = talks[(at + FOREIGN_STEP) % talks.length];
  for (const { text, kind } of other?.questions ?? []) {
    if (kind === 'adversarial') continue;
    const question = (other?.speakers ?? []).reduce(
      (asked, name, place) => asked.replaceAll(name, talk.speakers[place] ?? name),
      text,
    );
    silent('of another talk', half, search(question));
    recalled.add(`of another talk, ${half}`, [recall(question).length]);
  }
}
found.print('Turns found', ['any1', 'any10', 'any20', 'recall10']);
silence.print('Silence of search', ['silent', 'hits']);
recalled.print('Recall', ['memories', 'any', 'share of the evidence']);
