import { z } from 'zod';
import { Float, type WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { Amount, type CallCost, TreeBudget } from './budget.ts';

const BudgetRow = z.object({
  budget: TreeBudget,
  reserved: z.object({ tokensReserved: Amount, costReserved: Amount }).nullable(),
});

// The lock of the root orders concurrent writes of the budget.
const LOCK = cypher`
  // lockBudget
  MATCH (root:ProcessRun {id: $rootRunId})
  SET root.lockedAt = $now
  WITH root
  OPTIONAL MATCH (s:StepRun {key: $key})
  RETURN root {.budgetTokens, .budgetCostUsd, .budgetVersion, .tokensUsed, .costUsed,
    .tokensReserved, .costReserved} AS budget, s {.tokensReserved, .costReserved} AS reserved
`;

/**
 * Locks the budget of a run tree until the transaction ends.
 * @returns it, and the reservation of the step; null where the root is gone
 */
export async function lockBudget(
  tx: WriteTx,
  lock: { readonly rootRunId: string; readonly key: string; readonly now: string },
): Promise<{ readonly budget: TreeBudget; readonly reserved: CallCost } | null> {
  const [row] = await tx.run(LOCK, lock);
  if (row === undefined) return null;
  const { budget, reserved } = parseRow(BudgetRow, row, `ProcessRun ${lock.rootRunId}`);
  return {
    budget,
    reserved: { tokens: reserved?.tokensReserved ?? 0, cost: reserved?.costReserved ?? 0 },
  };
}

const SET = cypher`
  // setBudget
  MATCH (root:ProcessRun {id: $rootRunId}), (s:StepRun {key: $key})
  SET root += $budget, s.tokensReserved = $tokens, s.costReserved = $cost
`;

/**
 * Sets the spent and reserved parts of a budget.
 * @param reserved of the step; null: none is left
 */
export async function setBudget(
  tx: WriteTx,
  set: { readonly rootRunId: string; readonly key: string },
  { tokensUsed, costUsed, tokensReserved, costReserved }: TreeBudget,
  reserved: CallCost | null,
): Promise<void> {
  await tx.run(SET, {
    ...set,
    budget: {
      tokensUsed,
      tokensReserved,
      costUsed: new Float(costUsed),
      costReserved: new Float(costReserved),
    },
    tokens: reserved?.tokens ?? null,
    cost: reserved === null ? null : new Float(reserved.cost),
  });
}
