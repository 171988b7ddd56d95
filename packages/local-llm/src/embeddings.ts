import { z } from 'zod';
import { ApiError } from './api-error.ts';
import { unknownModel } from './chat-request.ts';
import { type EmbeddingQueue, openEmbeddingQueue } from './embedding-queue.ts';
import { checked } from './json-http.ts';
import { EMBEDDING_CHARS_MAX, EMBEDDING_INPUTS_MAX } from './limits.ts';
import { DIMENSIONS } from './sentence-model.ts';

export const EMBEDDING_MODEL = 'local-embedding-512';

const body = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(z.union([z.string(), z.number(), z.array(z.number())]))]),
  dimensions: z.number().nullish(),
  encoding_format: z.enum(['float', 'base64']).nullish(),
});

/** Answers POST /v1/embeddings. */
export interface Embedder {
  /** @param isWanted whether the client still waits */
  answer(value: unknown, isWanted: () => boolean): Promise<object>;
  close(): Promise<void>;
}

/** The sentence model is opened when first asked for, in a thread of its own. */
export function openEmbedder(queue: EmbeddingQueue = openEmbeddingQueue()): Embedder {
  return {
    close: () => queue.close(),
    async answer(value, isWanted) {
      const { texts, base64 } = readRequest(value);
      const { vectors, pieces: tokens } = await queue.embed(texts, isWanted);
      const data = vectors.map((vector, index) => ({
        object: 'embedding',
        index,
        embedding: base64 ? inBase64(vector) : inNumbers(vector),
      }));
      return {
        object: 'list',
        data,
        model: EMBEDDING_MODEL,
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      };
    },
  };
}

function readRequest(value: unknown): { texts: string[]; base64: boolean } {
  const { model, input, dimensions, encoding_format: encoding } = checked(body, value);
  if (model !== EMBEDDING_MODEL) throw unknownModel(model);
  if (dimensions != null && dimensions !== DIMENSIONS) {
    throw new ApiError(
      400,
      'unsupported_value',
      `${EMBEDDING_MODEL} has ${DIMENSIONS} dimensions, not ${dimensions}.`,
      'dimensions',
    );
  }
  const given = typeof input === 'string' ? [input] : input;
  if (given.length === 0 || given.length > EMBEDDING_INPUTS_MAX) {
    throw new ApiError(400, 'invalid_value', `Give 1 to ${EMBEDDING_INPUTS_MAX} texts.`, 'input');
  }
  const texts = given.map((text, index) => {
    if (typeof text !== 'string') {
      throw new ApiError(
        400,
        'unsupported_value',
        'Give texts; token numbers mean nothing to this model.',
        'input',
      );
    }
    if (text === '')
      throw new ApiError(
        400,
        'invalid_value',
        'An empty text has no embedding.',
        `input[${index}]`,
      );
    if (text.length > EMBEDDING_CHARS_MAX) {
      throw new ApiError(
        400,
        'context_length_exceeded',
        `A text of ${text.length} characters; at most ${EMBEDDING_CHARS_MAX} are read.`,
        `input[${index}]`,
      );
    }
    return text;
  });
  return { texts, base64: encoding === 'base64' };
}

/** Six digits are all that the weights hold, and halve the answer. */
function inNumbers(vector: Float32Array): number[] {
  return Array.from(vector, (component) => Math.round(component * 1e6) / 1e6);
}

function inBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, component] of vector.entries()) bytes.writeFloatLE(component, index * 4);
  return bytes.toString('base64');
}
