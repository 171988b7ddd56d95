const known = new Set<string>();

/**
 * A whole statement as the product sends it: its first comment is its name. All of them are known
 * when the modules are loaded, so that they can be planned before they are needed
 * (docs/decisions/0115). Parts of statements are plain texts marked with cypher in a comment.
 */
export function cypher(texts: TemplateStringsArray, ...parts: readonly unknown[]): string {
  const text = texts.reduce((made, next, index) => `${made}${String(parts[index - 1])}${next}`);
  known.add(text);
  return text;
}

/** All statements of the loaded modules, in the order of loading. */
export function knownStatements(): readonly string[] {
  return [...known];
}

/** Whether a text is a whole statement of the product, and no query of a user. */
export function isKnown(text: string): boolean {
  return known.has(text);
}

/** Name of a statement: its first comment. */
export function nameOf(statement: string): string {
  return /\/\/\s*(\S+)/.exec(statement)?.[1] ?? 'unnamed';
}
