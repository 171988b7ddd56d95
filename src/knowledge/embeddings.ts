import type { Embedder } from '../platform/embeddings/embedder.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import type { Log } from '../platform/telemetry/log.ts';
import {
  createIndexStatements,
  dropIndexStatements,
  type Embeddable,
  type Embedded,
  findEmbeddingState,
  forgetUnembeddable,
  indexOptions,
  listEmbeddable,
  listUnembedded,
  saveEmbeddingState,
  settleVectors,
  writeVectors,
} from './embedding.cypher.ts';
import {
  EMBEDDED_KINDS,
  type EmbeddedKind,
  type EmbeddingState,
  isSameSpace,
  otherSlot,
  type Slot,
  type Space,
} from './embedding.ts';

/** The memory graph's vectors: what search and resolution ask, and the work behind them. */
export interface Embeddings {
  /**
   * The vectors of these texts in the space that is searched now, and its slot; null where there is none, or its model
   * does not answer: then everything goes on by words alone.
   */
  embed(texts: readonly string[]): Promise<{ slot: Slot; vectors: number[][] } | null>;
  /** Gives vectors to what has none; how many it gave. @throws where the model does not answer */
  embedPending(signal?: AbortSignal): Promise<number>;
  /** Begins, or goes on with, the change to another model; null when there is none to do. */
  reembed(step: ReembedStep | null, signal?: AbortSignal): Promise<ReembedStep | null>;
}

/** Where a change of models stands: everything is embedded anew, then what was left is put in order. */
export interface ReembedStep {
  readonly phase: 'embedding' | 'settling';
  readonly kind: EmbeddedKind;
  readonly after: string;
  /** Things that have their new vector. */
  readonly done: number;
}

export interface EmbeddingsDeps {
  readonly graph: Graph;
  readonly log: Log;
  /** The operator's model; null where there is none. */
  readonly embedder: Embedder | null;
  /** A model that was the operator's before; it answers questions until the new one has taken its place. */
  openFormer(space: Pick<Space, 'url' | 'model'>): Embedder;
}

const BATCH = 64;
const PENDING_MAX = 1_000;
const FRESH_MS = 1_000;

export function openEmbeddings(deps: EmbeddingsDeps): Embeddings {
  const { graph, embedder } = deps;

  const stateNow = () => graph.read((tx) => findEmbeddingState(tx));
  let known: { readonly state: EmbeddingState | null; readonly atMs: number } | null = null;
  /** For questions: what a change of models leaves behind is cleared away slower than this grows old. */
  async function stateLately(): Promise<EmbeddingState | null> {
    if (known !== null && known.state !== null && performance.now() - known.atMs < FRESH_MS)
      return known.state;
    known = { state: await stateNow(), atMs: performance.now() };
    return known.state;
  }

  /** The state with the operator's model in it, as current or as next. */
  async function prepared(model: Embedder): Promise<EmbeddingState> {
    const was = await stateNow();
    if (was !== null && isSameSpace(was.next ?? was.current, model)) return was;
    if (was !== null && was.next !== null && isSameSpace(was.current, model)) {
      // Changed back before the change was through.
      await save(was, { current: was.current, next: null, left: was.next.slot });
      return (await stateNow()) ?? was;
    }
    const dimension = (await model.embed(['dimension']))[0]?.length ?? 0;
    const slot = was === null ? 'A' : otherSlot(was.current.slot);
    const space: Space = { slot, dimension, model: model.model, url: model.url };
    // What an unfinished change left in this slot has another length.
    if (was !== null) await runEach(dropIndexStatements(slot), {});
    await runEach(createIndexStatements(slot), indexOptions(space));
    const state: EmbeddingState =
      was === null
        ? { current: space, next: null, left: null }
        : { current: was.current, next: space, left: null };
    await save(was, state);
    return (await stateNow()) ?? state;
  }

  async function save(was: EmbeddingState | null, state: EmbeddingState): Promise<void> {
    await graph.write((tx) => saveEmbeddingState(tx, { was, state }));
  }

  async function runEach(statements: readonly string[], params: object): Promise<void> {
    for (const statement of statements)
      await graph.write((tx) => tx.run(statement, { ...params }).then(() => {}));
  }

  async function writeBatch(
    model: Embedder,
    state: EmbeddingState,
    things: readonly Embeddable[],
    signal?: AbortSignal,
  ): Promise<void> {
    const { slot } = state.next ?? state.current;
    const gone = things.filter(({ text }) => text === null).map(({ key }) => key);
    const present = things.filter(({ text }) => text !== null);
    const named = present.filter(({ name }) => name !== null);
    const vectors = await model.embed(
      [...present.map(({ text }) => text ?? ''), ...named.map(({ name }) => name ?? '')],
      signal,
    );
    const embedded = present.map((thing, index): Embeddable & Embedded => ({
      ...thing,
      text: thing.text ?? '',
      vector: vectors[index] ?? [],
      nameVector:
        thing.name === null ? null : (vectors[present.length + named.indexOf(thing)] ?? []),
    }));
    await graph.write(async (tx) => {
      await forgetUnembeddable(tx, gone);
      for (const kind of EMBEDDED_KINDS) {
        const rows = embedded.filter((one) => one.kind === kind);
        if (rows.length === 0) continue;
        await writeVectors(
          tx,
          { kind, slot, searched: state.next === null },
          rows.map(({ key, text, vector, nameVector }) => ({ key, text, vector, nameVector })),
        );
      }
    });
  }

  async function embedPage(
    model: Embedder,
    state: EmbeddingState,
    step: ReembedStep,
    signal?: AbortSignal,
  ): Promise<ReembedStep | null> {
    const page = { after: step.after, limit: BATCH };
    const things = await graph.read((tx) => listEmbeddable(tx, step.kind, page));
    if (things.length === 0) {
      const next = nextKind(step.kind);
      if (next !== null) return { ...step, kind: next, after: '' };
      if (state.next === null) return null;
      await save(state, { current: state.next, next: null, left: state.current.slot });
      return { ...step, phase: 'settling', kind: 'entity', after: '' };
    }
    await writeBatch(model, state, things, signal);
    return { ...step, after: things.at(-1)?.key ?? '', done: step.done + things.length };
  }

  async function settlePage(
    model: Embedder,
    state: EmbeddingState,
    step: ReembedStep,
    signal?: AbortSignal,
  ): Promise<ReembedStep | null> {
    const { left, current } = state;
    if (left === null) return null;
    const page = { after: step.after, limit: BATCH };
    // Names have no vector of ours to copy, so Graphiti's are made again.
    if (step.kind === 'entity') {
      const things = await graph.read((tx) => listEmbeddable(tx, 'entity', page));
      await writeBatch(model, state, things, signal);
    }
    const slots = { left, now: current.slot };
    const keys = await graph.write((tx) => settleVectors(tx, step.kind, slots, page));
    const last = keys.at(-1);
    if (last !== undefined) return { ...step, after: last };
    const next = nextKind(step.kind);
    if (next !== null) return { ...step, kind: next, after: '' };
    await runEach(dropIndexStatements(left), {});
    await save(state, { ...state, left: null });
    return null;
  }

  return {
    async embed(texts) {
      if (embedder === null) return null;
      const state = await stateLately();
      if (state === null) return null;
      const { current } = state;
      const model = isSameSpace(current, embedder) ? embedder : deps.openFormer(current);
      try {
        const vectors = await model.embed(texts);
        const fits = vectors.every(({ length }) => length === current.dimension);
        return fits ? { slot: current.slot, vectors } : null;
      } catch (error) {
        deps.log.warn('The embeddings model did not answer; words alone are searched', { error });
        return null;
      }
    },

    async embedPending(signal) {
      if (embedder === null) return 0;
      let count = 0;
      const state = await prepared(embedder);
      while (count < PENDING_MAX) {
        const things = await graph.read((tx) => listUnembedded(tx, BATCH));
        if (things.length === 0) return count;
        await writeBatch(embedder, state, things, signal);
        count += things.length;
      }
      return count;
    },

    async reembed(step, signal) {
      if (embedder === null) return null;
      const state = await prepared(embedder);
      if (state.next === null && state.left === null) return null;
      const phase = state.next === null ? 'settling' : 'embedding';
      const at =
        step === null || step.phase !== phase
          ? ({ phase, kind: 'entity', after: '', done: 0 } as const)
          : step;
      return phase === 'embedding'
        ? embedPage(embedder, state, at, signal)
        : settlePage(embedder, state, at, signal);
    },
  };
}

function nextKind(kind: EmbeddedKind): EmbeddedKind | null {
  return EMBEDDED_KINDS[EMBEDDED_KINDS.indexOf(kind) + 1] ?? null;
}
