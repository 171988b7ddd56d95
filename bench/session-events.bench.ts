import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import neo4j from 'neo4j-driver';
import { openBlobStore } from '../src/platform/blobs/blob-store.ts';
import { openGraph } from '../src/platform/neo4j/graph.ts';
import { migrate } from '../src/platform/neo4j/migrate.ts';
import { recordSessionEvents } from '../src/session-graph/events/raw-event.mutations.ts';
import type { SessionEventInput } from '../src/session-graph/events/raw-event.ts';
import type { Viewer } from '../src/users/user.ts';
import { holds, interleave, lastTenth, median, printFigure } from './report.ts';

// The cost of recording session events over the least that any writer of the same nodes and edges
// does, and whether the rate holds while one session grows to 100,000 events.

const BATCH = 1_000;
const TOTAL = Number(process.env['BENCH_EVENTS'] ?? 100_000);
const { env } = process;
const uri = String(env['NEO4J_URI']);
const user = env['NEO4J_USER'] ?? 'neo4j';
const password = env['NEO4J_PASSWORD'] ?? '';
const graph = openGraph({ uri, user, password });
const driver = neo4j.driver(uri, neo4j.auth.basic(user, password), {
  disableLosslessIntegers: true,
});
const folder = await mkdtemp(join(tmpdir(), 'aiden-bench-'));
const deps = {
  graph,
  clock: { nowMs: () => Date.now() },
  blobs: openBlobStore(pathToFileURL(folder).href),
};
const workspace = `bench-${randomUUID()}`;
const viewer: Viewer = { userId: randomUUID(), name: 'bench', roles: ['user'], workspace };
const startMs = Date.parse('2025-03-15T06:00:00Z');

/**
 * A batch as an agent's session has it: of five events one tool call from pre to post, one model
 * call, one of another kind.
 */
function batch(sessionId: string, from: number): SessionEventInput[] {
  return Array.from({ length: BATCH }, (_, index) => {
    const number = from + index;
    const call = `call_${Math.floor(number / 5)}`;
    const timestamp = new Date(startMs + number).toISOString();
    const text =
      `What was said at ${number}, about as long as what tools and models say in an event. `.repeat(
        4,
      );
    const tool = { tool_name: 'bash', tool_call_id: call };
    const kinds = [
      ['llm:request', { model: 'm', provider: 'p', text }],
      ['llm:response', { model: 'm', provider: 'p', text }],
      ['tool:pre', { ...tool, tool_input: { command: text } }],
      ['tool:post', { ...tool, result: text }],
      ['content_block:end', { text }],
    ] as const;
    const [name, data] = kinds[number % 5] ?? kinds[0];
    return { name, sessionId, timestamp, data: { ...data } };
  });
}

// The baseline: the same nodes, labels, properties and edges, written without checks.
const BARE_CALLS = /* cypher */ `
  // benchBareCalls
  MERGE (s:Session {node_id: $session, workspace: $workspace})
  WITH s UNWIND $calls AS row
  MERGE (tc:ToolCall {node_id: row.id, workspace: $workspace})
  SET tc.owner_id = $owner, tc.session_id = $session, tc.tool_call_id = row.call,
    tc.tool_name = 'bash',
    tc.started_at = datetime(row.startedAt), tc.ended_at = datetime(row.endedAt)
  MERGE (s)-[:HAS_TOOL_CALL]->(tc)
`;
const bareEvents = (labels: string, edge: string) => /* cypher */ `
  // benchBareEvents
  MATCH (s:Session {node_id: $session, workspace: $workspace})
  UNWIND $events AS row
  MERGE (e:Event {node_id: row.id, workspace: $workspace})
  SET e += row.props, e.occurred_at = datetime(row.at), e:${labels}
  MERGE (s)-[:HAS_EVENT]->(e)
  ${edge}
`;
const OF_CALL =
  'WITH e, row MATCH (tc:ToolCall {node_id: row.toolCall, workspace: $workspace}) MERGE ' +
  '(tc)-[:HAS_EVENT]->(e)';
const BARE: Readonly<Record<string, string>> = {
  'llm:request': bareEvents('LlmEvent:LlmRequestEvent', ''),
  'llm:response': bareEvents('LlmEvent:LlmResponseEvent', ''),
  'tool:pre': bareEvents('ToolEvent:ToolPreEvent', OF_CALL),
  'tool:post': bareEvents('ToolEvent:ToolPostEvent', OF_CALL),
  'content_block:end': bareEvents('ContentBlockEvent:ContentBlockEndEvent', ''),
};

async function writeBare(session: string, events: readonly SessionEventInput[]): Promise<void> {
  const params = { session, workspace, owner: viewer.userId };
  const rows = events.map(({ name, timestamp, data }) => {
    const { tool_call_id: call, tool_input: input, text: _text, result: _result, ...lifted } = data;
    const id = `${session}__${name.replace(':', '_')}__${Date.parse(timestamp)}`;
    return {
      name,
      at: timestamp,
      id: call === undefined ? id : `${id}__${String(call)}`,
      call,
      toolCall: `${session}__tool_call__${String(call)}`,
      props: {
        ...lifted,
        ...(call === undefined ? {} : { tool_call_id: call }),
        ...(input === undefined ? {} : { tool_input: JSON.stringify(input) }),
        session_id: session,
        owner_id: viewer.userId,
        event_name: name,
        content_hash: id,
        data: JSON.stringify(data),
      },
    };
  });
  const calls = rows
    .filter(({ name }) => name === 'tool:pre')
    .map(({ toolCall, call, at }) => ({ id: toolCall, call, startedAt: at, endedAt: at }));
  const opened = driver.session();
  try {
    await opened.executeWrite(async (tx) => {
      await tx.run(BARE_CALLS, { ...params, calls });
      for (const [name, statement] of Object.entries(BARE))
        await tx.run(statement, { ...params, events: rows.filter((row) => row.name === name) });
    });
  } finally {
    await opened.close();
  }
}

let kept = true;
const show = (figure: Parameters<typeof printFigure>[0]) => {
  printFigure(figure);
  kept = holds(figure) && kept;
};
try {
  await migrate(graph);
  const [ours, bare] = [randomUUID(), randomUUID()];
  const at = { ours: 0, bare: 0 };
  const times = await interleave(
    {
      ours: async () => {
        const { recorded } = await recordSessionEvents(deps, viewer, batch(ours, at.ours));
        if (recorded !== BATCH) throw new Error(`Only ${recorded} of ${BATCH} were new.`);
        at.ours += BATCH;
      },
      bare: async () => {
        await writeBare(bare, batch(bare, at.bare));
        at.bare += BATCH;
      },
    },
    { rounds: 15, warmUp: 5 },
  );
  const [oursMs, bareMs] = [median(times.ours), median(times.bare)];
  const rate = (ms: number) => `${Math.round((BATCH / ms) * 1_000)}/s`;
  show({
    name: 'recordSessionEvents over a bare UNWIND … MERGE of the same graph',
    value: bareMs / oursMs,
    unit: 'x',
    bound: 0.5,
    keep: 'at least',
    detail: `${rate(oursMs)} against ${rate(bareMs)}`,
  });

  const long = randomUUID();
  const batchMs: number[] = [];
  for (let from = 0; from < TOTAL; from += BATCH) {
    const events = batch(long, from);
    const startedMs = performance.now();
    await recordSessionEvents(deps, viewer, events);
    batchMs.push(performance.now() - startedMs);
  }
  const { firstMs, lastMs, ratio } = lastTenth(batchMs);
  show({
    name: `the last tenth of ${TOTAL} events of one session over the first`,
    value: ratio,
    unit: 'x',
    bound: 0.8,
    keep: 'at least',
    detail: `${rate(lastMs)} after ${rate(firstMs)}`,
  });
} finally {
  // Sessions last: one of them has an edge to each of its events, too many for one transaction.
  for (const label of ['Event', 'ToolCall', 'Session'])
    for (let gone = 1; gone > 0; ) {
      const rows = await graph.write((tx) =>
        tx.run(
          `// benchClean\nMATCH (n:${label} {workspace: $workspace}) WITH n LIMIT 2000 DETACH ` +
            'DELETE n RETURN count(*) AS gone',
          { workspace },
        ),
      );
      gone = Number(rows[0]?.['gone']);
    }
  await Promise.all([graph.close(), driver.close(), rm(folder, { recursive: true, force: true })]);
}
process.exitCode = kept ? 0 : 1;
