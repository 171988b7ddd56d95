import { z } from 'zod';
import { isTrue } from '../../common/stored.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import { parseRow, textsOf } from '../../platform/neo4j/row.ts';
import { readAll } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';

// `Process.mayChange`: whether a Process reaches a Tool that may change data, through all that it
// calls or offers. It is kept when a Process or a Tool is written, so that no reader walks the
// calls (docs/decisions/0094). A change that flips it goes up to the callers, level by level. Each
// level is locked before it is read, so that of two changes at once the later one sees both.

const LOOK = cypher`
  // lookAtMayChange
  MATCH (n:Process) WHERE n.id IN $ids
  SET n.mayChange = coalesce(n.mayChange, false)
  RETURN n.id AS id, n.mayChange AS was,
    EXISTS {
      MATCH (n)-[:DEFINES_STEP]->(:ProcessStep)-[:CALLS_TOOL|OFFERS_TOOL]->(t:Tool)
      WHERE coalesce(t.mayChange, true)
    } AS byTool,
    EXISTS {
      MATCH (n)-[:DEFINES_STEP]->(:ProcessStep)-[:CALLS_PROCESS|OFFERS_PROCESS]->(q:Process)
      WHERE q.mayChange AND NOT q.id IN $except
    } AS byProcess
`;

const Look = z.object({
  id: z.string(),
  was: z.boolean(),
  byTool: isTrue,
  byProcess: isTrue,
});

/**
 * A Process that is new becomes one that may not change data, until a reason is found.
 * @param except called Processes that do not count
 */
const look = (tx: WriteTx, ids: readonly string[], except: readonly string[] = []) =>
  readAll(tx, LOOK, { ids, except }, (row) => parseRow(Look, row, 'Process'));

const SET = cypher`
  // setMayChange
  MATCH (n:Process) WHERE n.id IN $ids
  SET n.mayChange = $mayChange
`;

const CALLERS = cypher`
  // listCallingProcesses
  MATCH (q:Process)<-[:CALLS_PROCESS|OFFERS_PROCESS]-(:ProcessStep)<-[:DEFINES_STEP]-(n:Process)
  WHERE q.id IN $ids
  RETURN DISTINCT n.id AS id
`;

const USERS = cypher`
  // listProcessesOfTool
  MATCH (:Tool {id: $toolId})<-[:CALLS_TOOL|OFFERS_TOOL]-(:ProcessStep)<-[:DEFINES_STEP]-(n:Process)
  RETURN DISTINCT n.id AS id
`;

async function callersOf(tx: WriteTx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const callers = textsOf(await tx.run(CALLERS, { ids }), 'id', 'Process');
  await lockResources(tx, callers);
  return callers;
}

/** Marks Processes and all that call them, as far as they are not marked. */
async function raise(tx: WriteTx, ids: readonly string[]): Promise<void> {
  let next = [...ids];
  while (next.length > 0) {
    await tx.run(SET, { ids: next, mayChange: true });
    const callers = await look(tx, await callersOf(tx, next));
    next = callers.filter(({ was }) => !was).map(({ id }) => id);
  }
}

/**
 * Decides anew whether these Processes may change data, and those that call them. Call it after
 * their steps, or their Tools, were written. The Processes have to be locked.
 */
export async function settleMayChange(tx: WriteTx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await look(tx, ids);
  const open = found.filter(({ was, byTool, byProcess }) => (was ? !byTool : byTool || byProcess));
  if (open.every(({ was }) => !was)) {
    await raise(
      tx,
      open.map(({ id }) => id),
    );
    return;
  }
  // Those that call each other in a circle do not count for one another.
  const doubted = new Set(open.map(({ id }) => id));
  let next = open.filter(({ was }) => was).map(({ id }) => id);
  while (next.length > 0) {
    const callers = await look(tx, await callersOf(tx, next));
    next = callers.filter(({ id, was }) => was && !doubted.has(id)).map(({ id }) => id);
    for (const id of next) doubted.add(id);
  }
  const all = [...doubted];
  const reasons = await look(tx, all, all);
  await tx.run(SET, { ids: all, mayChange: false });
  await raise(
    tx,
    reasons.filter(({ byTool, byProcess }) => byTool || byProcess).map(({ id }) => id),
  );
}

/** settleMayChange for the Processes that call or offer a Tool. */
export async function settleMayChangeOfTool(tx: WriteTx, toolId: string): Promise<void> {
  const ids = textsOf(await tx.run(USERS, { toolId }), 'id', 'Process');
  await lockResources(tx, ids);
  await settleMayChange(tx, ids);
}
