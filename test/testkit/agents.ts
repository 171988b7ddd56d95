import type { Json, JsonObject } from '../../src/common/json.ts';
import type { LlmRequest, ScriptedReply } from './scripted-llm.ts';

/** The results of tools that a request tells the model, oldest first, in either dialect. */
export function toolResultsIn({ api, body }: LlmRequest): string[] {
  const messages = (body['messages'] ?? []) as JsonObject[];
  if (api === 'openai')
    return messages
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => textOf(content ?? null));
  return messages.flatMap(({ content }) =>
    Array.isArray(content)
      ? (content as JsonObject[])
          .filter(({ type }) => type === 'tool_result')
          .map(({ content: result }) => textOf(result ?? null))
      : [],
  );
}

function textOf(result: Json): string {
  if (typeof result === 'string') return result;
  return Array.isArray(result)
    ? result.map((part) => String((part as JsonObject)['text'])).join('')
    : JSON.stringify(result);
}

/** The tools that a request offers, as name and JSON Schema. */
export function toolsIn({ api, body }: LlmRequest): { name: string; parameters: Json }[] {
  const tools = (body['tools'] ?? []) as JsonObject[];
  return tools.map((tool) => {
    const { name, parameters, input_schema } =
      api === 'openai' ? (tool['function'] as JsonObject) : tool;
    return { name: String(name), parameters: parameters ?? input_schema ?? null };
  });
}

/** A request of one tool. */
export function calls(...requested: readonly [string, JsonObject | string][]): ScriptedReply {
  return { toolCalls: requested.map(([name, given]) => ({ name, arguments: given })) };
}
