import type { Usage as UsageModel } from '../../src/common/tool-fault.ts';
import type { RunBudget as RunBudgetModel } from '../../src/runs/run/run.ts';
import { builder } from '../builder.ts';

export const Usage = builder.objectRef<UsageModel>('Usage').implement({
  description: 'Tokens, cost and calls, including failed and repeated calls.',
  fields: (t) => ({
    inputTokens: t.exposeInt('inputTokens', { description: 'Number of tokens sent to models.' }),
    outputTokens: t.exposeInt('outputTokens', {
      description: 'Number of tokens received from models.',
    }),
    costUsd: t.exposeFloat('costUsd', {
      nullable: true,
      description: 'Cost in US dollars; null if no Tool has a price.',
    }),
    llmCalls: t.exposeInt('llmCalls', { description: 'Number of calls of models.' }),
    toolCalls: t.exposeInt('toolCalls', {
      description: 'Number of calls of Tools other than models.',
    }),
  }),
});

export const RunBudget = builder.objectRef<RunBudgetModel>('RunBudget').implement({
  description: 'Budget of a run and all runs below it, and the part already spent.',
  fields: (t) => ({
    tokens: t.exposeInt('tokens', {
      nullable: true,
      description: 'Maximum number of tokens; null: no limit.',
    }),
    costUsd: t.exposeFloat('costUsd', {
      nullable: true,
      description: 'Maximum cost in US dollars; null: no limit.',
    }),
    tokensUsed: t.exposeInt('tokensUsed', { description: 'Number of tokens spent so far.' }),
    costUsdUsed: t.exposeFloat('costUsdUsed', { description: 'Cost so far in US dollars.' }),
  }),
});
