import { afterAll, describe, expect, it } from 'vitest';
import { findTocNodes } from '../../src/agent-memory/toc/toc.cypher.ts';
import { findTools } from '../../src/catalog/tools/tool.cypher.ts';
import { findAlternatives } from '../../src/conversations/alternative.cypher.ts';
import { findTurns } from '../../src/conversations/turn.cypher.ts';
import { listEntries } from '../../src/outbox/entry.cypher.ts';
import type { ReadTx } from '../../src/platform/neo4j/graph.ts';
import { findProcesses } from '../../src/processes/process.cypher.ts';
import { projectRunEvents } from '../../src/runs/events/run-event.ts';
import { findRunById, listRuns } from '../../src/runs/run/run.cypher.ts';
import { listStepRuns } from '../../src/runs/steps/step-run.cypher.ts';
import { findSummaries } from '../../src/working-memory/summaries/summary.cypher.ts';
import { readWith, testGraph, writeCypher } from '../testkit/graph.ts';
import { newId, someEntry } from '../testkit/outbox.ts';
import { world } from '../testkit/world.ts';

const graph = testGraph({ appliedWithinMs: 10 });
afterAll(() => graph.close());
const write = (cypher: string, params: object = {}) => writeCypher(graph, cypher, params);
const failure = (work: Promise<unknown>) =>
  work.then(
    (value) => `no error but ${JSON.stringify(value)}`,
    (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : 'no Error'),
  );

/** A whole node of each kind; `read` gives it back, `about` is its label and id. */
interface Case {
  readonly about: string;
  read(): Promise<readonly unknown[]>;
}
const here = await world();

async function aRun(): Promise<Case & { readonly id: string; readonly ownerId: string }> {
  const [id, ownerId] = [newId(), newId()];
  await write(
    `CREATE (run:ProcessRun {id: $id, ownerId: $ownerId, workspace: 'w', processId: 'p',
       processName: 'P', processVersion: 1, snapshotHash: 'h', status: 'running', rootRunId: $id,
       runPath: [$id], depth: 0, queuePrefix: '', createdAt: datetime()})
     CREATE (run)-[:HAS_STEP_RUN]->(:StepRun {key: $id + '/a', runId: $id, stepId: 'a',
       status: 'running', attempt: 1})`,
    { id, ownerId },
  );
  const read = async () => [await readWith(graph, findRunById, id)];
  return { id, ownerId, about: `ProcessRun ${id}`, read };
}

type Find = (tx: ReadTx, ownerId: string, ids: readonly string[]) => Promise<readonly unknown[]>;
async function aTurn() {
  const names = ['conversationId', 'ownerId', 'turnId', 'alternativeId', 'summaryId', 'processId'];
  const ids = Object.fromEntries([...names, 'uuid'].map((name) => [name, newId()]));
  await write(
    `CREATE (c:Conversation {id: $conversationId, ownerId: $ownerId, rootTurnId: $turnId,
       status: 'active'})
     CREATE (c)-[:HAS_TURN {sequence: 1}]->(t:ConversationTurn {id: $turnId, conversationId: c.id,
       ownerId: $ownerId, speaker: 'user', turnType: 'message', timestamp: datetime()})
     CREATE (t)-[:HAS_ALTERNATIVE {isActive: true, sequence: 1}]->(:Alternative {
       id: $alternativeId, turnId: $turnId, conversationId: c.id, ownerId: $ownerId,
       content: 'Hello.', outcome: 'completed', createdAt: datetime()})
     CREATE (c)-[:HAS_SUMMARY]->(s:Summary {id: $summaryId, compressionLevel: 1, tokenCount: 2,
       createdAt: datetime()})
     CREATE (s)-[:COVERS_UP_TO]->(t), (s)-[:CREATED_BY_PROCESS]->(:Process {id: $processId})
     CREATE (s)-[:HAS_CONTENT {createdAt: datetime()}]->(:Episodic {uuid: $uuid, content: 'Hi.'})`,
    ids,
  );
  const one = (label: string, name: string, find: Find): Case => ({
    about: `${label} ${ids[name]}`,
    read: () => readWith(graph, find, ids['ownerId'] ?? '', [ids[name] ?? '']),
  });
  return {
    turn: one('ConversationTurn', 'turnId', findTurns),
    alternative: one('Alternative', 'alternativeId', findAlternatives),
    summary: one('Summary', 'summaryId', findSummaries),
    ids,
  };
}

/** The whole node is read, then without the property; it names the node and the property. */
async function isNamed({ about, read }: Case, damage: string, params: object, said: string) {
  expect(await read()).toHaveLength(1);
  await write(damage, params);
  expect(await failure(read())).toBe(`DamagedRow: ${about}: ${said}`);
}

describe('a damaged row is an error that names its node, never a plausible value', () => {
  it.each([
    ['a run without a status', 'REMOVE r.status', '"status" is missing.'],
    [
      'a run whose error is no RunError, by the path into its JSON',
      `SET r.error = '{"code":"TOOL_FAILED"}'`,
      '"error.message" is missing.',
    ],
    [
      'all faults of a row at once, without any value of it',
      "SET r.context = '{not json secret', r.depth = 'secret' REMOVE r.workspace",
      '"workspace" is missing. "depth" is wrong (Invalid input: expected number, received ' +
        'string). "context" is wrong (is no JSON).',
    ],
  ])('%s, in a list too', async (_, damage, said) => {
    const { ownerId, ...run } = await aRun();
    await isNamed(run, `MATCH (r:ProcessRun {id: $id}) ${damage}`, { id: run.id }, said);
    const page = readWith(graph, listRuns, ownerId, { includeSystem: true }, {});
    expect(await failure(page)).toContain(`${run.about}: ${said}`);
  });

  it('a step without its attempt', async () => {
    const { id, ownerId } = await aRun();
    await write('MATCH (s:StepRun {key: $key}) REMOVE s.attempt', { key: `${id}/a` });
    const steps = readWith(graph, listStepRuns, ownerId, [id]);
    expect(await failure(steps)).toMatch(/^DamagedRow: StepRun .*: "attempt" is missing\.$/);
  });

  it('a turn without speaker, an Alternative without time, a Summary without Episode', async () => {
    const { turn, alternative, summary, ids } = await aTurn();
    const bound = 'MATCH (:Summary {id: $summaryId})-[h:HAS_CONTENT]->() DELETE h';
    await isNamed(summary, bound, ids, '"bound" is missing.');
    const created = 'MATCH (a:Alternative {id: $alternativeId}) REMOVE a.createdAt';
    const times = '"createdAt" is missing. "saidAt" is missing.';
    await isNamed(alternative, created, ids, times);
    const speaker = 'MATCH (t:ConversationTurn {id: $turnId}) REMOVE t.speaker';
    await isNamed(turn, speaker, ids, '"speaker" is missing.');
  });

  it('a Tool whose operation is of no type', async () => {
    const { ada } = here;
    const { id } = await ada.createsTool();
    const read = () => readWith(graph, findTools, ada.viewer, [id]);
    expect(await read()).toHaveLength(1);
    await write(`MATCH (t:Tool {id: $id}) SET t.operation = '{}'`, { id });
    expect(await failure(read())).toMatch(new RegExp(`^DamagedRow: Tool ${id}: "operation`));
    await write('MATCH (t:Tool {id: $id}) DETACH DELETE t', { id });
  });

  it('a Process without its template', async () => {
    const id = newId();
    await write(
      `MATCH (u:User {id: $userId})
       CREATE (:Process:Resource {id: $id, name: 'P', version: 1, enabled: true, shared: false,
         initialContext: [], maxRecursionDepth: 3, createdAt: datetime(), updatedAt: datetime()}
       )-[:OWNED_BY]->(u)`,
      { id, userId: here.ada.viewer.userId },
    );
    const read = readWith(graph, findProcesses, here.ada.viewer, [id]);
    expect(await failure(read)).toBe(`DamagedRow: Process ${id}: "outputTemplate" is missing.`);
  });

  it('a node of the table of contents without a title', async () => {
    const ref = { store: `${newId()}#w`, nodeId: 'toc:day:2026-01-15' };
    const params = { ...ref, key: `${ref.nodeId}:v000001` };
    await write(
      `CREATE (:TocLatest {store: $store, nodeId: $nodeId, versionKey: $key})
       CREATE (:TocNode {store: $store, key: $key, nodeId: $nodeId, level: 'day', version: 1,
         parentId: 'toc:week:2026-W03', title: 'Thursday', startMs: 1, endMs: 2, bullets: '[]',
         gripIds: [], keywords: [], childNodeIds: [], createdMs: 3})`,
      params,
    );
    await isNamed(
      { about: `TocNode ${ref.nodeId}`, read: () => readWith(graph, findTocNodes, [ref]) },
      'MATCH (n:TocNode {store: $store, key: $key}) REMOVE n.title',
      params,
      '"title" is missing.',
    );
    // Jobs of other tests read all nodes of the installation.
    await write('MATCH (n:TocLatest|TocNode {store: $store}) DETACH DELETE n', params);
  });
});

describe('a damaged payload', () => {
  const usage = { inputTokens: 1, outputTokens: 'many', costUsd: null, llmCalls: 1, toolCalls: 0 };
  const payload = {
    ...{ processId: 'p', status: 'completed', output: { value: 'x' }, outputTruncated: false },
    ...{ error: null, usage, startedAt: null },
  };
  const damaged = () => someEntry({ kind: 'run.ended', payload });

  it('is an error that names entry, kind and path', async () => {
    const entry = damaged();
    const events = new Promise((resolve) => resolve(projectRunEvents(entry)));
    const wrong =
      '"usage.outputTokens" is wrong (Invalid input: expected number, received string).';
    expect(await failure(events)).toBe(`DamagedRow: OutboxEntry ${entry.id} (run.ended): ${wrong}`);
  });

  it('that is no JSON object does not stop the log; its readers fail and name it', async () => {
    const entry = damaged();
    // A number is unique, and a retry of this test begins anew.
    await write('MATCH (o:OutboxEntry {seq: -1}) DELETE o');
    // One statement: a relay of another test must not find it pending.
    await write(
      `CREATE (o:OutboxEntry {id: $id, kind: $kind, at: datetime($at), ownerId: $ownerId,
        workspace: $workspace, rootRunId: $rootRunId, runId: $runId, runPath: [], payload: '[]',
        seq: -1})`,
      entry,
    );
    const page = { afterSeq: -2, limit: 10 };
    const filter = { rootRunId: entry.rootRunId ?? '' };
    const listed = await readWith(graph, listEntries, filter, page);
    expect(listed).toMatchObject([{ id: entry.id }]);
    const events = (async () => listed.flatMap(projectRunEvents))();
    expect(await failure(events)).toBe(
      `DamagedRow: OutboxEntry ${entry.id} (run.ended): "payload" is no JSON object.`,
    );
  });
});
