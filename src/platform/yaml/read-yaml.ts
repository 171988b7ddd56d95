import { ConfinedProcess } from '../confined/confined-process.ts';
import { type ParsedYaml, parseYaml, placesInYaml, type TextPlace } from './parse-yaml.ts';

const READ_MS_MAX = 20_000;
const CONFINEMENT = {
  entry: new URL('./yaml-process.ts', import.meta.url),
  heapMb: 512,
  workMs: READ_MS_MAX,
  // Escapes and aliases make the JSON longer than the text.
  answerBytesMax: 64 * 1024 * 1024,
};
/** Shorter text is parsed in place, within a few ms; starting a process would take longer. */
const IN_PLACE_CHARS_MAX = 2_000;

const ENDED = {
  time: `It took more than ${READ_MS_MAX / 1_000} s to read.`,
  memory: 'It needs too much memory to read.',
  lost: 'It could not be read.',
} as const;

/**
 * Like parseYaml, in a process of its own that is ended when it takes too long or too much memory
 * (docs/decisions/0033). This process keeps answering meanwhile.
 */
export async function readYaml(text: string): Promise<ParsedYaml> {
  if (text.length <= IN_PLACE_CHARS_MAX) return parseYaml(text);
  const reader = new ConfinedProcess(CONFINEMENT);
  try {
    const outcome = await reader.perform('', text);
    if ('ended' in outcome) return { faults: [ENDED[outcome.ended]] };
    return JSON.parse(outcome.answer.text) as ParsedYaml;
  } finally {
    await reader.close();
  }
}

/**
 * Like placesInYaml, in a process of its own as readYaml. All null where the text takes too long.
 */
export async function locateInYaml(
  text: string,
  paths: readonly (readonly string[])[],
): Promise<readonly (TextPlace | null)[]> {
  if (text.length <= IN_PLACE_CHARS_MAX) return placesInYaml(text, paths);
  const reader = new ConfinedProcess(CONFINEMENT);
  try {
    const outcome = await reader.perform(JSON.stringify(paths), text);
    if ('ended' in outcome) return paths.map(() => null);
    return JSON.parse(outcome.answer.text) as (TextPlace | null)[];
  } finally {
    await reader.close();
  }
}
