import { problem } from '../../common/refusal.ts';
import { readYaml } from '../../platform/yaml/read-yaml.ts';
import { checkBundleSize, type ParsedBundle, parseBundle } from './bundle.ts';

/**
 * Reads a bundle from its YAML text. Reports all problems at once, with paths that start at
 * `document`. See parseBundle.
 */
export async function readBundle(
  document: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<ParsedBundle> {
  const tooLarge = checkBundleSize(document);
  if (tooLarge.length > 0) return { bundle: null, problems: tooLarge };
  const yaml = await readYaml(document);
  if ('value' in yaml) return parseBundle(yaml.value, variables);
  const problems = yaml.faults.map((fault) => problem('INVALID', ['document'], fault));
  return { bundle: null, problems };
}
