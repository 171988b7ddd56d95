import type { PageArgs } from '../../common/page.ts';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { listing, listPage } from '../../platform/neo4j/list-page.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { readAll } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { Approval } from './approval.ts';

const APPROVAL = /* cypher */ `a {.id, .ownerId, .runId, .rootRunId, .stepId, .index, .toolId,
    .memory, .requestedAt, .expiresAt, inputs: step.inputs, inputsBlob: step.inputsBlob}`;

const toApproval = (row: unknown): Approval => parseRow(Approval, row, 'Approval');

const FIND = cypher`
  // findApprovals
  MATCH (a:Approval) WHERE a.id IN $ids AND a.ownerId = $viewerId
  OPTIONAL MATCH (a)-[:ABOUT]->(step:StepRun)
  RETURN ${APPROVAL} AS approval
`;

/** The viewer's approvals among `ids`, decided ones too, in any order. */
export const findApprovals = (tx: ReadTx, viewerId: string, ids: readonly string[]) =>
  readAll(tx, FIND, { ids, viewerId }, (row) => toApproval(row['approval']));

const OPEN = listing({
  name: 'listApprovals',
  match: `MATCH (a:OpenApproval) USING INDEX SEEK a:OpenApproval(ownerId, id)
    WHERE a.ownerId = $viewerId AND ($runId IS NULL OR $runId IN a.runPath)`,
  within: ['a.ownerId'],
  order: [{ cypher: 'a.id', type: 'text', order: 'ascending' }],
  detail: 'OPTIONAL MATCH (a)-[:ABOUT]->(step:StepRun)',
  item: APPROVAL,
});

/**
 * The viewer's open approvals, oldest first; with `runId` only those of this run and the sub-runs
 * below it.
 */
export const listApprovals = (
  tx: ReadTx,
  viewerId: string,
  filter: { readonly runId?: string | null | undefined },
  page: PageArgs,
) => listPage(tx, OPEN, page, { viewerId, runId: filter.runId ?? null }, toApproval);
