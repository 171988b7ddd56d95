import { LRUCache } from 'lru-cache';
import type { Embedder } from '../../platform/embeddings/embedder.ts';
import type { Graph } from '../../platform/neo4j/graph.ts';
import type { Log } from '../../platform/telemetry/log.ts';
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
  type Space,
  type VectorSlot,
  withBefore,
} from './embedding.ts';
import { DEFAULT_SCALE, type MeaningScale, PROBE_TEXTS, scaleOf } from './meaning-scale.ts';

/** The memory graph's vectors: questions by search and resolution, and the jobs that write them. */
export interface Embeddings {
  /**
   * The vectors of these texts in the space that is searched now, and its slot. Null when there is
   * no space or its model does not answer: the caller then searches by words alone.
   */
  embed(texts: readonly string[]): Promise<{ slot: VectorSlot; vectors: number[][] } | null>;
  /**
   * The scale of the model that `embed` asks, measured once per model and process; a default where
   * the model does not answer.
   */
  scale(): Promise<MeaningScale>;
  /**
   * Makes the vector indexes of the first model where there are none. A new index throws all plans
   * of Neo4j away, so this comes before they are made.
   * @returns whether it made some
   * @throws when the model does not answer
   */
  prepare(): Promise<boolean>;
  /**
   * Embeds things that have no vector yet. @returns how many
   * @throws when the model does not answer
   */
  embedPending(signal?: AbortSignal): Promise<number>;
  /** Does the next step of a change to another model. Null when the change is complete. */
  reembed(step: ReembedStep | null, signal?: AbortSignal): Promise<ReembedStep | null>;
}

/** Progress of a change of models: first all things are embedded, then old vectors are removed. */
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
  /** The operator's model; null when none is configured. */
  readonly embedder: Embedder | null;
  /** Opens a former model of the operator. Questions use it until the new one has replaced it. */
  openFormer(space: Pick<Space, 'url' | 'model'>): Embedder;
}

const BATCH = 64;
const PENDING_MAX = 1_000;
const FRESH_MS = 1_000;
/** Words and short sentences that are compared again and again keep their vectors: 4 MB or so. */
const KEPT_MAX = 1_000;
const KEPT_CHARS_MAX = 48;

export function openEmbeddings(deps: EmbeddingsDeps): Embeddings {
  const { embedder } = deps;
  return embedder === null ? NO_EMBEDDINGS : new GraphEmbeddings(deps, embedder);
}

class GraphEmbeddings implements Embeddings {
  readonly #deps: EmbeddingsDeps;
  /** The operator's model. */
  readonly #model: Embedder;
  /** By URL and name of the model. */
  readonly #scales = new Map<string, Promise<MeaningScale>>();
  /** By the space's model and the text. */
  readonly #kept = new LRUCache<string, number[]>({ max: KEPT_MAX });
  #known: { readonly state: EmbeddingState | null; readonly atMs: number } | null = null;

  constructor(deps: EmbeddingsDeps, model: Embedder) {
    this.#deps = deps;
    this.#model = model;
  }

  /** A bound function: the graph driver is given `embed` without its object. */
  readonly embed: Embeddings['embed'] = async (texts) => {
    const state = await this.#recentState();
    if (state === null) return null;
    const { current } = state;
    const model = this.#modelOf(current);
    try {
      const vectors = await this.#vectorsOfTexts(model, texts);
      const fits = vectors.every(({ length }) => length === current.dimension);
      return fits ? { slot: current.slot, vectors } : null;
    } catch (error) {
      this.#deps.log.warn('The embeddings model did not answer; words alone are searched', {
        error,
      });
      return null;
    }
  };

  /** Asks the model for the texts whose vectors are not kept. */
  async #vectorsOfTexts(model: Embedder, texts: readonly string[]): Promise<number[][]> {
    const keyOf = (text: string) => `${model.url} ${model.model} ${text}`;
    const known = texts.map((text) => this.#kept.get(keyOf(text)));
    const asked = texts.filter((_text, at) => known[at] === undefined);
    const made = asked.length === 0 ? [] : await model.embed(asked);
    for (const [at, text] of asked.entries()) {
      const vector = made[at];
      if (vector !== undefined && text.length <= KEPT_CHARS_MAX)
        this.#kept.set(keyOf(text), vector);
    }
    const rest = made.values();
    return known.map((vector) => vector ?? rest.next().value ?? []);
  }

  async scale(): Promise<MeaningScale> {
    const state = await this.#recentState();
    if (state === null) return DEFAULT_SCALE;
    const model = this.#modelOf(state.current);
    const key = `${model.url} ${model.model}`;
    const known = this.#scales.get(key);
    if (known !== undefined) return known;
    const measured = model.embed(PROBE_TEXTS).then(scaleOf);
    this.#scales.set(key, measured);
    return measured.catch((error: unknown) => {
      // The next search measures again.
      this.#scales.delete(key);
      this.#deps.log.warn('The embeddings model could not be measured; a default scale is used', {
        error,
      });
      return DEFAULT_SCALE;
    });
  }

  async prepare(): Promise<boolean> {
    if ((await this.#state()) !== null) return false;
    await this.#prepareState();
    return true;
  }

  async embedPending(signal?: AbortSignal): Promise<number> {
    let count = 0;
    const state = await this.#prepareState();
    while (count < PENDING_MAX) {
      const things = await this.#deps.graph.read((tx) => listUnembedded(tx, BATCH));
      if (things.length === 0) return count;
      await this.#embedBatch(state, things, signal);
      count += things.length;
    }
    return count;
  }

  async reembed(step: ReembedStep | null, signal?: AbortSignal): Promise<ReembedStep | null> {
    const state = await this.#prepareState();
    const { next, left } = state;
    const phase = next === null ? 'settling' : 'embedding';
    const at: ReembedStep =
      step === null || step.phase !== phase ? { phase, kind: 'entity', after: '', done: 0 } : step;
    if (next !== null) return this.#embedPage({ ...state, next }, at, signal);
    if (left === null) return null;
    return this.#settlePage({ ...state, left }, at, signal);
  }

  #modelOf(current: Space): Embedder {
    return isSameSpace(current, this.#model) ? this.#model : this.#deps.openFormer(current);
  }

  #state(): Promise<EmbeddingState | null> {
    return this.#deps.graph.read((tx) => findEmbeddingState(tx));
  }

  /** May be FRESH_MS stale. Safe: a change of models removes old vectors later than that. */
  async #recentState(): Promise<EmbeddingState | null> {
    const known = this.#known;
    if (known !== null && known.state !== null && performance.now() - known.atMs < FRESH_MS)
      return known.state;
    this.#known = { state: await this.#state(), atMs: performance.now() };
    return this.#known.state;
  }

  /** The state with the operator's model as `current` or `next`. Saves it when it changes. */
  async #prepareState(): Promise<EmbeddingState> {
    const stored = await this.#state();
    const model = this.#model;
    if (stored !== null && isSameSpace(stored.next ?? stored.current, model)) return stored;
    if (stored !== null && stored.next !== null && isSameSpace(stored.current, model)) {
      // The operator changed back before the change stored complete.
      return this.#change(stored, { current: stored.current, next: null, left: stored.next.slot });
    }
    const dimension = (await model.embed(['dimension']))[0]?.length ?? 0;
    const slot = stored === null ? 'A' : otherSlot(stored.current.slot);
    const space: Space = { slot, dimension, model: model.model, url: model.url };
    // Vectors that an unfinished change left in this slot have another length.
    if (stored !== null) await this.#runEach(dropIndexStatements(slot), {});
    await this.#runEach(createIndexStatements(slot), indexOptions(space));
    return this.#change(
      stored,
      stored === null
        ? { current: space, next: null, left: null }
        : { current: stored.current, next: space, left: null },
    );
  }

  /** Saves a state, and reads the stored one, because another process may have been faster. */
  async #change(was: EmbeddingState | null, state: EmbeddingState): Promise<EmbeddingState> {
    await this.#save(was, state);
    return (await this.#state()) ?? state;
  }

  async #save(was: EmbeddingState | null, state: EmbeddingState): Promise<void> {
    await this.#deps.graph.write((tx) => saveEmbeddingState(tx, { was, state }));
  }

  async #runEach(statements: readonly string[], params: object): Promise<void> {
    for (const statement of statements)
      await this.#deps.graph.write((tx) => tx.run(statement, { ...params }).then(() => {}));
  }

  /** Writes vectors of these things into the newest space; forgets things without text. */
  async #embedBatch(
    state: EmbeddingState,
    things: readonly Embeddable[],
    signal?: AbortSignal,
  ): Promise<void> {
    const { slot } = state.next ?? state.current;
    const gone = things.filter(({ text }) => text === null).map(({ key }) => key);
    const present = things.filter(({ text }) => text !== null);
    const embedded = await this.#vectorsOf(present, signal);
    await this.#deps.graph.write(async (tx) => {
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

  /** Asks the model once for the vectors of all texts and all names. */
  async #vectorsOf(
    things: readonly Embeddable[],
    signal?: AbortSignal,
  ): Promise<(Embeddable & Embedded)[]> {
    const named = things.filter(({ name }) => name !== null);
    const vectors = await this.#model.embed(
      [...things.map(meantText), ...named.map(({ name }) => name ?? '')],
      signal,
    );
    return things.map((thing, index) => ({
      ...thing,
      text: thing.text ?? '',
      vector: vectors[index] ?? [],
      nameVector:
        thing.name === null ? null : (vectors[things.length + named.indexOf(thing)] ?? []),
    }));
  }

  /** Embeds one page into the next space. After the last page it becomes the current space. */
  async #embedPage(
    state: EmbeddingState & { readonly next: Space },
    step: ReembedStep,
    signal?: AbortSignal,
  ): Promise<ReembedStep> {
    const page = { after: step.after, limit: BATCH };
    const things = await this.#deps.graph.read((tx) => listEmbeddable(tx, step.kind, page));
    if (things.length > 0) {
      await this.#embedBatch(state, things, signal);
      return { ...step, after: things.at(-1)?.key ?? '', done: step.done + things.length };
    }
    const kind = nextKind(step.kind);
    if (kind !== null) return { ...step, kind, after: '' };
    await this.#save(state, { current: state.next, next: null, left: state.current.slot });
    return { ...step, phase: 'settling', kind: 'entity', after: '' };
  }

  /** Clears one page of vectors of the space that was left. After the last page its indexes go. */
  async #settlePage(
    state: EmbeddingState & { readonly left: VectorSlot },
    step: ReembedStep,
    signal?: AbortSignal,
  ): Promise<ReembedStep | null> {
    const { left, current } = state;
    const page = { after: step.after, limit: BATCH };
    // Our slots hold no vectors of names to copy, so Graphiti's vectors of names are made again.
    if (step.kind === 'entity') {
      const things = await this.#deps.graph.read((tx) => listEmbeddable(tx, 'entity', page));
      await this.#embedBatch(state, things, signal);
    }
    const slots = { left, now: current.slot };
    const keys = await this.#deps.graph.write((tx) => settleVectors(tx, step.kind, slots, page));
    const last = keys.at(-1);
    if (last !== undefined) return { ...step, after: last };
    const kind = nextKind(step.kind);
    if (kind !== null) return { ...step, kind, after: '' };
    await this.#runEach(dropIndexStatements(left), {});
    await this.#save(state, { ...state, left: null });
    return null;
  }
}

/** An answer means what its question asks: a piece of an Episode is read after what precedes it. */
const meantText = ({ text, window }: Embeddable): string =>
  window === null ? (text ?? '') : withBefore(text ?? '', window);

const nextKind = (kind: EmbeddedKind): EmbeddedKind | null =>
  EMBEDDED_KINDS[EMBEDDED_KINDS.indexOf(kind) + 1] ?? null;

/** For an operator without a model: search goes by words alone. */
const NO_EMBEDDINGS: Embeddings = {
  embed: async () => null,
  scale: async () => DEFAULT_SCALE,
  prepare: async () => false,
  embedPending: async () => 0,
  reembed: async () => null,
};
