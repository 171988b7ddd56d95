import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { DIMENSIONS, openSentenceModel } from './sentence-model.ts';

// The thread that computes embeddings: a text takes some milliseconds, in which the server answers
// others.

/** Vectors one after the other, or why there are none. */
export type Embedded =
  | { readonly vectors: Float32Array<ArrayBuffer>; readonly pieces: number }
  | { readonly error: string };

/** Beside the code, in this repository as in the published package. */
const MODEL_FOLDER = join(import.meta.dirname, '../model');

const model = openSentenceModel(MODEL_FOLDER);
// Each message is told of it.
model.catch(() => {});

async function embedAll(texts: readonly string[]): Promise<Embedded> {
  try {
    const { embed } = await model;
    const vectors = new Float32Array(texts.length * DIMENSIONS);
    let pieces = 0;
    for (const [at, text] of texts.entries()) {
      const embedded = embed(text);
      vectors.set(embedded.vector, at * DIMENSIONS);
      pieces += embedded.pieces;
    }
    return { vectors, pieces };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (texts: readonly string[]) => {
  void embedAll(texts).then((embedded) => parentPort?.postMessage(embedded));
});
