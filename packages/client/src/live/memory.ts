import {
  ForgetDocument,
  RememberDocument,
  type SearchKind,
  SearchMemoryDocument,
  type SearchMemoryQuery,
} from '../generated/documents.ts';
import type { Client } from './client.ts';

/** A problem with the input, as the API returns it. */
export interface UserFault {
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
}

/** The API refused the input; nothing was written. */
export class MemoryRefused extends Error {
  override readonly name = 'MemoryRefused';
  readonly problems: readonly UserFault[];

  constructor(problems: readonly UserFault[]) {
    super(problems.map(({ message }) => message).join(' '));
    this.problems = problems;
  }
}

/** A hit of a search. */
export interface Memory {
  /** For `forget` where the kind is FACT, STATEMENT or ENTITY. */
  readonly id: string;
  readonly kind: SearchKind;
  readonly text: string;
  /** When a fact began to hold, or a text was said; RFC 3339. Null: not known. */
  readonly at: string | null;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
  /** Why it was found, as a sentence; may be empty. */
  readonly why: string;
}

/** What the memory answers to a query. */
export interface MemoryAnswer {
  /** Whether anything known answers the query; `hits` is empty where nothing does. */
  readonly answerable: boolean;
  /** Why it does or does not, in words. */
  readonly reason: string;
  /** Best first. */
  readonly hits: readonly Memory[];
}

/** A user's memory, for programs that need no more of Aiden. */
export interface MemoryClient {
  /**
   * Remembers what the user said, in the user's words. `search` finds it within seconds.
   * @param options `saidAt`: RFC 3339, default now. `source`: name of the program, default
   * `memory`. `idempotencyKey`: a repeated call adds nothing
   * @throws MemoryRefused, RequestFailed
   */
  add(
    text: string,
    options?: {
      readonly saidAt?: string;
      readonly source?: string;
      readonly idempotencyKey?: string;
    },
  ): Promise<{ readonly turnId: string; readonly conversationId: string }>;
  /**
   * What answers the query, or that nothing does.
   * @param options `limit`: default 10. `kinds`: default all
   * @throws RequestFailed
   */
  search(
    query: string,
    options?: { readonly limit?: number; readonly kinds?: readonly SearchKind[] },
  ): Promise<MemoryAnswer>;
  /** Deletes a fact, a statement, or an entity with both. @throws MemoryRefused, RequestFailed */
  forget(id: string): Promise<void>;
}

/** @example `const memory = memoryOf(openClient({ url, token }));` */
export function memoryOf({ request }: Pick<Client, 'request'>): MemoryClient {
  return {
    async add(text, options = {}) {
      const { remember } = await request(RememberDocument, { input: { text, ...options } });
      const { turn, userErrors } = remember;
      if (turn === null) throw new MemoryRefused(userErrors);
      return { turnId: turn.id, conversationId: turn.conversation.id };
    },
    async search(query, options = {}) {
      const input = { query, ...options };
      const { searchMemory } = await request(SearchMemoryDocument, { input });
      const { answerable, reason, hits } = searchMemory;
      return { answerable, reason, hits: hits.flatMap((hit) => memoryIn(hit) ?? []) };
    },
    async forget(id) {
      const { forget } = await request(ForgetDocument, { input: { uuid: id } });
      if (forget.forgotten === null) throw new MemoryRefused(forget.userErrors);
    },
  };
}

type Hit = SearchMemoryQuery['searchMemory']['hits'][number];

/** Null for a kind that this version of the client does not know. */
function memoryIn({ kind, score, why, ...found }: Hit): Memory | null {
  const { entity, fact, statement, episode, tocNode, event } = found;
  const common = { kind, score, why };
  if (fact) return { ...common, id: fact.uuid, text: fact.fact, at: fact.validAt };
  if (statement)
    return { ...common, id: statement.uuid, text: statement.text, at: statement.saidAt };
  if (entity) {
    const { uuid, name, summary } = entity;
    return { ...common, id: uuid, text: summary === '' ? name : `${name}: ${summary}`, at: null };
  }
  if (episode) return { ...common, id: episode.uuid, text: episode.content, at: episode.validAt };
  if (tocNode) {
    const lines = tocNode.bullets.map(({ text }) => text);
    const text = [tocNode.title, ...lines].join('\n');
    return { ...common, id: tocNode.nodeId, text, at: tocNode.startsAt };
  }
  if (event) return { ...common, id: event.eventId, text: event.text, at: event.occurredAt };
  return null;
}
