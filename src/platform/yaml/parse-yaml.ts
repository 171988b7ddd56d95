import { isMap, isScalar, parseDocument, visit } from 'yaml';
import type { Json } from '../../common/json.ts';
import { JSON_DEPTH_MAX } from '../../common/limits.ts';

export type ParsedYaml = { readonly value: Json } | { readonly faults: readonly string[] };

/** Each alias repeats what it stands for, so a few of them could fill the machine. */
const ALIASES_MAX = 100;
const FAULTS_MAX = 20;

/**
 * Reads one YAML document as plain JSON: no tags of its own, no merge keys, few aliases, no key twice, at most JSON_DEPTH_MAX levels.
 * Takes about a second per megabyte and more for what is built to be slow, so users' texts go through `readYaml`.
 */
export function parseYaml(text: string): ParsedYaml {
  // The library compares every key with every other to find repeated ones; `repeatedKeys` does not.
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

/** Goes down first, so it also ends where an alias leads back into itself. */
function nestsDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((inner) => nestsDeeperThan(inner, depth - 1));
}
