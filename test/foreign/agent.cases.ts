import type { ModelToolCall } from '../../src/common/agent-call.ts';
import type { ForeignCase } from './foreign-case.ts';

/** `calls`: the tool that is called. `told`: a part of the words that the model reads instead. */
export type AgentRight = { readonly calls: string } | { readonly told: string };

/** Calls that a model requested from other agents. The step offers `search` and `write_file`. */
export const AGENT_CALLS: readonly ForeignCase<Partial<ModelToolCall>, AgentRight>[] = [
  {
    title: 'a tool that was made up',
    source: 'run-llama/llama_index#7170',
    input: { name: 'occcra_information' },
    right: { told: 'There is no tool "occcra_information". The tools are: search, write_file.' },
  },
  {
    title: 'a tool that the agent of another product has',
    source: 'aliasrobotics/cai#405',
    input: { name: 'generic_command' },
    right: { told: 'There is no tool "generic_command"' },
  },
  {
    title: 'a misspelt tool',
    source: 'openbraininstitute/neuroagent#243',
    input: { name: 'serch' },
    right: { told: 'There is no tool "serch"' },
  },
  {
    title: 'an unknown tool, whose answer lists the tools',
    source: 'livekit/agents#6085',
    input: { name: 'lookup' },
    right: { told: 'The tools are: search, write_file.' },
  },
  {
    title: 'an empty name',
    source: 'SpaceMolt/admiral#14',
    input: { name: '' },
    right: { told: 'A call names no tool. The tools are: search, write_file.' },
  },
  {
    title: 'a name of blanks',
    source: 'own',
    input: { name: ' \t' },
    right: { told: 'A call names no tool.' },
  },
  {
    title: 'a blank behind the name',
    source: 'amd/gaia#3742',
    input: { name: 'search ', arguments: { q: 'a' } },
    right: { calls: 'search' },
  },
  {
    title: 'the name twice',
    source: 'openai/codex#31665',
    input: { name: 'searchsearch' },
    right: { told: 'There is no tool "searchsearch"' },
  },
  {
    title: 'a name in a namespace',
    source: 'router-for-me/CLIProxyAPI#4106',
    input: { name: 'mcp__web__search' },
    right: { told: 'There is no tool "mcp__web__search"' },
  },
  ...['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf', '__defineGetter__'].map(
    (name) => ({
      title: `a name that every object has: ${name}`,
      source: 'minimaxir/big-list-of-naughty-strings#101',
      input: { name },
      right: { told: `There is no tool "${name}"` },
    }),
  ),
  {
    title: 'the name of a status that every object has',
    source: 'jshttp/statuses#21',
    input: { name: 'isPrototypeOf' },
    right: { told: 'There is no tool "isPrototypeOf"' },
  },
  {
    title: 'no arguments, where the tool needs one',
    source: 'Agent-Field/agentfield#353',
    input: { name: 'search', arguments: {} },
    right: { told: 'The arguments do not fit search' },
  },
  {
    title: 'arguments that are two objects in a row',
    source: 'continuedev/continue#5590',
    input: { name: 'search', arguments: null, raw: '{"q":"a"}{"q":"b"}' },
    right: { told: 'The arguments of search are no JSON object.' },
  },
  {
    title: 'the same arguments twice in a row',
    source: 'cline/kanban#339',
    input: { name: 'search', arguments: null, raw: '{"q":"a"}{"q":"a"}' },
    right: { told: 'The arguments of search are no JSON object.' },
  },
  {
    title: 'empty arguments for a tool that needs none',
    source: 'openai/openai-agents-js#664',
    input: { name: 'write_file', arguments: {} },
    right: { calls: 'write_file' },
  },
  {
    title: 'a name longer than any',
    source: 'own',
    input: { name: 'x'.repeat(100_000) },
    right: { told: 'There is no tool "xxx' },
  },
  {
    title: 'half of an emoji as a name',
    source: 'own',
    input: { name: 'search\ud83d' },
    right: { told: 'There is no tool "search' },
  },
];
