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
}

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
  };
}
