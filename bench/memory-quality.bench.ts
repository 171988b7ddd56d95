import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { client } from '../test/testkit/client.ts';
import { grade, joinGrades } from './memory-quality/grade.ts';
import { passDays, playLive, playPast } from './memory-quality/play.ts';
import { readMemory } from './memory-quality/read.ts';
import { keepsAims, reportOf } from './memory-quality/report.ts';
import { firstTurns, readTalk } from './memory-quality/talk.ts';

// Grades the memory that a reader finds after two whole conversations, against a key as in the
// outcome test, with any model.
//
//   npm run bench -- memory-quality [--llm-url URL --llm-model NAME [--llm-key-env VARIABLE]]
//     [--talk chat|session] [--first TURNS]
//
// --first plays only the beginning of each talk, for a slow model.

const { values } = parseArgs({
  options: {
    'llm-url': { type: 'string' },
    'llm-model': { type: 'string' },
    'llm-key-env': { type: 'string' },
    talk: { type: 'string' },
    first: { type: 'string' },
  },
});
const keyName = values['llm-key-env'];
const key = keyName === undefined ? undefined : process.env[keyName];
if (keyName !== undefined && key === undefined) {
  console.error(`--llm-key-env: the variable ${keyName} is not set.`);
  process.exit(2);
}
const model = {
  AIDEN_LLM_URL: values['llm-url'],
  AIDEN_LLM_MODEL: values['llm-model'],
  AIDEN_LLM_API_KEY: key,
};

const app = fork(fileURLToPath(new URL('../test/testkit/app.ts', import.meta.url)), {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  execArgv: [],
  env: {
    ...process.env,
    ...Object.fromEntries(Object.entries(model).filter(([, value]) => value !== undefined)),
    AIDEN_MEMORY_QUALITY: '1',
    AIDEN_QUEUE_PREFIX: `q${randomUUID().slice(0, 8)}-`,
  },
});
const url = await addressOf(app);
const admin = client('root', { role: 'admin', url });
const id = randomUUID().replaceAll(/[^a-z]/g, '');
const talks = [
  { name: 'chat', account: `nadia${id.slice(0, 4)}`, play: playPast },
  { name: 'session', account: `Ruben${id.slice(0, 4)}`, play: playLive },
] as const;

const first = Number(values.first ?? Number.POSITIVE_INFINITY);
const grades = await Promise.all(
  talks
    .filter(({ name }) => values.talk === undefined || values.talk === name)
    .map(async ({ name, account, play }) => {
      const startMs = performance.now();
      const took = (text: string) =>
        console.log(
          `${name}: ${text} after ${((performance.now() - startMs) / 1_000).toFixed(0)} s`,
        );
      const player = { user: client(account, { url }), admin };
      const talk = firstTurns(await readTalk(name, account), first);
      const played = await play(player, talk.turns);
      took('played');
      const asked = await passDays(player, played, took);
      const graded = grade(await readMemory(player.user, account, talk, played, asked), talk.key);
      took('read');
      console.log(reportOf(`${name} of ${account}`, graded).join('\n'));
      return graded;
    }),
);
const all = joinGrades(grades);
console.log(reportOf('all', { ...all, offending: [] }).join('\n'));
const ended = new Promise((resolve) => app.once('exit', resolve));
app.disconnect();
await ended;
process.exit(keepsAims(all) ? 0 : 1);

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve((message as { url: string }).url));
    child.once('exit', (code) => reject(new Error(`The app ended at its start (${code}).`)));
  });
}
