import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/**
 * Prometheus metrics of this process. Labels are our names (statements, kinds, codes), never user
 * ids.
 */
export interface Metrics {
  readonly registry: Registry;
  operationEnded(info: { kind: string; code: string; seconds: number }): void;
  statementEnded(info: { name: string; seconds: number }): void;
  /** A group of writes of steps goes to Neo4j in one transaction. */
  groupWritten(members: number): void;
  subscriptionOpened(): () => void;
  httpRefused(status: number): void;
  /** A projection could not handle an entry, which is now a DeadLetter. */
  deadLettered(projection: string): void;
  /** Adds the metrics of the whole installation. `read` returns all values at a scrape. */
  readInstallation(
    definitions: InstallationDefinitions,
    read: () => Promise<readonly InstallationNumber[]>,
  ): void;
}

/** Help text and labels per metric. Names that end in `_total` are counters, others gauges. */
export type InstallationDefinitions = Readonly<
  Record<string, { readonly help: string; readonly labelNames: readonly string[] }>
>;

/** One value of a metric of the installation. All API processes report the same value. */
export interface InstallationNumber {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAME_EVERYWHERE =
  'Read from Neo4j: every API process reports the same value, so aggregate with max, not sum.';
// Values are cached for this time, so that frequent scrapes do not load Neo4j.
const INSTALLATION_MS = 2_000;

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    prefix: 'aiden_',
    // In ms. The default of 10 wakes an idle process a hundred times a second.
    eventLoopMonitoringPrecision: 100,
  });
  const registers = [registry];
  const operations = new Histogram({
    name: 'aiden_graphql_operation_seconds',
    help:
      'Duration of GraphQL operations in seconds, by kind (query, mutation, subscription) and ' +
      'code (ok or the first error code).',
    labelNames: ['kind', 'code'],
    buckets: SECONDS,
    registers,
  });
  const statements = new Histogram({
    name: 'aiden_neo4j_statement_seconds',
    help: 'Duration of Cypher statements in seconds, by statement name.',
    labelNames: ['name'],
    buckets: SECONDS,
    registers,
  });
  const groups = new Histogram({
    name: 'aiden_step_write_group_members',
    help: 'Number of starts and ends of steps that one transaction writes.',
    buckets: [1, 2, 4, 8, 16, 32, 64],
    registers,
  });
  const subscriptions = new Gauge({
    name: 'aiden_subscriptions_open',
    help: 'Number of open GraphQL subscriptions.',
    registers,
  });
  const refusals = new Counter({
    name: 'aiden_http_refusals_total',
    help: 'Number of requests refused before GraphQL, by HTTP status.',
    labelNames: ['status'],
    registers,
  });
  const deadLetters = new Counter({
    name: 'aiden_outbox_dead_letters_total',
    help:
      'Number of outbox entries that a projection could not handle, by projection. Investigate ' +
      'any value above 0.',
    labelNames: ['projection'],
    registers,
  });
  return {
    registry,
    operationEnded: ({ kind, code, seconds }) => operations.observe({ kind, code }, seconds),
    statementEnded: ({ name, seconds }) => statements.observe({ name }, seconds),
    groupWritten: (members) => groups.observe(members),
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
      // While Neo4j is down these metrics are omitted, so that the process's own are still served.
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

// The values are counted in the graph, so each scrape replaces them. They still only increase.
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
