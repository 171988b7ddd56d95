import { z } from 'zod';
import { firstChars } from '../../common/well-formed.ts';
import type { Egress } from '../egress/egress.ts';

export interface Embedder {
  /** Vectors are comparable only with the same model and URL. */
  readonly model: string;
  readonly url: string;
  /**
   * One vector per text in order, all of one length.
   * @throws Error when the endpoint fails or its answer is invalid
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<number[][]>;
}

export interface EmbedderSettings {
  /** The OpenAI-compatible base URL, with /v1. */
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
}

const TEXTS_PER_CALL = 64;
const TEXT_CHARS_MAX = 8_000;
const CALL_MS_MAX = 60_000;

const Answer = z.object({
  data: z.array(z.object({ index: z.number(), embedding: z.array(z.number()).min(1) })),
});

/** Opens an embedder of any OpenAI-compatible endpoint, such as local-llm. */
export function openEmbedder(
  egress: Pick<Egress, 'fetch'>,
  { url, model, apiKey }: EmbedderSettings,
): Embedder {
  async function call(texts: readonly string[], signal?: AbortSignal): Promise<number[][]> {
    const late = AbortSignal.timeout(CALL_MS_MAX);
    const response = await egress.fetch(`${url.replace(/\/+$/, '')}/embeddings`, {
      method: 'POST',
      system: true,
      headers: {
        'content-type': 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      // Most endpoints refuse an empty text.
      body: JSON.stringify({ model, input: texts.map((text) => cut(text) || '-') }),
      signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    });
    if (!response.ok) throw new Error(`The embeddings endpoint answered ${response.status}.`);
    const answer = Answer.safeParse(await response.json());
    if (!answer.success) throw new Error('The embeddings endpoint answered no embeddings.');
    const vectors = new Map(answer.data.data.map(({ index, embedding }) => [index, embedding]));
    return texts.map((_, index) => checked(vectors.get(index)));
  }

  return {
    model,
    url,
    async embed(texts, signal) {
      const vectors: number[][] = [];
      for (let from = 0; from < texts.length; from += TEXTS_PER_CALL)
        vectors.push(...(await call(texts.slice(from, from + TEXTS_PER_CALL), signal)));
      const dimension = vectors[0]?.length;
      if (vectors.some(({ length }) => length !== dimension))
        throw new Error('The embeddings endpoint answered vectors of different lengths.');
      return vectors;
    },
  };
}

const cut = (text: string): string => firstChars(text.replaceAll('\n', ' '), TEXT_CHARS_MAX).trim();

/** Neo4j's cosine index refuses zero vectors and values that are no numbers. */
function checked(vector: number[] | undefined): number[] {
  if (vector === undefined || !vector.every(Number.isFinite))
    throw new Error('The embeddings endpoint left a text without a vector.');
  return vector.some((value) => value !== 0) ? vector : [1e-6, ...vector.slice(1)];
}
