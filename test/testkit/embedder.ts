import { createHash } from 'node:crypto';
import { dropIndexStatements } from '../../src/memory-graph/embeddings/embedding.cypher.ts';
import { SLOTS } from '../../src/memory-graph/embeddings/embedding.ts';
import { takeLease } from '../../src/outbox/relay.cypher.ts';
import type { Embedder } from '../../src/platform/embeddings/embedder.ts';
import type { Graph } from '../../src/platform/neo4j/graph.ts';
import { writeWith } from './graph.ts';

export interface ScriptedEmbedder extends Embedder {
  /** While true, every call fails. */
  isAway: boolean;
  /** Called before each batch is answered. */
  onCall: (texts: readonly string[]) => void;
}

/**
 * A model that knows words by their letters: texts that share words are alike, and nothing else is.
 */
export function scriptedEmbedder({
  model = 'scripted',
  dimension = 64,
  isAway = false,
}: {
  readonly model?: string;
  readonly dimension?: number;
  readonly isAway?: boolean;
} = {}): ScriptedEmbedder {
  const hashes = new Map<string, Buffer>();
  function hashOf(word: string): Buffer {
    const known = hashes.get(word);
    if (known !== undefined) return known;
    const hash = createHash('sha256').update(`${model}/${word}`).digest();
    hashes.set(word, hash);
    return hash;
  }
  const embedder: ScriptedEmbedder = {
    model,
    url: 'scripted:',
    isAway,
    onCall: () => {},
    async embed(texts) {
      embedder.onCall(texts);
      if (embedder.isAway) throw new Error('The scripted model is away.');
      return texts.map((text) => {
        const vector = new Array<number>(dimension).fill(0);
        for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['-']) {
          const hash = hashOf(word);
          for (let at = 0; at < 4; at++) {
            const place = hash.readUInt16BE(at * 2) % dimension;
            vector[place] = (vector[place] ?? 0) + ((hash[8 + at] ?? 0) % 2 === 0 ? 1 : -1);
          }
        }
        if (vector.every((value) => !value)) vector[0] = 1;
        return vector;
      });
    },
  };
  return embedder;
}

/**
 * A database has one space of vectors, so the files that test it take turns. Ends with nothing left
 * of them.
 * @returns how to let the next one go on
 */
export async function aloneWithVectors(graph: Graph): Promise<() => Promise<void>> {
  const lease = { name: 'test-vectors', holder: `${process.pid}`, ttlMs: 600_000 };
  const take = () => writeWith(graph, takeLease, lease);
  while ((await take()) === null) await new Promise((resolve) => setTimeout(resolve, 200));
  await forgetVectors(graph);
  return async () => {
    await forgetVectors(graph);
    await graph.write((tx) =>
      tx
        .run(
          '// letGo\nMATCH (l:Lease {name: $name}) SET l.holder = null, l.expiresAtMs = 0',
          lease,
        )
        .then(() => {}),
    );
  };
}

/** Vectors of an earlier run or an app have another length. */
async function forgetVectors(graph: Graph): Promise<void> {
  const statements = [
    'MATCH (s:EmbeddingState) DELETE s',
    ...SLOTS.flatMap(dropIndexStatements),
    `MATCH (n:EntityProfile|FactRef|EpisodeText)
     WHERE n.vectorA IS NOT NULL OR n.vectorB IS NOT NULL REMOVE n.vectorA, n.vectorB`,
    'MATCH (e:Entity) WHERE e.name_embedding IS NOT NULL REMOVE e.name_embedding',
    // Texts of other tests that wait for vectors do not matter here; there may be thousands.
    'MATCH (n:Unembedded) REMOVE n:Unembedded',
  ];
  for (const statement of statements) {
    const change = () => graph.write((tx) => tx.run(`// forgetVectors\n${statement}`));
    // Other test files delete nodes meanwhile: "Unable to load NODE".
    const again = (error: unknown) => {
      if (!(error instanceof Error) || !error.message.startsWith('Unable to load')) throw error;
      return change();
    };
    await change().catch(again).catch(again);
  }
}
