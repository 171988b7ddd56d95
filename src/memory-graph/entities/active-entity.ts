import { type Problem, problem } from '../../common/refusal.ts';
import type { EntityOrigin, Facets } from './entity.ts';

/** Which parts of an active entity working memory shows beside its name. */
export interface Inclusion {
  readonly includeSummary: boolean;
  readonly includeFacets: boolean;
  readonly includeRelationships: boolean;
}

/** An active entity of a conversation (S4-WM-07). */
export interface EntityReference extends Inclusion {
  readonly entityUuid: string;
  readonly name: string;
  readonly category: string | null;
  /** 0 to 1. */
  readonly relevanceScore: number;
  /** `user` before `graphiti` before `enrichment`, among the entity's sources. */
  readonly source: EntityOrigin;
  readonly addedAt: string;
  /** Whether a user made it active. All others become active and inactive by themselves. */
  readonly pinned: boolean;
}

/** An active entity with the content that its flags include. */
export interface ActiveEntity extends EntityReference {
  readonly summary: string;
  readonly facets: Facets | null;
  /** Sentences of the facts that hold now, newest first. */
  readonly facts: readonly string[];
  /** Ids of alternatives of the conversation that mention it, at most MENTIONS_READ. */
  readonly mentionedIn: readonly string[];
}

/** Mentions of an active entity that are read; one with as many is talked of on any path. */
export const MENTIONS_READ = 100;

/**
 * Whether a path talks of an active entity. One that only stale turns mention leaves with their
 * withdrawal, a moment after an edit; the edit is answered before that.
 * @param path ids of the alternatives on the valid path
 */
export function isTalkedOf(
  { pinned, mentionedIn }: Pick<ActiveEntity, 'pinned' | 'mentionedIn'>,
  path: ReadonlySet<string>,
): boolean {
  const { length } = mentionedIn;
  return (
    pinned || length === 0 || length >= MENTIONS_READ || mentionedIn.some((id) => path.has(id))
  );
}

/** Defaults of a new active entity. */
export const ACTIVE_DEFAULTS = {
  relevanceScore: 1,
  includeSummary: true,
  includeFacets: false,
  includeRelationships: false,
} as const;

/** The most active entities of one conversation. */
export const ACTIVE_ENTITIES_MAX = 200;
/** The most facts of one active entity in working memory. */
export const ACTIVE_FACTS_MAX = 20;

/** A relevance is from 0 to 1 (S4-WM-07). */
export function checkRelevance(relevanceScore: number | null | undefined): Problem[] {
  if (relevanceScore == null || (relevanceScore >= 0 && relevanceScore <= 1)) return [];
  return [problem('INVALID', ['relevanceScore'], 'A relevance is a number from 0 to 1.')];
}

/** The prompt text of the active entities, as their flags say; '' where there are none. */
export function activeEntitiesText(entities: readonly ActiveEntity[]): string {
  if (entities.length === 0) return '';
  return ['What is known of what this conversation is about:', ...entities.map(entityText)].join(
    '\n',
  );
}

function entityText(entity: ActiveEntity): string {
  const { name, category, summary, facets, facts } = entity;
  const kind = category === null ? '' : ` (${category})`;
  const lines = [
    entity.includeSummary && summary !== '' ? `- ${name}${kind}: ${summary}` : `- ${name}${kind}`,
  ];
  if (entity.includeFacets) {
    for (const [facet, values] of Object.entries(facets ?? {}))
      lines.push(`  ${facet}: ${values.join(', ')}`);
  }
  if (entity.includeRelationships) for (const fact of facts) lines.push(`  ${fact}`);
  return lines.join('\n');
}
