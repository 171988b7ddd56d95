import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureStack } from '../../src/host/ensure.ts';
import { freePort } from '../../src/host/ports.ts';
import { calls, toolResultsIn, toolsIn } from './agents.ts';
import { spawnAiden } from './aiden.ts';
import { type LlmRequest, openScriptedLlm, type ScriptedReply } from './scripted-llm.ts';
import { start } from './started.ts';

/**
 * `node test/testkit/agent-transcript.ts`: talks to the shipped Process `assistant` of an
 * installation of its own, with a model that is scripted and calls tools, and writes
 * docs/agents-transcript.md.
 */
const PAGE = new URL('../../docs/agents-transcript.md', import.meta.url);

const TALKS = [
  [
    ['I moved from Oslo to Bergen in March. Please remember that.', 'y'],
    ['And remember that I owe Nora 50 kroner.', 'no, that is between her and me'],
  ],
  [['Where do I live, and how do you know?'], ['What day is it here?']],
] as const;

interface Found {
  readonly found: {
    readonly kind: string;
    readonly fact?: string;
    readonly evidence?: { readonly text: string; readonly saidAt: string }[];
  }[];
}

function answers(request: LlmRequest): ScriptedReply {
  // The product's own questions of the memory.
  if (toolsIn(request).length === 0) return { text: '{"entities": [], "facts": []}' };
  const said = request.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const [result] = toolResultsIn(request);
  if (said.includes('Bergen')) {
    const fact = { subject: 'user', relation: 'lives in', object: 'Bergen', since: '2026-03-01' };
    return result === undefined
      ? calls(['remember', { statement: 'Ada lives in Bergen.', ...fact }])
      : { text: ['Noted: you ', 'live in Bergen ', 'since March.'] };
  }
  if (said.includes('50 kroner'))
    return result === undefined
      ? calls(['remember', { statement: 'Ada owes Nora 50 kroner.' }])
      : { text: 'All right, I keep no note of that.' };
  if (said.includes('Where'))
    return result === undefined
      ? calls(['search_memory', { query: 'Where does Ada live?', kinds: ['fact'], limit: 3 }])
      : { text: whereFrom(JSON.parse(result)) };
  if (result === undefined) return calls(['now', { timeZone: 'Europe/Oslo' }]);
  const { weekday, local } = JSON.parse(result);
  return { text: `It is ${weekday}, ${String(local).slice(0, 10)}.` };
}

function whereFrom({ found }: Found): string {
  const [hit] = found;
  const [proof] = hit?.evidence ?? [];
  if (hit?.fact === undefined || proof === undefined) return 'I do not know.';
  return `${hit.fact} You told me on ${proof.saidAt.slice(0, 10)}: "${proof.text}"`;
}

/** One session of `aiden chat`, as a terminal would show it. */
async function talk(url: string, turns: readonly (readonly string[])[]): Promise<string> {
  const input = { url, env: { NO_COLOR: '1' } };
  const child = spawnAiden('Ada', ['chat', '--process', 'assistant'], input);
  let shown = '$ aiden chat --process assistant\n';
  let fresh = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      shown += String(chunk);
      fresh += String(chunk);
    });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const types = (line: string) => {
    shown += `> ${line}\n`;
    fresh = '';
    child.stdin.write(`${line}\n`);
  };
  const sees = async (pattern: RegExp) => {
    while (!pattern.test(fresh)) await sleep(50);
    // The sources of an answer follow it, once they are read.
    for (let before = ''; before !== fresh; ) {
      before = fresh;
      await sleep(15_000);
    }
  };
  for (const [message = '', decision] of turns) {
    types(message);
    if (decision !== undefined) {
      await sees(/or the reason why not\n/);
      types(decision);
    }
    await sees(/[.!"?]\n( {2}from .*\n)*$/);
  }
  child.stdin.end();
  await ended;
  return shown;
}

async function main(): Promise<void> {
  const stack = await ensureStack({ instance: 'bench', onProgress: (line) => console.log(line) });
  const llm = await openScriptedLlm();
  llm.answers('scripted', answers);
  const dataDir = await mkdtemp(join(tmpdir(), 'aiden-transcript-'));
  const taken = new Set<number>();
  const port = await freePort(0, taken);
  const product = start(['--no-tour'], {
    ...stack.env,
    AIDEN_DATA_DIR: dataDir,
    AIDEN_PORT: String(port),
    AIDEN_LOCAL_LLM_PORT: String(await freePort(0, taken)),
    MEMORY_GRPC_PORT: '0',
    AIDEN_LLM_URL: llm.openai,
    AIDEN_LLM_MODEL: 'scripted',
  });
  try {
    await product.until('Ctrl-C stops everything');
    const url = `http://127.0.0.1:${port}`;
    const talks: string[] = [];
    for (const turns of TALKS) talks.push(await talk(url, turns));
    const page = [
      '# A talk with `assistant`',
      '',
      'Made by `node test/testkit/agent-transcript.ts` against a running installation. The model',
      'is scripted: it calls tools as a capable model would; everything else is the product. The',
      'second session is another conversation.',
      '',
      ...talks.map((text) => `\`\`\`\n${text.trimEnd()}\n\`\`\`\n`),
    ];
    await writeFile(PAGE, page.join('\n'));
  } finally {
    product.child.kill('SIGINT');
    await product.exit;
    await llm.close();
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
