import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The process's own figures for Prometheus. Labels are names of ours (statements, operation kinds, codes), never users' ids. */
export interface Metrics {
  readonly registry: Registry;
  operationEnded(info: { kind: string; code: string; seconds: number }): void;
  statementEnded(info: { name: string; seconds: number }): void;
  subscriptionOpened(): () => void;
  httpRefused(status: number): void;
  /** A projection could not take an entry, which waits for somebody as a DeadLetter. */
  deadLettered(projection: string): void;
  /** Adds the numbers of the whole installation: how each is shown, and the function that reads all at a scrape. */
  readInstallation(
    definitions: InstallationDefinitions,
    read: () => Promise<readonly InstallationNumber[]>,
  ): void;
}

/** Help text and labels of each number of the installation, by its name. Names that end in `_total` are counters, others gauges. */
export type InstallationDefinitions = Readonly<
  Record<string, { readonly help: string; readonly labelNames: readonly string[] }>
>;

/** A counter (or, of Workers, a gauge) that all processes of an installation would answer alike. */
export interface InstallationNumber {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAME_EVERYWHERE =
  'From the graph, the same in every API process: take the max over them, not the sum.';
// Scrapers come every few seconds, and nobody signs in for it: however often they ask, Neo4j is asked once in so long.
const INSTALLATION_MS = 2_000;

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'aiden_' });
  const registers = [registry];
  const operations = new Histogram({
    name: 'aiden_graphql_operation_seconds',
    help: 'Time of GraphQL operations by kind (query, mutation, subscription) and outcome (ok or the first error code).',
    labelNames: ['kind', 'code'],
    buckets: SECONDS,
    registers,
  });
  const statements = new Histogram({
    name: 'aiden_neo4j_statement_seconds',
    help: 'Time of Cypher statements by their own name.',
    labelNames: ['name'],
    buckets: SECONDS,
    registers,
  });
  const subscriptions = new Gauge({
    name: 'aiden_subscriptions_open',
    help: 'Subscriptions open now.',
    registers,
  });
  const refusals = new Counter({
    name: 'aiden_http_refusals_total',
    help: 'Requests refused before GraphQL, by HTTP status.',
    labelNames: ['status'],
    registers,
  });
  const deadLetters = new Counter({
    name: 'aiden_outbox_dead_letters_total',
    help: 'Entries of the event log that a projection could not take, by projection. Anything above 0 wants a look.',
    labelNames: ['projection'],
    registers,
  });
  return {
    registry,
    operationEnded: ({ kind, code, seconds }) => operations.observe({ kind, code }, seconds),
    statementEnded: ({ name, seconds }) => statements.observe({ name }, seconds),
    subscriptionOpened() {
      subscriptions.inc();
      let open = true;
      return () => {
        if (open) subscriptions.dec();
        open = false;
      };
    },
    httpRefused: (status) => refusals.inc({ status }),
    deadLettered: (projection) => deadLetters.inc({ projection }),
    readInstallation(definitions, read) {
      let known: Promise<readonly InstallationNumber[]> = Promise.resolve([]);
      let askedAtMs = Number.NEGATIVE_INFINITY;
      // Without Neo4j the process's own numbers are wanted most, so these are left out then.
      const numbers = () => {
        if (performance.now() - askedAtMs >= INSTALLATION_MS) {
          askedAtMs = performance.now();
          known = read().catch(() => []);
        }
        return known;
      };
      for (const [name, { help, labelNames }] of Object.entries(definitions)) {
        const add = name.endsWith('_total') ? counterOf : gaugeOf;
        add({ name, help: `${help} ${SAME_EVERYWHERE}`, labelNames, registers }, async () =>
          (await numbers()).filter((number) => number.name === name),
        );
      }
    },
  };
}

interface NumberOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly registers: Registry[];
}
type ReadNumbers = () => Promise<readonly InstallationNumber[]>;

// What is counted elsewhere is put in place anew at each scrape; it still only ever rises.
function counterOf({ labelNames, ...options }: NumberOptions, read: ReadNumbers): void {
  new Counter({
    ...options,
    labelNames: [...labelNames],
    async collect() {
      const numbers = await read();
      this.reset();
      for (const { labels, value } of numbers) this.inc({ ...labels }, value);
    },
  });
}

function gaugeOf({ labelNames, ...options }: NumberOptions, read: ReadNumbers): void {
  new Gauge({
    ...options,
    labelNames: [...labelNames],
    async collect() {
      const numbers = await read();
      this.reset();
      for (const { labels, value } of numbers) this.set({ ...labels }, value);
    },
  });
}
