import type { Usage as UsageModel } from '../../src/common/tool-fault.ts';
import type { RunBudget as RunBudgetModel } from '../../src/runs/run/run.ts';
import { builder } from '../builder.ts';

export const Usage = builder.objectRef<UsageModel>('Usage').implement({
  description: 'Tokens, money and calls; failed and repeated calls count too.',
  fields: (t) => ({
    inputTokens: t.exposeInt('inputTokens', { description: 'Tokens sent to models.' }),
    outputTokens: t.exposeInt('outputTokens', { description: 'Tokens that came from models.' }),
    costUsd: t.exposeFloat('costUsd', {
      nullable: true,
      description: 'US dollars; null where no Tool has a price.',
    }),
    llmCalls: t.exposeInt('llmCalls', { description: 'Calls of models.' }),
    toolCalls: t.exposeInt('toolCalls', { description: 'Calls of all Tools, models included.' }),
  }),
});

export const RunBudget = builder.objectRef<RunBudgetModel>('RunBudget').implement({
  description: 'What a run and all runs below it may spend, and have spent.',
  fields: (t) => ({
    tokens: t.exposeInt('tokens', { nullable: true, description: 'Tokens; null = no bound.' }),
    costUsd: t.exposeFloat('costUsd', {
      nullable: true,
      description: 'US dollars; null = no bound.',
    }),
    tokensUsed: t.exposeInt('tokensUsed', { description: 'Tokens spent so far.' }),
    costUsdUsed: t.exposeFloat('costUsdUsed', { description: 'US dollars spent so far.' }),
  }),
});
