import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../src/host/ensure.ts';
import { client } from '../test/testkit/client.ts';
import { FINAL, runStatuses } from '../test/testkit/foreign/odd-requests.ts';
import { openOddServers } from '../test/testkit/foreign/odd-servers.ts';
import { shown } from './checks.ts';
import { OddUser, type Traffic } from './foreign-traffic.ts';
import { type Installation, openInstallation, PROCESSES } from './installation.ts';
import { randomOf } from './random.ts';

const USERS = 6;
const LOOK_MS = 500;
const SETTLE_MS_MAX = 10 * 60_000;
/** Of one process. Three processes and their servers share a small machine. */
const MEMORY_MB_MAX = 2_048;

export interface ForeignSettings {
  readonly minutes: number;
  readonly seed: number;
  /** Longest time in seconds in which `/ready` may give no answer. */
  readonly silentSeconds: number;
  say(line: string): void;
}

/**
 * Sends odd values of all kinds at once to one installation, and checks that no process ended, that
 * each run has an end, that `/ready` answered, that all Workers work, that memory is bounded, and
 * that no name of a user stands in a log. A seed repeats the same values.
 * @returns the problems, one a line
 */
export async function foreign(stack: Stack, settings: ForeignSettings): Promise<string[]> {
  const { minutes, seed, say } = settings;
  const mark = `zq${randomUUID().slice(0, 8)}`;
  const servers = await openOddServers(seed);
  const installation = await openInstallation(stack, null, {
    AIDEN_WORKERS_LLM_CALL: '6',
    AIDEN_WORKERS_MCP_CALL: '6',
    AIDEN_LOG_LEVEL: 'info',
  });
  const traffic: Traffic = { counts: new Map(), faults: new Map(), users: [] };
  const stopping = new AbortController();
  const watch = new Watch(installation);
  try {
    const { urls } = installation;
    const users = await Promise.all(
      Array.from({ length: USERS }, (_, index) =>
        OddUser.open({
          ...{ mark, servers, traffic },
          name: `${mark}-${index}`,
          url: urls[index % urls.length] ?? '',
          random: randomOf(seed * 1_000 + index),
          seed: seed * 1_000 + index,
        }),
      ),
    );
    const workers = await workerTypes(urls[0] ?? '');
    say(`foreign traffic for ${minutes} minutes, seed ${seed}, ${USERS} users`);
    const watching = watch.look(stopping.signal);
    const sending = users.map((user) => user.send(stopping.signal));
    for (let minute = 1; minute <= minutes; minute++) {
      await Promise.race([sleep(60_000), failure(Promise.all(sending))]);
      say(`minute ${minute}: ${summary(traffic)}; ${watch.summary()}`);
    }
    stopping.abort();
    await Promise.all([...sending, watching]);
    const { open, runs } = await settled(traffic);
    const problems = [
      ...[...traffic.faults.values()],
      ...installation.ended.map((name) => `the process ${name} ended`),
      ...open.map((run) => `a run has no end: ${run}`),
      ...watch.problems(settings.silentSeconds),
      ...(await missing(urls[0] ?? '', workers)),
      ...(await logged(installation, mark)),
    ];
    say(`${runs} runs; ${summary(traffic)}; ${watch.summary()}`);
    return problems;
  } finally {
    stopping.abort();
    await installation.stopProduct();
    await installation.close();
    await servers.close();
  }
}

/** Never resolves; rejects with the failure of the traffic. */
function failure(work: Promise<unknown>): Promise<never> {
  return new Promise((_resolve, reject) => void work.catch(reject));
}

function summary({ counts, faults }: Traffic): string {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const kinds = [...counts].map(([kind, count]) => `${kind} ${count}`).join(', ');
  return `${total} requests (${kinds}), ${faults.size} kinds of faults`;
}

/** Looks at `/ready` of both API processes, and at the memory of all processes. */
class Watch {
  readonly #installation: Installation;
  #silentMsMax = 0;
  readonly #memoryMb = new Map<string, number>();

  constructor(installation: Installation) {
    this.#installation = installation;
  }

  async look(stopping: AbortSignal): Promise<void> {
    await Promise.all([
      ...this.#installation.urls.map((url) => this.#ready(url, stopping)),
      this.#memory(stopping),
    ]);
  }

  async #ready(url: string, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const askedMs = performance.now();
      // Any answer counts: 503 says that a server behind it is busy.
      await fetch(`${url}/ready`)
        .then((response) => response.text())
        .catch(() => {});
      this.#silentMsMax = Math.max(this.#silentMsMax, performance.now() - askedMs);
      await sleep(LOOK_MS);
    }
  }

  async #memory(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      for (const name of PROCESSES) {
        const pid = this.#installation.pidOf(name);
        const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
        const mb = Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1] ?? 0) / 1024;
        this.#memoryMb.set(name, Math.max(this.#memoryMb.get(name) ?? 0, mb));
      }
      await sleep(10 * LOOK_MS);
    }
  }

  summary(): string {
    const most = Math.round(Math.max(0, ...this.#memoryMb.values()));
    return (
      `slowest /ready ${(this.#silentMsMax / 1_000).toFixed(1)} s, at most ${most} MB in a ` +
      'process'
    );
  }

  problems(silentSeconds: number): string[] {
    const silent = this.#silentMsMax / 1_000;
    return [
      ...(silent > silentSeconds ? [`/ready was silent for ${silent.toFixed(1)} s`] : []),
      ...[...this.#memoryMb]
        .filter(([, mb]) => mb > MEMORY_MB_MAX)
        .map(([name, mb]) => `the process ${name} took ${Math.round(mb)} MB`),
    ];
  }
}

/** Waits until all runs of all users have ended. */
async function settled({ users }: Traffic): Promise<{ open: string[]; runs: number }> {
  const endMs = performance.now() + SETTLE_MS_MAX;
  for (;;) {
    const all = await Promise.all(users.map((user) => runStatuses(user))).catch(() => null);
    const statuses = all?.flatMap((of) => [...of]) ?? [];
    const open = statuses.filter(([, status]) => !FINAL.includes(status));
    if (all !== null && open.length === 0) return { open: [], runs: statuses.length };
    if (performance.now() > endMs)
      return { open: shown(open.map(([id, status]) => `${id} ${status}`)), runs: statuses.length };
    await sleep(2_000);
  }
}

/** Operation types with a Worker that is not offline. */
async function workerTypes(url: string): Promise<Set<string>> {
  const root = client('faults-root', { url, role: 'admin' });
  const { workers } = await root.query<{ workers: { type: string; status: string }[] }>(
    '{ workers { type status } }',
  );
  return new Set(workers.filter(({ status }) => status !== 'OFFLINE').map(({ type }) => type));
}

async function missing(url: string, before: ReadonlySet<string>): Promise<string[]> {
  const after = await workerTypes(url);
  return [...before]
    .filter((type) => !after.has(type))
    .map((type) => `no Worker of ${type} is left`);
}

/** Defects in the logs, and lines that name a thing of a user. */
async function logged(installation: Installation, mark: string): Promise<string[]> {
  const lines = await installation.lines();
  const names = lines.filter((line) => line.includes(mark));
  const defects = lines.filter((line) =>
    /"msg":"(?:A step met a defect|An operation failed|A request failed|A turn could not be recorded|Temporal: )/.test(
      line,
    ),
  );
  return [
    ...shown(names.map((line) => `a name in the log: ${line.slice(0, 400)}`)),
    ...shown(
      defects
        .filter((line) => line.startsWith('{"level":50'))
        .map((line) => `logged: ${line.slice(0, 900)}`),
    ),
  ];
}
