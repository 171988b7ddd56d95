import type { ModelToolCall } from '../../src/common/agent-call.ts';
import { type ForeignCase, rows } from './foreign-case.ts';

/** `calls`: the tool that is called. `told`: a part of the words that the model reads instead. */
export type AgentRight = { readonly calls: string } | { readonly told: string };

/** Calls that a model requested from other agents. The step offers `search` and `write_file`. */
export const AGENT_CALLS: readonly ForeignCase<Partial<ModelToolCall>, AgentRight>[] = [
  ...rows<ForeignCase<Partial<ModelToolCall>, AgentRight>>('agent', 'AGENT_CALLS'),
  ...['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf', '__defineGetter__'].map(
    (name) => ({
      title: `a name that every object has: ${name}`,
      source: 'minimaxir/big-list-of-naughty-strings#101',
      input: { name },
      right: { told: `There is no tool "${name}"` },
    }),
  ),
  {
    title: 'a name longer than any',
    source: 'own',
    input: { name: 'x'.repeat(100_000) },
    right: { told: 'There is no tool "xxx' },
  },
];
