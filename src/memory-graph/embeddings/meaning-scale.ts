import { PROBE_DISTRACTORS, PROBE_PAIRS } from './meaning-probe.ts';

/** How an embedding model's cosines are distributed, measured on sentences of our own. */
export interface MeaningScale {
  /** Mean cosine of a question and sentences that do not answer it. */
  readonly usual: number;
  /** Standard deviation of those cosines. */
  readonly spread: number;
  /** How many standard deviations an answer lies above the mean; 0: the model tells nothing. */
  readonly power: number;
}

/** The bundled sentence model; stands in for a model that could not be measured. */
export const DEFAULT_SCALE: MeaningScale = { usual: 0.07, spread: 0.09, power: 2.5 };

/** The texts to embed for `scaleOf`. */
export const PROBE_TEXTS: readonly string[] = [
  ...PROBE_PAIRS.map(({ question }) => question),
  ...PROBE_PAIRS.map(({ answer }) => answer),
  ...PROBE_DISTRACTORS,
];

/** Measures a model by its vectors of PROBE_TEXTS: each question among the answers to all. */
export function scaleOf(vectors: readonly (readonly number[])[]): MeaningScale {
  const unit = vectors.map(normalised);
  const questions = unit.slice(0, PROBE_PAIRS.length);
  const texts = unit.slice(PROBE_PAIRS.length);
  const rows = questions.map((question, at) => {
    const cosines = texts.map((text) => dot(question, text));
    const others = cosines.filter((_cosine, index) => index !== at);
    const usual = mean(others);
    const spread = Math.sqrt(mean(others.map((one) => (one - usual) ** 2)));
    return { usual, spread, lift: spread === 0 ? 0 : ((cosines[at] ?? 0) - usual) / spread };
  });
  return {
    usual: mean(rows.map(({ usual }) => usual)),
    spread: mean(rows.map(({ spread }) => spread)),
    power: Math.max(0, mean(rows.map(({ lift }) => lift))),
  };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);

function normalised(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
