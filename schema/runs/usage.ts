import type { Usage as UsageModel } from '../../src/common/tool-fault.ts';
import type { RunBudget as RunBudgetModel } from '../../src/runs/run/run.ts';
import { builder } from '../builder.ts';
import { outputFields } from '../fields.ts';

export const Usage = builder.objectRef<UsageModel>('Usage').implement({
  description: 'Tokens, cost and calls, including failed and repeated calls.',
  fields: outputFields({
    inputTokens: ['Int', 'Number of tokens sent to models.'],
    outputTokens: ['Int', 'Number of tokens received from models.'],
    costUsd: ['Float?', 'Cost in US dollars; null if no Tool has a price.'],
    llmCalls: ['Int', 'Number of calls of models.'],
    toolCalls: ['Int', 'Number of calls of Tools other than models.'],
  }),
});

export const RunBudget = builder.objectRef<RunBudgetModel>('RunBudget').implement({
  description: 'Budget of a run and all runs below it, and the part already spent.',
  fields: outputFields({
    tokens: ['Int?', 'Maximum number of tokens; null: no limit.'],
    costUsd: ['Float?', 'Maximum cost in US dollars; null: no limit.'],
    tokensUsed: ['Int', 'Number of tokens spent so far.'],
    costUsdUsed: ['Float', 'Cost so far in US dollars.'],
  }),
});
