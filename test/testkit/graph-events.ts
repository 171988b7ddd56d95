import type { RunEvent } from '../../packages/client/src/conversation-graph/index.ts';

// Events of the conversation graph, in few words.

export const starts = (runId: string, parentId?: string, agentId = 'a'): RunEvent => ({
  ...{ kind: 'harness_start', runId, agentId },
  ...(parentId === undefined ? {} : { parentId }),
});
export const ends = (runId: string, agentId = 'a'): RunEvent => ({
  ...{ kind: 'harness_end', runId, agentId },
});
export const says = (id: string, runId: string, content: string): RunEvent => ({
  ...{ kind: 'text', id, runId, content },
});
export const calls = (
  id: string,
  runId: string,
  name = 'n',
  input: unknown = null,
  parentId?: string,
): RunEvent => ({
  ...{ kind: 'tool_call', id, runId, name, input },
  ...(parentId === undefined ? {} : { parentId }),
});
export const gives = (id: string, runId: string, name: string, output: unknown): RunEvent => ({
  ...{ kind: 'tool_result', id, runId, name, output },
});
export const usage = (runId: string, inputTokens: number, outputTokens: number): RunEvent => ({
  ...{ kind: 'usage', runId, inputTokens, outputTokens },
});
/** A question to a person about a call. */
export const asks = (id: string, runId: string, toolCallId: string, tool: string): RunEvent => ({
  ...{ kind: 'relay', id, runId, relayKind: 'permission', toolCallId, tool, params: {} },
});
