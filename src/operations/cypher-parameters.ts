/**
 * The `$names` of a Cypher statement's parameters, each once, in order of first use. Ignores a
 * dollar in a string, a quoted name or a comment.
 * Reads Cypher's tokens, not its grammar; the database checks the rest.
 */
export function cypherParameters(query: string): string[] {
  const names = new Set<string>();
  // Tokens that may contain a dollar as text come first, so the expression consumes them whole. It
  // has no back-references and no nested repeats, so its time is linear.
  const token =
    /'(?:[^'\\]|\\[\s\S])*(?:'|$)|"(?:[^"\\]|\\[\s\S])*(?:"|$)|\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|\$`((?:[^`]|``)*)`|`(?:[^`]|``)*(?:`|$)|\$([\p{L}\p{N}\p{Pc}]+)/gu;
  for (const [, quoted, plain] of query.matchAll(token)) {
    const name = quoted === undefined ? plain : quoted.replaceAll('``', '`');
    if (name !== undefined) names.add(name);
  }
  return [...names];
}
