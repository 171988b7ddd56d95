import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { client } from '../test/testkit/client.ts';
import { type BlindGrade, gradeBlind } from './blind-talks/grade.ts';
import { playBlind, readBlind, type SeenBlind } from './blind-talks/play.ts';
import { type BlindTalk, readBlindTalk } from './blind-talks/talk.ts';

// Grades the memory of talks that nobody tuned for: each was written with its key before its author
// looked at the code, and is played over the public API as conversations of some months.
//
//   npm run bench -- blind-talks [--talk nurse] [--lines] [--offline]
//
// --lines prints each wrong line, all triples and all entities, to be judged by a reader.
// --offline reads the statements alone, without servers.

const { values } = parseArgs({
  options: {
    talk: { type: 'string', multiple: true },
    lines: { type: 'boolean' },
    offline: { type: 'boolean' },
  },
});
/** More talks at once make a machine of two cores slower than its limits of time. */
const AT_ONCE = 2;

const app = values.offline
  ? null
  : fork(fileURLToPath(new URL('../test/testkit/app.ts', import.meta.url)), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [],
      env: { ...process.env, AIDEN_QUEUE_PREFIX: `b${randomUUID().slice(0, 8)}-` },
    });
const url = app === null ? '' : await addressOf(app);
const folder = new URL('blind-talks/', import.meta.url);
const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml')).toSorted();
const names = files.map((file) => file.replace('.yaml', ''));
const wanted = names.filter((name) => values.talk?.includes(name) ?? true);
const grades: BlindGrade[] = [];
/** Plays the talks that are left, one after the other. */
async function plays(): Promise<void> {
  for (let name = wanted.shift(); name !== undefined; name = wanted.shift()) {
    const talk = await readBlindTalk(name);
    const account = `Runa-${randomUUID().slice(0, 8)}`;
    const seen = await seenOf(talk, account);
    const graded = gradeBlind(seen, talk, account);
    grades.push(graded);
    console.log(`${name}: ${figuresOf([graded])}`);
    if (values.lines) for (const line of graded.lines) console.log(`   ${line}`);
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, plays));
console.log(`all: ${figuresOf(grades)}`);
if (app !== null) {
  const ended = new Promise((resolve) => app.once('exit', resolve));
  app.disconnect();
  await ended;
}
process.exit(0);

async function seenOf(talk: BlindTalk, account: string): Promise<SeenBlind> {
  // The models are loaded only where no server has them.
  if (values.offline) return (await import('./blind-talks/offline.ts')).readOffline(talk);
  const user = client(account, { url });
  await playBlind(user, talk);
  return readBlind(user, talk);
}

/** The figures of several talks, summed up. */
function figuresOf(all: readonly BlindGrade[]): string {
  const figures = Object.keys(all[0]?.figures ?? {}) as (keyof BlindGrade['figures'])[];
  return figures
    .map((figure) => {
      const sum = (part: 'good' | 'of') =>
        all.reduce((so, { figures }) => so + figures[figure][part], 0);
      return `${figure} ${sum('good')} of ${sum('of')}`;
    })
    .join('; ');
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve((message as { url: string }).url));
    child.once('exit', (code) => reject(new Error(`The app ended at its start (${code}).`)));
  });
}
