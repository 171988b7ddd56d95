/**
 * The `$names` a Cypher statement takes, each once, in order of first use. A dollar in a string, a quoted name or a
 * comment is text. Knows Cypher's tokens, not its grammar: the database judges the rest.
 */
export function cypherParameters(query: string): string[] {
  const names = new Set<string>();
  // Tokens in which a dollar means nothing come first; the sticky expression eats them whole. Without back-references or
  // nested repeats, so its time is linear.
  const token =
    /'(?:[^'\\]|\\[\s\S])*(?:'|$)|"(?:[^"\\]|\\[\s\S])*(?:"|$)|\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|\$`((?:[^`]|``)*)`|`(?:[^`]|``)*(?:`|$)|\$([\p{L}\p{N}\p{Pc}]+)/gu;
  for (const [, quoted, plain] of query.matchAll(token)) {
    const name = quoted === undefined ? plain : quoted.replaceAll('``', '`');
    if (name !== undefined) names.add(name);
  }
  return [...names];
}
