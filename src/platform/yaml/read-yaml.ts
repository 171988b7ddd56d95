import { Worker } from 'node:worker_threads';
import { type ParsedYaml, parseYaml } from './parse-yaml.ts';

const THREAD = new URL('./yaml-thread.ts', import.meta.url);
const READ_MS_MAX = 20_000;
const HEAP_MB_MAX = 512;
/** Shorter text is parsed in place, within a few ms; starting a thread would take longer. */
const IN_PLACE_CHARS_MAX = 2_000;

/**
 * Like parseYaml, in a thread that is ended when it takes too long. The process keeps answering
 * meanwhile.
 */
export async function readYaml(text: string): Promise<ParsedYaml> {
  if (text.length <= IN_PLACE_CHARS_MAX) return parseYaml(text);
  const thread = new Worker(THREAD, {
    workerData: text,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<ParsedYaml>((resolve) => {
      const fail = (fault: string) => resolve({ faults: [fault] });
      timer = setTimeout(
        () => fail(`It took more than ${READ_MS_MAX / 1_000} s to read.`),
        READ_MS_MAX,
      );
      thread.once('message', (answer: string) => resolve(JSON.parse(answer) as ParsedYaml));
      thread.once('error', () => fail('It needs too much memory to read.'));
      thread.once('exit', () => fail('It could not be read.'));
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
