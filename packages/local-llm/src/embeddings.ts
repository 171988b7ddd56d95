import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { z } from 'zod';
import { ApiError } from './api-error.ts';
import { unknownModel } from './chat-request.ts';
import { embed } from './embed.ts';
import { checked } from './json-http.ts';
import { EMBEDDING_CHARS_MAX, EMBEDDING_INPUTS_MAX } from './limits.ts';
import { DIMENSIONS, openWordVectors, type WordVectors } from './word-vectors.ts';

export const EMBEDDING_MODEL = 'local-embedding-100';

const body = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(z.union([z.string(), z.number(), z.array(z.number())]))]),
  dimensions: z.number().nullish(),
  encoding_format: z.enum(['float', 'base64']).nullish(),
});

/** Answers POST /v1/embeddings; the word vectors are opened when first asked for. */
export type Embedder = (value: unknown) => Promise<object>;

export function openEmbedder(cacheFolder: string): Embedder {
  let vectors: Promise<WordVectors> | null = null;
  const opened = (): Promise<WordVectors> => {
    vectors ??= openWordVectors(cacheFolder).catch((error: unknown) => {
      // A full disk or a missing package may be mended while this server runs.
      vectors = null;
      const why = error instanceof Error ? error.message : String(error);
      throw new ApiError(
        503,
        'embeddings_unavailable',
        `The word vectors could not be opened. ${why}`,
      );
    });
    return vectors;
  };
  return async (value) => {
    const { texts, base64 } = readRequest(value);
    const table = await opened();
    let tokens = 0;
    const data: object[] = [];
    for (const [index, text] of texts.entries()) {
      tokens += countTokens(text, { disallowedSpecial: new Set() });
      const embedding = embed(table, text);
      data.push({
        object: 'embedding',
        index,
        embedding: base64 ? inBase64(embedding) : embedding,
      });
      // A large batch lets others in between.
      if (index % 64 === 63) await new Promise((resolve) => setImmediate(resolve));
    }
    return {
      object: 'list',
      data,
      model: EMBEDDING_MODEL,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    };
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

function inBase64(embedding: readonly number[]): string {
  const bytes = Buffer.alloc(embedding.length * 4);
  embedding.forEach((component, index) => {
    bytes.writeFloatLE(component, index * 4);
  });
  return bytes.toString('base64');
}
