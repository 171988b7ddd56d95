import { describe, expect, it } from 'vitest';
import type { CallFile } from '../../src/call-graph/call-file.ts';
import { exportCallFile, importCallFile } from '../../src/call-graph/call-transfer.service.ts';
import {
  endedRun,
  endedStep,
  PROCESS,
  picture,
  project,
  startedRun,
  startedStep,
  storyteller,
} from '../testkit/calls.ts';
import { writeCypher } from '../testkit/graph.ts';
import { refuses, world, worldGraph } from '../testkit/world.ts';

async function exported(ownerId: string): Promise<CallFile> {
  let text = '';
  for await (const piece of exportCallFile(worldGraph(), { ownerId })) text += piece;
  return JSON.parse(text) as CallFile;
}

/**
 * The document of one person; other tests write into the same database, and operations are
 * everybody's.
 */
async function exportOf(ownerId: string): Promise<CallFile> {
  const document = await exported(ownerId);
  const used = new Set(document.nodes.map(({ operationId }) => operationId));
  return { ...document, operations: document.operations.filter(({ id }) => used.has(id)) };
}

async function someCalls() {
  const { ada } = await world();
  const runState = storyteller(ada.viewer);
  const run = runState.run();
  run.tell('run.requested', { ...PROCESS, retryOfId: null, scopes: ['user'] });
  run.tell('run.started', startedRun({ question: 'why? 🌍' }));
  run.tell('step.started', startedStep('look', { q: 'x'.repeat(20_000) }));
  run.tell('step.ended', endedStep('look', null));
  run.tell('step.started', startedStep('think', {}, { dependsOn: ['look'] }));
  run.tell('run.ended', endedRun('because'));
  await project(runState.entries);
  return { viewer: ada.viewer, runId: run.runId };
}
const forget = (ownerId: string) =>
  writeCypher(worldGraph(), 'MATCH (n:CallGraphNode {ownerId: $ownerId}) DETACH DELETE n', {
    ownerId,
  });

describe('the call graph as a document', () => {
  // S3-FLOW-01, S3-FLOW-03
  it('comes back as it went, and the same again changes nothing', async () => {
    const { viewer, runId } = await someCalls();
    const document = await exportOf(viewer.userId);
    const before = await picture(viewer, runId);
    expect(document.nodes).toHaveLength(3);
    expect(document.edges).toHaveLength(3);
    await forget(viewer.userId);
    expect(await importCallFile(worldGraph(), document)).toEqual({ calls: 3, kept: 0 });
    expect(await picture(viewer, runId)).toEqual(before);
    expect(await exportOf(viewer.userId)).toEqual(document);
    expect(await importCallFile(worldGraph(), document)).toEqual({ calls: 3, kept: 0 });
    expect(await exportOf(viewer.userId)).toEqual(document);
  });

  it('adds, and does not rewrite the past', async () => {
    const { viewer, runId } = await someCalls();
    const document = await exportOf(viewer.userId);
    const before = await picture(viewer, runId);
    const nodes = document.nodes.map((call) => ({
      ...call,
      id: `other-${call.id}`,
      output: 'forged',
    }));
    const expected = { calls: 3, kept: 3 };
    expect(await importCallFile(worldGraph(), { ...document, nodes })).toEqual(expected);
    expect(await picture(viewer, runId)).toEqual(before);
  });

  it('is refused with all that is wrong in it, and then nothing is written', async () => {
    const { viewer } = await someCalls();
    const document = await exportOf(viewer.userId);
    await forget(viewer.userId);
    const [first, second, third] = document.nodes;
    const wrong = {
      ...document,
      operations: [],
      nodes: [first, { ...second, parentRequestId: 'nobody' }, third],
      edges: [...document.edges, { ...document.edges[0], target: 'nobody' }],
    };
    await refuses(
      importCallFile(worldGraph(), wrong),
      'NOT_FOUND nodes.0.operationId',
      'NOT_FOUND nodes.1.operationId',
      'INVALID nodes.1.parentRequestId',
      'NOT_FOUND nodes.2.operationId',
      'NOT_FOUND edges.3.target',
    );
    const shapeless = { ...document, version: 2, nodes: [{ ...first, status: 'done', more: 1 }] };
    await refuses(
      importCallFile(worldGraph(), shapeless),
      'INVALID version',
      'INVALID nodes.0.status',
      'INVALID nodes.0',
    );
    expect((await exportOf(viewer.userId)).nodes).toEqual([]);
  });
});
