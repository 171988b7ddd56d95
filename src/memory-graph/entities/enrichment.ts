import { z } from 'zod';
import { entryOf } from '../../common/entry-of.ts';
import type { JsonObject } from '../../common/json.ts';
import { firstChars } from '../../common/well-formed.ts';
import {
  type EntityCategory,
  type EntityTyping,
  type Facets,
  isCategory,
  isFacet,
} from './entity.ts';

/** A model's description of an entity, without invalid values. */
export interface Description {
  readonly summary: string;
  readonly category: EntityCategory | null;
  readonly confidence: number;
  readonly facets: Facets;
  readonly keywords: readonly string[];
}

const Output = z.object({
  summary: z.string(),
  category: z.string().nullish().catch(null),
  confidence: z.number().min(0).max(1).catch(0.5),
  facets: z.record(z.string(), z.unknown()).catch({}),
  keywords: z.array(z.string()).catch([]),
});
const KEYWORDS_MAX = 10;
const SUMMARY_CHARS_MAX = 1_000;

/** Null where the text is no valid description. */
export function readDescription(text: string | null): Description | null {
  try {
    const { summary, category, confidence, facets, keywords } = Output.parse(
      JSON.parse(text ?? ''),
    );
    return {
      summary: firstChars(summary.trim(), SUMMARY_CHARS_MAX),
      category: category != null && isCategory(category) ? category : null,
      confidence,
      facets: Object.fromEntries(
        Object.entries(facets).filter(
          (facet): facet is [string, string[]] =>
            facet[0].trim() !== '' && isFacet(facet[1]) && facet[1].length > 0,
        ),
      ),
      keywords: keywords.slice(0, KEYWORDS_MAX),
    };
  } catch {
    return null;
  }
}

/** A text that may tell about an entity. */
export interface Material {
  readonly text: string;
  /** Likeness to the entity's name and summary, 0 to 1; null where there are no vectors. */
  readonly near: number | null;
  /** Edges to the entity's neighbours: how central the text is among its relations. */
  readonly central: number;
}

/**
 * The texts that tell most about an entity (S4-ENT-10): by meaning, by centrality and by newness,
 * with one text of equal ones.
 * @param newestFirst candidates, the newest first
 * @returns the best first, at most `max`
 */
export function chooseMaterial<T extends Material>(newestFirst: readonly T[], max: number): T[] {
  const byText = new Map<string, T>();
  for (const one of newestFirst)
    if (one.text.trim() !== '' && !byText.has(one.text)) byText.set(one.text, one);
  const all = [...byText.values()];
  const near = all.filter((one) => one.near !== null);
  const lists = [
    near.toSorted((a, b) => (b.near ?? 0) - (a.near ?? 0)),
    all.filter(({ central }) => central > 0).toSorted((a, b) => b.central - a.central),
    all,
  ];
  // Reciprocal ranks: a text near the top of several lists wins.
  const scores = new Map<T, number>();
  for (const list of lists)
    for (const [rank, one] of list.entries())
      scores.set(one, (scores.get(one) ?? 0) + 1 / (rank + 1));
  const ranked = [...scores].sort(([, a], [, b]) => b - a);
  return ranked.slice(0, max).map(([one]) => one);
}

/**
 * The entity's new summary; null = the entity keeps its own. Replaces an empty summary, or one of
 * an earlier enrichment that no user chose. The text of a user or of an Episode stays (S4-ENT-08).
 * @param before the summary of the last enrichment
 */
export function addSummary(
  { summary, isChosen }: { readonly summary: string; readonly isChosen: boolean },
  before: string | null,
  said: string,
): string | null {
  return !isChosen && (summary === '' || summary === before) ? said : null;
}

/** Adds facets and values; removes none (S4-ENT-08). */
export function addFacets(known: Facets | null, more: Facets): Facets | null {
  const names = new Set([...Object.keys(known ?? {}), ...Object.keys(more)]);
  if (names.size === 0) return known;
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      [...new Set([...(entryOf(known ?? {}, name) ?? []), ...(entryOf(more, name) ?? [])])],
    ]),
  );
}

/** Replaces the category of a model. The category of a user stays. */
export function addTyping(known: EntityTyping | null, said: Description): EntityTyping | null {
  const facets = Object.fromEntries(
    Object.keys(said.facets).map((name) => [name, said.confidence]),
  );
  if (known !== null) {
    const confidence = { ...known.confidence, facets: { ...facets, ...known.confidence.facets } };
    const mayChange = known.inferredBy !== 'user' && said.category !== null;
    return mayChange && said.category !== null
      ? {
          category: said.category,
          confidence: { ...confidence, category: said.confidence },
          inferredBy: 'enrichment_process',
        }
      : { ...known, confidence };
  }
  if (said.category === null) return null;
  return {
    category: said.category,
    confidence: { category: said.confidence, facets },
    inferredBy: 'enrichment_process',
  };
}

/** The enrichment as stored with the entity. */
export function enrichmentOf(
  { summary, keywords, confidence }: Description,
  runId: string,
): JsonObject {
  return { summary, keywords: [...keywords], confidence, runId };
}
