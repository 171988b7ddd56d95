/** A path of a document, with the parts of it that belong to no path. */
export interface PathKey {
  /** The path itself, with variables as `{name}`. */
  readonly way: string;
  /** The pairs of a query that is written into the path. */
  readonly pairs: readonly QueryPair[];
  /** Names of `{?a,b}`: parameters of the query. */
  readonly queryNames: readonly string[];
  /** The text after a `#`; null without one. */
  readonly fragment: string | null;
}

export interface QueryPair {
  readonly key: string;
  /** The variable that is the whole value; null for another value. */
  readonly variable: string | null;
  readonly text: string;
}

/**
 * Reads a path of a document. OpenAPI allows neither query nor fragment in it, and documents have
 * both: a fragment tells operations with one address apart and is never sent.
 */
export function readPathKey(path: string): PathKey {
  const [, whole = path, fragment = null] = /^(.*?)(?:\{#|#(?![^{}]*\}))(.*)$/s.exec(path) ?? [];
  const queryNames: string[] = [];
  const plain = whole.replace(/\{[?&]([^{}]*)\}/g, (_all, names: string) => {
    queryNames.push(...names.split(',').map((name) => plainName(name.trim())));
    return '';
  });
  const [, way = plain, query = ''] = /^(.*?)\?(?![^{}]*\})(.*)$/s.exec(plain) ?? [];
  const pairs = query.split('&').flatMap((text): QueryPair[] => {
    if (text === '') return [];
    const [, key = text, value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    const [, name] = /^\{([^{}]+)\}$/.exec(value) ?? [];
    return [{ key, variable: name === undefined ? null : plainName(name), text }];
  });
  return { way, pairs, queryNames: queryNames.filter((name) => name !== ''), fragment };
}

/** `{+path}`, `{path*}` and `{path}` name the same. */
export function plainName(name = ''): string {
  return name.replace(/^[+#./;?&]/, '').replace(/(\*|:\d+)$/, '');
}
