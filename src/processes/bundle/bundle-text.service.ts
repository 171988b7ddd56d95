import { type Problem, problem } from '../../common/refusal.ts';
import { locateInYaml, readYaml } from '../../platform/yaml/read-yaml.ts';
import { checkBundleSize, nothing, type ParsedBundle, parseBundle } from './bundle.ts';

/**
 * Reads a bundle from its YAML text. Reports all problems at once, with paths that start at
 * `document`. See parseBundle.
 */
export async function readBundle(
  document: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<ParsedBundle> {
  const tooLarge = checkBundleSize(document);
  if (tooLarge.length > 0) return nothing(tooLarge);
  const yaml = await readYaml(document);
  if ('value' in yaml) return parseBundle(yaml.value, variables);
  return nothing(yaml.faults.map((fault) => problem('INVALID', ['document'], fault)));
}

/** Adds line and column to the message of each problem whose path leads into the document. */
export async function withLines(
  document: string,
  problems: readonly Problem[],
): Promise<Problem[]> {
  const inside = problems.map(({ path }) => (path[0] === 'document' ? path.slice(1) : []));
  if (inside.every((path) => path.length === 0)) return [...problems];
  const places = await locateInYaml(document, inside);
  return problems.map((found, index) => {
    const place = inside[index]?.length === 0 ? null : (places[index] ?? null);
    if (place === null) return found;
    const { line, column } = place;
    return { ...found, message: `Line ${line}, column ${column}: ${found.message}` };
  });
}
