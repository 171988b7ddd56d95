import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { HttpRefused } from './answer.ts';
import {
  type Documents,
  NOT_FOUND,
  namedDocument,
  sha256,
  textOf,
  withText,
} from './persisted-queries.ts';

/** One document that callers may run, by the id of its manifest. */
export interface TrustedDocument {
  readonly id: string;
  readonly text: string;
}

// Texts that were compared once; each of them is a trusted document in a client's formatting.
const TEXTS_KEPT_MAX = 2_000;

/**
 * Only these documents run; all others are FORBIDDEN. A request names one by its id, or sends its
 * text. Formatting, the order of definitions and an added `__typename` make no difference.
 * @throws Error if a document has a syntax error
 */
export function openTrustedDocuments(
  documents: readonly TrustedDocument[],
  limits: { readonly tokensMax: number },
): Documents {
  const byId = new Map(documents.map(({ id, text }) => [id, text]));
  const trusted = new Set(documents.map(({ text }) => sha256(canonicalText(parse(text)))));
  const seen = new LRUCache<string, boolean>({ max: TEXTS_KEPT_MAX });

  const isTrusted = (text: string) => {
    const hash = sha256(text);
    if (seen.has(hash)) return true;
    const is = trusted.has(sha256(canonicalOf(text, limits.tokensMax) ?? ''));
    if (is) seen.set(hash, true);
    return is;
  };
  return {
    resolve(params) {
      const id = namedDocument(params);
      const text = textOf(params) ?? (id === null ? null : (byId.get(id) ?? null));
      if (text === null) {
        if (id !== null) throw new HttpRefused(NOT_FOUND);
        return params;
      }
      if (!isTrusted(text)) throw new HttpRefused(NOT_TRUSTED);
      return withText(params, text);
    },
  };
}

/** Null if the text is no document. */
function canonicalOf(text: string, tokensMax: number): string | null {
  try {
    return canonicalText(parse(text, { maxTokens: tokensMax, noLocation: true }));
  } catch {
    return null;
  }
}

/** Equal for documents that differ in formatting, order of definitions or `__typename` only. */
function canonicalText(document: DocumentNode): string {
  const plain = visit(document, {
    Field: (field) =>
      field.name.value === '__typename' && field.alias === undefined ? null : undefined,
  });
  return plain.definitions.map(print).sort().join('\n\n');
}

/**
 * Each operation of these texts as a document of its own, with the fragments that it uses.
 * Fragments may stand in another text. The id is the SHA-256 of the printed document.
 * @throws Error if a text has a syntax error, a fragment is missing, or two fragments share a name
 */
export function documentsOf(texts: readonly string[]): TrustedDocument[] {
  const definitions = texts.flatMap((text) => parse(text, { noLocation: true }).definitions);
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions.filter(isFragment)) {
    const { value: name } = definition.name;
    if (fragments.has(name)) throw new Error(`Two fragments are called ${name}.`);
    fragments.set(name, definition);
  }
  return definitions.filter(isOperation).map((operation) => {
    const used = fragmentsUsed(operation, fragments);
    const text = print({ kind: Kind.DOCUMENT, definitions: [operation, ...used] });
    return { id: sha256(text), text };
  });
}

const isFragment = (node: DefinitionNode) => node.kind === Kind.FRAGMENT_DEFINITION;
const isOperation = (node: DefinitionNode) => node.kind === Kind.OPERATION_DEFINITION;

function fragmentsUsed(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): FragmentDefinitionNode[] {
  const used = new Map<string, FragmentDefinitionNode>();
  const waiting: DefinitionNode[] = [operation];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop())
    visit(node, {
      FragmentSpread({ name: { value: name } }) {
        const fragment = fragments.get(name);
        if (fragment === undefined) throw new Error(`There is no fragment ${name}.`);
        if (used.has(name)) return;
        used.set(name, fragment);
        waiting.push(fragment);
      },
    });
  return [...used.values()];
}

const NOT_TRUSTED = {
  status: 403,
  code: 'FORBIDDEN',
  message:
    'This server runs trusted documents only (AIDEN_TRUSTED_DOCUMENTS); this is none of them.',
} as const;
