import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/common/json.ts';
import { switchedModel, withModel } from '../../src/main/language-model-switch.ts';

const SYSTEM = readFileSync(new URL('../../examples/system.yaml', import.meta.url), 'utf8');

interface Shipped {
  readonly tools: readonly {
    readonly name: string;
    readonly service: string;
    readonly secret?: string;
    readonly connectionParams: JsonObject;
    readonly operation: { readonly type: string; readonly responseSchema?: JsonObject };
  }[];
}
const toolsOf = (document: string) => (parse(document) as Shipped).tools;
const llmTools = (document: string) =>
  toolsOf(document).filter(({ operation }) => operation.type === 'llm_call');

describe('the switch to a real model (issue 18, item 3)', () => {
  const model = {
    endpoint: 'https://models.example/v1',
    model: 'large',
    api: 'openai',
    secret: 'AIDEN_LLM_API_KEY',
  } as const;

  it('reaches every shipped LLM Tool, the chat included, and no other Tool', () => {
    const switched = llmTools(withModel(SYSTEM, model));
    expect(switched.map(({ name }) => name)).toContain('chat');
    expect(switched).toHaveLength(llmTools(SYSTEM).length);
    for (const { connectionParams, secret } of switched) {
      expect(connectionParams).toMatchObject({ endpoint: model.endpoint, model: 'large' });
      expect(secret).toBe('AIDEN_LLM_API_KEY');
    }
    const others = (document: string) =>
      toolsOf(document).filter(({ operation }) => operation.type !== 'llm_call');
    expect(others(withModel(SYSTEM, model))).toEqual(others(SYSTEM));
  });

  it('leaves prompts, schemas and other connection parameters as they ship, but toolCalls', () => {
    const shipped = llmTools(SYSTEM);
    const switched = llmTools(withModel(SYSTEM, { ...model, api: null, secret: null }));
    expect(switched).toEqual(
      shipped.map((tool) => {
        const { toolCalls: _, ...others } = tool.connectionParams;
        const connectionParams = { ...others, endpoint: model.endpoint, model: 'large' };
        return { ...tool, connectionParams };
      }),
    );
    // local-llm alone is known to call no tools.
    expect(shipped.some(({ connectionParams }) => connectionParams['toolCalls'] === false)).toBe(
      true,
    );
    const structured = switched.filter(({ operation }) => operation.responseSchema !== undefined);
    for (const { connectionParams } of structured)
      expect(connectionParams['structuredOutputs']).toBe(true);
  });

  it('is off without an address, also where only a key is set', () => {
    expect(switchedModel({ llmApiKey: 'sk-1', llmUrl: undefined, llmModel: undefined })).toBeNull();
    expect(
      switchedModel({ llmUrl: 'http://10.0.0.5:8000/v1', llmModel: 'm', llmApi: 'openai' }),
    ).toEqual({ endpoint: 'http://10.0.0.5:8000/v1', model: 'm', api: 'openai', secret: null });
  });
});
