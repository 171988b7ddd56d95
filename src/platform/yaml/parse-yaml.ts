import { isMap, isScalar, parseDocument, visit } from 'yaml';
import type { Json } from '../../common/json.ts';
import { JSON_DEPTH_MAX } from '../../common/limits.ts';

export type ParsedYaml = { readonly value: Json } | { readonly faults: readonly string[] };

/** Aliases repeat content, so a few of them could exhaust the memory. */
const ALIASES_MAX = 100;
const FAULTS_MAX = 20;

/**
 * Parses one YAML document as plain JSON: no custom tags, no merge keys, at most ALIASES_MAX
 * aliases, no repeated keys, at most JSON_DEPTH_MAX levels. It takes about a second per megabyte,
 * and longer for malicious text, so text of users goes through `readYaml`.
 */
export function parseYaml(text: string): ParsedYaml {
  // The library compares all pairs of keys to find repeated ones; `repeatedKeys` does not.
  const yaml = parseDocument(text, {
    schema: 'core',
    merge: false,
    uniqueKeys: false,
    customTags: [],
    prettyErrors: true,
  });
  const faults = [...yaml.errors, ...yaml.warnings].map(
    ({ message }) => message.split('\n')[0] ?? message,
  );
  if (faults.length > 0) return { faults: faults.slice(0, FAULTS_MAX) };
  try {
    let aliases = 0;
    const repeated: string[] = [];
    visit(yaml, {
      Alias: () => void aliases++,
      Map: (_key, node) => void repeated.push(...repeatedKeys(node)),
    });
    if (aliases > ALIASES_MAX) return { faults: [`At most ${ALIASES_MAX} aliases are read.`] };
    if (repeated.length > 0) return { faults: repeated.slice(0, FAULTS_MAX) };
    const value: unknown = yaml.toJS({ maxAliasCount: ALIASES_MAX });
    if (nestsDeeperThan(value, JSON_DEPTH_MAX))
      return { faults: [`At most ${JSON_DEPTH_MAX} levels are read.`] };
    return { value: (value ?? null) as Json };
  } catch (error) {
    return { faults: [error instanceof Error ? error.message : String(error)] };
  }
}

function repeatedKeys(node: unknown): string[] {
  if (!isMap(node)) return [];
  const seen = new Set<string>();
  const repeated: string[] = [];
  for (const { key } of node.items) {
    const name = String(isScalar(key) ? key.value : key);
    if (seen.has(name)) repeated.push(`The key "${name.slice(0, 100)}" stands there twice.`);
    seen.add(name);
  }
  return repeated;
}

/** Descends depth first, so that it also ends when an alias refers to its own parent. */
function nestsDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((inner) => nestsDeeperThan(inner, depth - 1));
}
