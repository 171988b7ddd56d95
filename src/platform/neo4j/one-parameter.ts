/** Texts, names, comments, schema options or a parameter; the first match decides. */
const TOKEN =
  /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:``|[^`])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\bOPTIONS\s+\$\w+|\$(\w+)/g;
const known = new Map<string, string>();
const KNOWN_MAX = 5_000;

/**
 * Moves all parameters into one map, `$p`: `$id` becomes `$p.id`. Neo4j caches a plan per statement
 * and parameter types. Null, an empty list, and each order of magnitude of a length are different
 * types, so a statement would be planned again and again, up to a second each. A map has one type.
 */
export function inOneParameter(cypher: string): string {
  const made = known.get(cypher);
  if (made !== undefined) return made;
  const rewritten = cypher.replace(TOKEN, (token, name: string | undefined) =>
    name === undefined ? token : `$p.${name}`,
  );
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(cypher, rewritten);
  return rewritten;
}
