/** Texts, names, comments, schema options, or a parameter; what comes first is what it is. */
const TOKEN =
  /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:``|[^`])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\bOPTIONS\s+\$\w+|\$(\w+)/g;
const known = new Map<string, string>();
const KNOWN_MAX = 5_000;

/**
 * A statement whose parameters are all members of one, `$p`: `$id` becomes `$p.id`. Neo4j keeps a plan per statement and types of its
 * parameters, where null is a type, an empty list is one, and every order of length of a text or list is another; so the same
 * statement would be planned again and again, at up to a second each. Of a map it knows no more than that it is one.
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
