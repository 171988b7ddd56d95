import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ApiError } from './api-error.ts';
import type { Embedded } from './embedding-worker.ts';
import { EMBEDDING_INPUTS_MAX } from './limits.ts';
import { DIMENSIONS } from './sentence-model.ts';

/** Texts that one request has computed before it is another's turn: some tens of milliseconds. */
const TURN_TEXTS = 16;
const WAITING_TEXTS_MAX = 4 * EMBEDDING_INPUTS_MAX;

/** Requests for embeddings, in turns: a question does not wait for a batch of two thousand. */
export interface EmbeddingQueue {
  /**
   * @param isWanted whether the client still waits
   * @throws ApiError 429 where too much waits, 503 where the model cannot be opened
   */
  embed(texts: readonly string[], isWanted: () => boolean): Promise<EmbeddedTexts>;
  close(): Promise<void>;
}

export interface EmbeddedTexts {
  readonly vectors: readonly Float32Array[];
  readonly pieces: number;
}

interface Waiting {
  readonly texts: readonly string[];
  readonly isWanted: () => boolean;
  readonly vectors: Float32Array[];
  pieces: number;
  readonly done: PromiseWithResolvers<EmbeddedTexts>;
}

export function openEmbeddingQueue(): EmbeddingQueue {
  const waiting: Waiting[] = [];
  let current: Waiting | null = null;
  let worker: Worker | null = null;

  function started(): Worker {
    // Beside this file: a .ts in this repository, a .js in the published package.
    const path = join(import.meta.dirname, `embedding-worker${extname(import.meta.filename)}`);
    const one = new Worker(path);
    one.unref();
    one.on('message', (embedded: Embedded) => took(embedded));
    one.on('error', (error) =>
      took({ error: error instanceof Error ? error.message : 'It ended' }),
    );
    return one;
  }

  function next(): void {
    if (current !== null) return;
    current = waiting.shift() ?? null;
    if (current === null) return;
    if (!current.isWanted()) {
      current.done.reject(new ApiError(499, 'client_left', 'The client has left.'));
      current = null;
      next();
      return;
    }
    worker ??= started();
    const from = current.vectors.length;
    worker.postMessage(current.texts.slice(from, from + TURN_TEXTS));
  }

  function took(embedded: Embedded): void {
    const job = current;
    current = null;
    if ('error' in embedded) {
      // A missing file may be there the next time.
      void worker?.terminate();
      worker = null;
      const why = `The sentence model could not be used. ${embedded.error}`;
      job?.done.reject(new ApiError(503, 'embeddings_unavailable', why));
    } else if (job !== null) {
      const { vectors, pieces } = embedded;
      for (let from = 0; from < vectors.length; from += DIMENSIONS)
        job.vectors.push(vectors.subarray(from, from + DIMENSIONS));
      job.pieces += pieces;
      if (job.vectors.length === job.texts.length) job.done.resolve(job);
      else waiting.push(job);
    }
    next();
  }

  return {
    embed(texts, isWanted) {
      const all = current === null ? waiting : [current, ...waiting];
      const before = all.reduce((sum, one) => sum + one.texts.length - one.vectors.length, 0);
      if (before + texts.length > WAITING_TEXTS_MAX)
        throw new ApiError(429, 'rate_limit_exceeded', `${before} texts wait; ask again later.`);
      const done = Promise.withResolvers<EmbeddedTexts>();
      waiting.push({ texts, isWanted, vectors: [], pieces: 0, done });
      next();
      return done.promise;
    },
    async close() {
      await worker?.terminate();
      const all = [...waiting.splice(0), ...(current === null ? [] : [current])];
      for (const { done } of all)
        done.reject(new ApiError(503, 'embeddings_unavailable', 'The server stops.'));
      current = null;
    },
  };
}
