import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { SOCKETS as LIMITS } from '../src/main/http/server.ts';
import { client } from '../test/testkit/client.ts';
import { openInstallation } from './installation.ts';
import { type Figure, holds, median, percentile, printFigure } from './report.ts';

// How much 10,000 WebSockets of fifty users slow the reads of another user, and how much memory of
// the product they take.

const SOCKETS = Number(process.env['BENCH_SOCKETS'] ?? 10_000);
const USERS = 50;
const AT_ONCE = 100;
const READS = 300;
const PAUSE_MS = 20;
const RATIO_MAX = 1.5;
const CLOSE_TRY_AGAIN_LATER = 1013;
const CONVERSATIONS = '{ conversations(first: 20) { totalCount nodes { id title } } }';

/** A signed-in socket, or the code with which it was closed. */
async function signIn(url: string, user: string): Promise<WebSocket | number> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const closed = once(socket, 'close');
  socket.on('error', () => {});
  socket.on('open', () =>
    socket.send(
      JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer dev:${user}` } }),
    ),
  );
  const said = await Promise.race([once(socket, 'message').then(() => null), closed]);
  return said === null ? socket : Number(said[0]);
}

async function megabytesOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN) / 1_024;
}

async function main(): Promise<void> {
  const installation = await openInstallation();
  try {
    const { url } = installation;
    const { product } = await installation.pids();
    const ann = client(`ann-${randomUUID().slice(0, 8)}`, { url });
    const reads = async (count: number): Promise<number[]> => {
      const took: number[] = [];
      for (let read = 0; read < count; read++) {
        const startedMs = performance.now();
        await ann.query(CONVERSATIONS);
        took.push(performance.now() - startedMs);
        await setTimeout(PAUSE_MS);
      }
      return took;
    };
    await reads(READS * 2);
    const alone = await reads(READS);
    const before = await megabytesOf(product);

    const users = Array.from({ length: USERS }, () => `many-${randomUUID().slice(0, 8)}`);
    const opened: (WebSocket | number)[] = [];
    let isArriving = true;
    const arriving = (async () => {
      const startedMs = performance.now();
      for (let done = 0; done < SOCKETS; done += AT_ONCE)
        opened.push(
          ...(await Promise.all(
            Array.from({ length: AT_ONCE }, (_, index) =>
              signIn(url, users[(done + index) % USERS] ?? ''),
            ),
          )),
        );
      isArriving = false;
      return performance.now() - startedMs;
    })();
    const meanwhile: number[] = [];
    while (isArriving) meanwhile.push(...(await reads(1)));
    const arrivedMs = await arriving;
    const beside = await reads(READS);
    const after = await megabytesOf(product);
    const open = opened.filter((one) => typeof one !== 'number');
    const codes = [...new Set(opened.filter((one) => typeof one === 'number'))];
    for (const socket of open) socket.terminate();
    const isRefusedRight = codes.length === 1 && codes[0] === CLOSE_TRY_AGAIN_LATER;
    const told = (ms: readonly number[]) =>
      `p50 ${median(ms).toFixed(1)}, p95 ${percentile(ms, 95).toFixed(1)} ms`;
    const figures: Figure[] = [
      {
        name: `another user's read beside ${open.length} open sockets, over one alone`,
        value: median(beside) / median(alone),
        unit: 'x',
        bound: RATIO_MAX,
        keep: 'at most',
        detail:
          `alone ${told(alone)}; beside ${told(beside)}; ` +
          `${(after - before).toFixed(0)} MB more`,
      },
      {
        name: `sockets of ${SOCKETS} that are told to come back later`,
        value: isRefusedRight ? opened.length - open.length : 0,
        unit: 'events',
        bound: Math.max(0, SOCKETS - LIMITS.places),
        keep: 'at least',
        detail:
          `codes ${codes.join(', ') || 'none'}; all arrived in ` +
          `${(arrivedMs / 1_000).toFixed(1)} s, reads meanwhile ${told(meanwhile)}`,
      },
    ];
    for (const figure of figures) printFigure(figure);
    process.exitCode = figures.every(holds) ? 0 : 1;
  } finally {
    await installation.close();
  }
}

await main();
