import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { ConfinedPool } from '../../src/platform/confined/confined-pool.ts';
import type { ConfinedOutcome } from '../../src/platform/confined/confined-process.ts';
import { openRenderer } from '../../src/platform/renderer/renderer.ts';

// Templates of users are rendered in child processes: an allocation that does not fit ends one of
// them and nothing else (docs/decisions/0033).

const entry = new URL('../../src/platform/renderer/render-process.ts', import.meta.url);
const CONFINEMENT = { entry, heapMb: 64, workMs: 5_000, answerBytesMax: 100_000 };
const PLACES = { places: 4, placesPerOwner: 1, waiting: 100 };

const pools: { close(): Promise<void> }[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

function openPool(confinement = CONFINEMENT): ConfinedPool {
  const pool = new ConfinedPool(confinement, PLACES);
  pools.push(pool);
  return pool;
}

const job = (source: string) => JSON.stringify({ kind: 'text', source });
const LOOP = job('{{#each list}}{{#each @root.list}}{{#if false}}x{{/if}}{{/each}}{{/each}}');
const list = JSON.stringify({ list: Array.from({ length: 700 }, (_, index) => index) });
/** JSON that needs more than 64 MB when it is read. */
const MANY = `{"list":[${'{},'.repeat(2_000_000)}{}]}`;

function textOf(outcome: ConfinedOutcome): string {
  return 'answer' in outcome ? outcome.answer.text : outcome.ended;
}
/** Process ids of the children of a process. */
function childrenOf(parent: number | undefined): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' });
  return rows
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
    .filter(([, ppid, command]) => Number(ppid) === parent && command !== 'ps')
    .map(([pid]) => Number(pid));
}
/** Renders once for a user, and returns the process that did it. */
async function warm(pool: ConfinedPool, owner: string): Promise<number> {
  const before = childrenOf(process.pid);
  expect(textOf(await pool.perform(owner, job('{{n}}'), '{"n":1}'))).toBe('{"result":"1"}');
  const [pid, ...others] = childrenOf(process.pid).filter((child) => !before.includes(child));
  expect(others).toEqual([]);
  return pid ?? Number.NaN;
}

describe('work in a process of its own', () => {
  it('that fills its heap ends alone: the work of another user beside it is answered', async () => {
    const pool = openPool();
    const innocent = pool.perform('ann', LOOP, list);
    const guilty = pool.perform('eve', job('{{list.length}}'), MANY);
    expect(await guilty).toEqual({ ended: 'memory' });
    expect(textOf(await innocent)).toBe('{"result":""}');
    expect(textOf(await pool.perform('eve', job('{{n}}'), '{"n":1}'))).toBe('{"result":"1"}');
  });

  it.each([
    ['is done again in a new process when its process was killed from outside', 'SIGKILL'],
    ['goes on after Ctrl-C in the terminal, which reaches every process', 'SIGINT'],
  ] as const)('%s', async (_, signal) => {
    const pool = openPool();
    const pid = await warm(pool, 'ann');
    const work = pool.perform('ann', LOOP, list);
    process.kill(pid, signal);
    expect(textOf(await work)).toBe('{"result":""}');
    expect(childrenOf(process.pid).includes(pid)).toBe(signal === 'SIGINT');
  });

  it('is given up when the second process is lost too', async () => {
    const pool = openPool({ ...CONFINEMENT, entry: new URL('file:///is/not/there.ts') });
    expect(await pool.perform('ann', job('{{n}}'), '{"n":1}')).toEqual({ ended: 'lost' });
  });

  it('has an answer that is looked at before it crosses', async () => {
    const pool = openPool({ ...CONFINEMENT, answerBytesMax: 1_000 });
    const data = JSON.stringify({ text: 'x'.repeat(1_001) });
    expect(await pool.perform('ann', job('{{text}}'), data)).toEqual({ ended: 'memory' });
  });

  it('reads requests of any size, in any characters, one after the other', async () => {
    const pool = openPool({ ...CONFINEMENT, heapMb: 256, answerBytesMax: 10_000_000 });
    for (const length of [0, 1, 65_520, 65_536, 65_600, 131_072, 200_000]) {
      const text = 'ä😀"\n'.repeat(length / 10).padEnd(length, '\ud800');
      const outcome = await pool.perform('ann', job('{{text}}'), JSON.stringify({ text }));
      expect([length, textOf(outcome) === JSON.stringify({ result: text })]).toEqual([
        length,
        true,
      ]);
    }
  });

  it('ends when its parent is killed', async () => {
    const source = JSON.stringify(
      new URL('../../src/platform/renderer/renderer.ts', import.meta.url).href,
    );
    const program = `const { openRenderer } = await import(${source});
      const text = await openRenderer().of('ann').render('{{n}}', { n: 1 });
      console.log(text); setInterval(() => {}, 1_000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    await once(parent.stdout, 'data');
    const [child] = childrenOf(parent.pid);
    expect(child).toBeGreaterThan(0);
    parent.kill('SIGKILL');
    await expect.poll(() => isAlive(child ?? 0)).toBe(false);
  });
});

describe('templates of several users', () => {
  it('wait for those of the same user only: slow ones of one user delay no other', async () => {
    const renderer = openRenderer();
    pools.push(renderer);
    const values = { list: Array.from({ length: 1_500 }, (_, index) => index) };
    const ann = renderer.of('ann');
    await ann.render('{{list.length}}', values);
    let ended = 0;
    const endless =
      '{{#each list}}{{#each @root.list}}{{#each @root.list}}{{/each}}{{/each}}{{/each}}';
    const slow = Array.from({ length: 3 }, () =>
      renderer
        .of('eve')
        .render(endless, values)
        .catch((error: unknown) => {
          ended++;
          return error;
        }),
    );
    for (let count = 0; count < 20; count++)
      expect(await ann.render('{{list.length}}', values)).toBe('1500');
    expect(ended).toBe(0);
    expect(await Promise.all(slow)).toEqual(
      slow.map(() => expect.objectContaining({ details: { reason: 'TIME' } })),
    );
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
