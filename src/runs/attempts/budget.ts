/** The budget of a run tree, as its root has it. */
export interface TreeBudget {
  readonly budgetTokens: number | null;
  readonly budgetCostUsd: number | null;
  readonly budgetVersion: number;
  readonly tokensUsed: number;
  readonly costUsed: number;
  readonly tokensReserved: number;
  readonly costReserved: number;
}

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
