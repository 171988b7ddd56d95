import { countTokens } from '../common/token-budget.ts';
import {
  type ActiveEntity,
  activeEntitiesText,
  type EntityReference,
} from '../memory-graph/entities/active-entity.ts';
import {
  type ContextMessage,
  contextItems,
  type PathRow,
  sumTokens,
  validPart,
} from './context.ts';
import { type Note, notesText } from './introspections/introspection.ts';
import { type RecalledMemory, recalledText } from './recall/recall.ts';
import type { SummaryRecord } from './summaries/summary.ts';

export interface PathEntry {
  readonly turnId: string;
  readonly alternativeId: string;
  /** Null until the content is bound to an Episode. */
  readonly episodeId: string | null;
}
export interface TokenBreakdown {
  readonly immediatePath: number;
  readonly summaries: number;
  readonly activeEntities: number;
  readonly introspection: number;
  readonly recalled: number;
}

/**
 * The view a model gets of a conversation at one of its turns (S4-WM-01). Not stored (S4-WM-02).
 */
export interface WorkingMemory {
  readonly conversationId: string;
  readonly currentTurnId: string | null;
  readonly currentAlternativeId: string | null;
  readonly immediatePath: readonly PathEntry[];
  readonly summaries: readonly string[];
  /** The most relevant first. */
  readonly activeEntities: readonly EntityReference[];
  readonly introspectionContext: readonly string[];
  /** What the message being answered calls for, best first. */
  readonly recalled: readonly RecalledMemory[];
  /** Why nothing is recalled; null where memories are. */
  readonly recallReason: string | null;
  readonly totalTokens: number;
  readonly tokenBreakdown: TokenBreakdown;
  readonly lastUpdated: string;
  readonly excludedStale: readonly PathEntry[];
  readonly messages: readonly ContextMessage[];
}

/** The stored data that working memory is computed from. */
export interface WorkingMemorySources {
  readonly conversation: { readonly id: string; readonly updatedAt: string };
  /** Root first. */
  readonly path: readonly PathRow[];
  readonly active?: readonly ActiveEntity[];
  /** All Summaries of the conversation, on all branches. */
  readonly summaries?: readonly SummaryRecord[];
  /** The owner's carousel, by position. */
  readonly notes?: readonly Note[];
  readonly recalled?: readonly RecalledMemory[];
  readonly recallReason?: string | null;
}

/**
 * Computes working memory. The messages are the owner's notes, the active entities and the
 * recalled memories, each as one system message, then the valid part of the path
 * (`contextItems`). Stale alternatives are listed in `excludedStale`. Alternatives that are
 * generated or did not complete are left out. The parts of `tokenBreakdown` sum up to
 * `totalTokens` (S4-WM-05).
 */
export function workingMemoryOf(sources: WorkingMemorySources): WorkingMemory {
  const { conversation, path, active = [], summaries = [], notes = [], recalled = [] } = sources;
  const items = contextItems(path, summaries);
  const turns = items.filter(({ kind }) => kind === 'turn');
  const systemMessages = [notesText(notes), activeEntitiesText(active), recalledText(recalled)].map(
    toSystemMessage,
  );
  const [notesMessage, entitiesMessage, recalledMessage] = systemMessages;
  const tokenBreakdown: TokenBreakdown = {
    immediatePath: sumTokens(turns),
    summaries: sumTokens(items) - sumTokens(turns),
    activeEntities: entitiesMessage?.tokens ?? 0,
    introspection: notesMessage?.tokens ?? 0,
    recalled: recalledMessage?.tokens ?? 0,
  };
  const current = validPart(path).at(-1);
  return {
    conversationId: conversation.id,
    currentTurnId: current?.turnId ?? null,
    currentAlternativeId: current?.alternativeId ?? null,
    immediatePath: turns.map(({ upTo }) => toEntry(upTo)),
    summaries: items.flatMap((item) => (item.kind === 'summary' ? [item.summary.id] : [])),
    activeEntities: active.map(toReference),
    recalled,
    recallReason: sources.recallReason ?? null,
    introspectionContext: notes.map(({ episodeUuid }) => episodeUuid),
    totalTokens: Object.values(tokenBreakdown).reduce((sum, part) => sum + part, 0),
    tokenBreakdown,
    lastUpdated: conversation.updatedAt,
    excludedStale: path.filter(({ isStale }) => isStale).map(toEntry),
    messages: [...systemMessages.filter((one) => one !== null), ...items.map(toMessage)],
  };
}

const toSystemMessage = (content: string): ContextMessage | null =>
  content === '' ? null : { role: 'system', content, tokens: countTokens(content) };

const toMessage = ({ role, content, parts, tokens }: ContextMessage): ContextMessage =>
  parts == null ? { role, content, tokens } : { role, content, parts, tokens };

function toEntry({ turnId, alternativeId, episodeId }: PathRow): PathEntry {
  return { turnId, alternativeId, episodeId };
}

function toReference(entity: ActiveEntity): EntityReference {
  const { summary: _, facets: __, facts: ___, mentionedIn: ____, ...reference } = entity;
  return reference;
}
