import { z } from 'zod';
import { numberOrNull } from '../../common/stored.ts';

/** A stored amount; 0 where none is stored. */
export const Amount = numberOrNull.transform((amount) => amount ?? 0);
/** The budget of a run tree, as its root has it. */
export const TreeBudget = z.object({
  budgetTokens: numberOrNull,
  budgetCostUsd: numberOrNull,
  budgetVersion: Amount,
  tokensUsed: Amount,
  costUsed: Amount,
  tokensReserved: Amount,
  costReserved: Amount,
});
export type TreeBudget = Readonly<z.infer<typeof TreeBudget>>;

/** Tokens, and US dollars. */
export interface CallCost {
  readonly tokens: number;
  readonly cost: number;
}

/**
 * The budget after the reservation of a call. A reservation that a lost worker left counts as
 * spent, because the provider's bill for that call is unknown.
 * @returns null where the call does not fit
 */
export function reserve(budget: TreeBudget, lost: CallCost, estimate: CallCost): TreeBudget | null {
  const { budgetTokens, budgetCostUsd } = budget;
  const free = settle(budget, lost, lost);
  const tokensReserved = free.tokensReserved + estimate.tokens;
  const costReserved = free.costReserved + estimate.cost;
  if (budgetTokens !== null && free.tokensUsed + tokensReserved > budgetTokens) return null;
  if (budgetCostUsd !== null && free.costUsed + costReserved > budgetCostUsd) return null;
  return { ...free, tokensReserved, costReserved };
}

/** The budget after the reservation of a call was replaced by its real cost. */
export function settle(budget: TreeBudget, reserved: CallCost, real: CallCost): TreeBudget {
  return {
    ...budget,
    tokensUsed: budget.tokensUsed + real.tokens,
    costUsed: budget.costUsed + real.cost,
    tokensReserved: budget.tokensReserved - reserved.tokens,
    costReserved: budget.costReserved - reserved.cost,
  };
}
