import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isJsonObject } from '../../common/json.ts';
import { HttpRefused } from './answer.ts';
import type { GraphqlParams } from './body.ts';

/** Decides which text a request runs. It may name a document by its hash instead of sending it. */
export interface Documents {
  /**
   * The same params with the document's text in `query`.
   * @throws HttpRefused
   */
  resolve(params: GraphqlParams): GraphqlParams;
}

// The cache is keyed by hash; its size is counted in characters.
const CACHED_CHARS_MAX = 4_000_000;

/**
 * Automatic persisted queries, as Apollo Client, urql and others send them: first only the hash;
 * if this process does not know it, the client sends hash and text once. The cache is of this
 * process and bounded, so clients have to expect PERSISTED_QUERY_NOT_FOUND at any time.
 */
export function openPersistedQueries(): Documents {
  const known = new LRUCache<string, string>({
    maxSize: CACHED_CHARS_MAX,
    sizeCalculation: (text) => text.length + 64,
  });
  return {
    resolve(params) {
      // Some libraries write hexadecimal digits in upper case.
      const hash = namedDocument(params)?.toLowerCase() ?? null;
      if (hash === null) return params;
      const query = textOf(params);
      if (query === null) {
        const text = known.get(hash);
        if (text === undefined) throw new HttpRefused(NOT_FOUND);
        return withText(params, text);
      }
      if (sha256(query) !== hash) throw new HttpRefused(WRONG_HASH);
      known.set(hash, query);
      return withText(params, query);
    },
  };
}

/** The params for the executor. `documentId` is no parameter of GraphQL over HTTP itself. */
export function withText(params: GraphqlParams, query: string): GraphqlParams {
  const { documentId: _named, ...rest } = params;
  return { ...rest, query };
}

/** The document's text; null if there is none. graphql-ws asks for a text, so '' counts as none. */
export function textOf({ query }: GraphqlParams): string | null {
  return typeof query === 'string' && query !== '' ? query : null;
}

/**
 * The hash or id of the document, without the prefix `sha256:`; null if the request names none.
 * Read from `extensions.persistedQuery.sha256Hash`, else from `documentId`.
 * @throws HttpRefused if it is no text, or of another version of the protocol
 */
export function namedDocument({ extensions, documentId }: GraphqlParams): string | null {
  const persisted = isJsonObject(extensions) ? extensions['persistedQuery'] : undefined;
  if (persisted == null && documentId == null) return null;
  if (persisted != null && !(isJsonObject(persisted) && persisted['version'] === 1))
    throw new HttpRefused(WRONG_VERSION);
  const name = isJsonObject(persisted) ? persisted['sha256Hash'] : documentId;
  if (typeof name !== 'string' || name === '') throw new HttpRefused(WRONG_VERSION);
  return name.replace(/^sha256:/, '');
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

// Clients compare this message and code, and the status: they disable the feature after an error.
export const NOT_FOUND = {
  status: 200,
  code: 'PERSISTED_QUERY_NOT_FOUND',
  message: 'PersistedQueryNotFound',
} as const;

const WRONG_HASH = {
  status: 400,
  code: 'BAD_USER_INPUT',
  message: 'extensions.persistedQuery.sha256Hash is not the SHA-256 of query, in hexadecimal.',
} as const;

const WRONG_VERSION = {
  status: 400,
  code: 'BAD_USER_INPUT',
  message: 'extensions.persistedQuery is {"version": 1, "sha256Hash": "…"}; documentId is a text.',
} as const;
