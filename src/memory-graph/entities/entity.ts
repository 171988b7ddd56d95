import { z } from 'zod';
import type { JsonObject } from '../../common/json.ts';
import { DESCRIPTION_CHARS_MAX, NAME_CHARS_MAX } from '../../common/limits.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { jsonText } from '../../common/stored.ts';

/** S4-ENT-04; each is a label of its own beside `Entity`, as Graphiti writes types. */
export const ENTITY_CATEGORIES = [
  'Person',
  'Organization',
  'Project',
  'Concept',
  'Object',
  'Event',
  'Place',
] as const;
export type EntityCategory = (typeof ENTITY_CATEGORIES)[number];

export const ENTITY_ORIGINS = ['user', 'graphiti', 'enrichment'] as const;
export type EntityOrigin = (typeof ENTITY_ORIGINS)[number];

/** Where an entity comes from (S4-ENT-03). Sources are added and moved by merges, never taken away. */
export interface EntitySource {
  readonly type: EntityOrigin;
  readonly createdAt: string;
  /** The user; null where nobody did it by hand. */
  readonly createdBy: string | null;
  /** The Episode it was read from. */
  readonly episodeId: string | null;
  /** How it was called before it was merged. */
  readonly originalName: string | null;
  /** 0 to 1, of a model. */
  readonly confidence: number | null;
}

/** domain, status, sentiment and whatever else, each with its values. */
export type Facets = Readonly<Record<string, readonly string[]>>;

export interface EntityTyping {
  readonly category: EntityCategory;
  readonly confidence: {
    readonly category: number;
    readonly facets: Readonly<Record<string, number>>;
  };
  readonly inferredBy: 'graphiti' | 'enrichment_process' | 'user';
}

/** A person, place, idea, … that conversations speak of (S4-ENT-01, -02): Graphiti's node and our profile beside it. */
export interface Entity {
  readonly uuid: string;
  readonly name: string;
  /** One of ENTITY_CATEGORIES where we wrote it; any label where Graphiti's library did. */
  readonly entityType: string | null;
  readonly summary: string;
  readonly groupId: string;
  readonly createdAt: string;
  readonly validAt: string | null;
  /** Oldest first. */
  readonly sources: readonly EntitySource[];
  readonly facets: Facets | null;
  readonly typing: EntityTyping | null;
  readonly enrichment: JsonObject | null;
  readonly enrichedAt: string | null;
  readonly enrichedById: string | null;
  /** Episodes and Summaries that mention it (S4-ENT-09). */
  readonly edgeCount: number;
  /** The uuids that were merged into it; they go on naming it. */
  readonly mergedFrom: readonly string[];
}

/** Facets and typing as they are stored: JSON text. */
export const FacetsText = jsonText(z.record(z.string(), z.array(z.string())));
export const TypingText = jsonText(
  z.object({
    category: z.enum(ENTITY_CATEGORIES),
    confidence: z.object({ category: z.number(), facets: z.record(z.string(), z.number()) }),
    inferredBy: z.enum(['graphiti', 'enrichment_process', 'user']),
  }),
);

const FACETS_MAX = 50;
const FACET_VALUES_MAX = 50;

/** What a user gives for an entity: a name and a basic summary (S4-ENT-05), and what kind of thing it is. */
export interface EntityText {
  readonly name: string;
  readonly summary: string;
  readonly category?: string | null | undefined;
  readonly facets?: JsonObject | null | undefined;
}

export function checkEntity({ name, summary, category, facets }: EntityText): Problem[] {
  return [
    ...checkText('name', name, NAME_CHARS_MAX),
    ...checkText('summary', summary, DESCRIPTION_CHARS_MAX),
    ...checkCategory(category ?? null),
    ...checkFacets(facets ?? null),
  ];
}

function checkText(field: string, text: string, charsMax: number): Problem[] {
  if (text.trim() === '')
    return [problem('REQUIRED', [field], `An entity needs a ${field} of its own.`)];
  if (text.length <= charsMax) return [];
  return [problem('INVALID', [field], `At most ${charsMax} characters.`)];
}

function checkCategory(category: string | null): Problem[] {
  if (category === null || isCategory(category)) return [];
  const known = ENTITY_CATEGORIES.join(', ');
  return [problem('INVALID', ['category'], `A category is one of ${known}.`)];
}

export function isCategory(text: string): text is EntityCategory {
  return (ENTITY_CATEGORIES as readonly string[]).includes(text);
}

/** S4-ENT-04: every facet is a list of short texts. */
function checkFacets(facets: JsonObject | null): Problem[] {
  if (facets === null) return [];
  const names = Object.keys(facets);
  if (names.length > FACETS_MAX)
    return [problem('INVALID', ['facets'], `At most ${FACETS_MAX} facets.`)];
  return names
    .filter((name) => !isFacetName(name) || !isFacet(facets[name]))
    .map((name) =>
      problem(
        'INVALID',
        ['facets', name],
        `A facet has a name of up to ${NAME_CHARS_MAX} characters and is a list of up to ${FACET_VALUES_MAX} texts as short.`,
      ),
    );
}

const isFacetName = (name: string) => name.trim() !== '' && name.length <= NAME_CHARS_MAX;

export function isFacet(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= FACET_VALUES_MAX &&
    value.every((one) => typeof one === 'string' && one !== '' && one.length <= NAME_CHARS_MAX)
  );
}

/** Graphiti's rule for type labels; anything else would make its library fail at every read of the node. */
const LABEL = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The type of a node among its labels: the first that is neither Graphiti's own nor a marker of its group. */
export function entityTypeOf(labels: readonly string[]): string | null {
  return (
    labels.find(
      (label) => label !== 'Entity' && !label.startsWith('Entity_') && LABEL.test(label),
    ) ?? null
  );
}
