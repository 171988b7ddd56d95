import { z } from 'zod';
import type { Json, JsonObject } from '../common/json.ts';
import { firstChars } from '../common/well-formed.ts';
import type { Embeddings } from '../memory-graph/embeddings/embeddings.service.ts';
import { DEFAULT_SCALE, type MeaningScale } from '../memory-graph/embeddings/meaning-scale.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import {
  type Likeness,
  readSentence,
  SENTENCE_CHARS_MAX,
  sketchOf,
  spoken,
  textOfClause,
  textOfTarget,
} from '../processes/sketch/sketch.ts';
import type { Viewer } from '../users/user.ts';
import { type DraftTarget, listDraftTargets } from './draft-targets.service.ts';

const Asked = z.object({
  sentence: z.string().min(1).max(SENTENCE_CHARS_MAX),
  /** Names of the system's Tools and Processes that no draft uses. */
  leaveOut: z.array(z.string()).default([]),
});

/** Targets that are compared, the viewer's own first. */
const COMPARED_MAX = 300;
/** Targets that a model is told of, and the characters of each. */
const TOLD_MAX = 25;
const TOLD_CHARS_MAX = 900;
const NEAREST_MAX = 3;
/** Likeness from which a Process is offered as a beginning. */
const NEAR = 0.3;

/**
 * Drafts a Process from one sentence, by words and by meaning, out of the Tools and Processes of
 * the viewer. `targets` are those that a model may use for a draft of its own, the likeliest first;
 * `nearest` are Processes to begin from instead.
 */
export async function sketchTool(
  deps: { readonly graph: Graph; readonly embeddings: Embeddings },
  viewer: Viewer,
  inputs: JsonObject,
): Promise<Json> {
  const { sentence, leaveOut } = Asked.parse(inputs);
  const all = await deps.graph.read((tx) => listDraftTargets(tx, viewer));
  const targets = all
    .filter(({ owner, name }) => owner !== 'system' || !leaveOut.includes(name))
    .slice(0, COMPARED_MAX);
  const reading = readSentence(sentence);
  const compare = await comparison(deps.embeddings, targets, [
    ...reading.clauses.map(textOfClause),
    sentence,
  ]);
  const whole = reading.clauses.length;
  const likeliest = targets
    .map((target, at) => {
      const alike = Array.from({ length: whole + 1 }, (_, clause) => compare(clause, at));
      const best = Math.max(0, ...alike.map((one) => Math.max(one?.name ?? 0, one?.whole ?? 0)));
      return { target, best, near: compare(whole, at)?.whole ?? 0 };
    })
    .sort((a, b) => b.best - a.best);
  const nearest = likeliest
    .filter(({ target, near }) => target.kind === 'process' && near >= NEAR)
    .sort((a, b) => b.near - a.near)
    .slice(0, NEAREST_MAX)
    .map(({ target: { name, description } }) => ({ name, description }));
  const draft = { ...sketchOf(reading, targets, compare), nearest };
  return {
    draft: plainJson(draft),
    targets: likeliest.slice(0, TOLD_MAX).map(({ target }) => told(target)),
  };
}

/** Compares texts with targets, on the scale of the bundled model; null without a model. */
async function comparison(
  embeddings: Embeddings,
  targets: readonly DraftTarget[],
  texts: readonly string[],
): Promise<Likeness> {
  const names = targets.map(({ name }) => spoken(name));
  const wholes = targets.map(textOfTarget);
  const [found, scale] = await Promise.all([
    embeddings.embed([...texts, ...names, ...wholes]),
    embeddings.scale(),
  ]);
  if (found === null) return () => null;
  const vectors = found.vectors.map(normalised);
  const cosine = (text: number, at: number) => {
    const [a, b] = [vectors[text] ?? [], vectors[texts.length + at] ?? []];
    return likenessOn(
      scale,
      a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0),
    );
  };
  return (text, at) => ({ name: cosine(text, at), whole: cosine(text, names.length + at) });
}

/** The cosine that is as unusual on the scale of the bundled model. */
function likenessOn({ usual, spread }: MeaningScale, cosine: number): number {
  if (spread === 0) return 0;
  return DEFAULT_SCALE.usual + ((cosine - usual) / spread) * DEFAULT_SCALE.spread;
}

function normalised(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** A target in a few lines, for a model. */
function told({ kind, name, description, inputSchema, outputSchema }: DraftTarget): string {
  const inputs = JSON.stringify(inputSchema);
  const output = JSON.stringify(outputSchema);
  const head = `${kind} ${JSON.stringify(name)}: ${firstChars(description, 200)}`;
  const line = `${head} inputs: ${inputs} output: ${output}`;
  return firstChars(line.replace(/\s+/g, ' '), TOLD_CHARS_MAX);
}

const plainJson = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;
