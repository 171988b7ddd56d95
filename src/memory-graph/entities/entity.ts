import { z } from 'zod';
import type { JsonObject } from '../../common/json.ts';
import { DESCRIPTION_CHARS_MAX, NAME_CHARS_MAX } from '../../common/limits.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { jsonText, numberOrNull, textOrNull } from '../../common/stored.ts';

/** Categories (S4-ENT-04). Each is a label beside `Entity`, as Graphiti writes types. */
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

/** An origin of an entity (S4-ENT-03). Merges move sources; they are never deleted. */
export const EntitySource = z.object({
  type: z.enum(ENTITY_ORIGINS),
  createdAt: z.string(),
  /** Id of the user; null where a model created the source. */
  createdBy: textOrNull,
  /** Uuid of the Episode that mentioned it; of an enrichment, the run's id. */
  episodeId: textOrNull,
  /** The entity's name in this source, before any merge. */
  originalName: textOrNull,
  /** The model's confidence, 0 to 1. */
  confidence: numberOrNull,
});
export type EntitySource = z.infer<typeof EntitySource>;

/** Values by facet name, such as domain, status or sentiment. */
export type Facets = Readonly<Record<string, readonly string[]>>;

export const EntityTyping = z.object({
  category: z.enum(ENTITY_CATEGORIES),
  confidence: z.object({ category: z.number(), facets: z.record(z.string(), z.number()) }),
  inferredBy: z.enum(['graphiti', 'enrichment_process', 'user']),
});
export type EntityTyping = z.infer<typeof EntityTyping>;

/**
 * A person, place, idea or other thing mentioned in conversations (S4-ENT-01, S4-ENT-02):
 * Graphiti's node with our profile.
 */
export interface Entity {
  readonly uuid: string;
  readonly name: string;
  /** One of ENTITY_CATEGORIES, or another label that Graphiti's library wrote. */
  readonly entityType: string | null;
  /** The facts that hold, after the text that a user or an enrichment wrote. */
  readonly summary: string;
  /** The text that a user or an enrichment wrote; null where there is none. */
  readonly written: string | null;
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
  /** Uuids of entities merged into this one; `findEntities` still accepts them. */
  readonly mergedFrom: readonly string[];
}

/** Facets and typing as stored: JSON text. */
export const FacetsText = jsonText(z.record(z.string(), z.array(z.string())));
export const TypingText = jsonText(EntityTyping);

/** Of a summary that the product writes. */
export const SUMMARY_CHARS_MAX = 1_000;
const FACETS_MAX = 50;
const FACET_VALUES_MAX = 50;

/** The fields of an entity that a user enters (S4-ENT-05). */
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
        `A facet has a name of up to ${NAME_CHARS_MAX} characters and is a list of up to ` +
          `${FACET_VALUES_MAX} texts as short.`,
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

/** Graphiti's rule for type labels. Its library fails to read a node with any other label. */
const LABEL = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The first label that is neither `Entity` nor a marker of the node's group. */
export function entityTypeOf(labels: readonly string[]): string | null {
  return (
    labels.find(
      (label) => label !== 'Entity' && !label.startsWith('Entity_') && LABEL.test(label),
    ) ?? null
  );
}
