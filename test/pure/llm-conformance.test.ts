import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { startGgufServer } from '../../packages/gguf-llm/src/server.ts';
import { startLocalLlm } from '../../packages/local-llm/src/server.ts';
import type { JsonObject } from '../../src/common/json.ts';
import type { ToolFault } from '../../src/common/tool-fault.ts';
import type { DriverCall } from '../../src/platform/drivers/driver.ts';
import { llmDriver } from '../../src/platform/drivers/llm-call.ts';
import { type Egress, openEgress } from '../../src/platform/egress/egress.ts';
import { openEmbedder } from '../../src/platform/embeddings/embedder.ts';
import { openRenderer, type Renderer } from '../../src/platform/renderer/renderer.ts';
import { driverCall, driverTarget } from '../testkit/driver-calls.ts';
import {
  FOREIGN_KEY,
  type ForeignLlm,
  openAimock,
  openMockApi,
  SAID,
  SAID_JSON,
} from '../testkit/foreign-llms.ts';

type LlmOperation = Extract<DriverCall['operation'], { type: 'llm_call' }>;

const schema: JsonObject = {
  type: 'object',
  required: ['capital'],
  properties: { capital: { type: 'string' }, note: { type: 'string' } },
};

interface Server {
  readonly name: string;
  readonly model: string;
  readonly hasKey: boolean;
  readonly embeddings: string | null;
  open(): Promise<ForeignLlm | null>;
}

/** Aiden's own two servers, and two by other people. */
const SERVERS: readonly Server[] = [
  {
    name: 'local-llm',
    model: 'local-extractive-1',
    hasKey: false,
    embeddings: null,
    async open() {
      const server = await startLocalLlm();
      return { url: `${server.url}/v1`, close: () => server.close() };
    },
  },
  {
    name: 'gguf-llm',
    model: 'small',
    hasKey: false,
    embeddings: 'small-embed',
    async open() {
      const server = await startGgufServer({
        chat: {
          name: 'small',
          contextTokens: 1_000,
          async chat({ schema: asked, onText }) {
            for (const piece of (asked === null ? SAID : SAID_JSON).match(/.{1,8}/g) ?? [])
              onText(piece);
            return { finishReason: 'stop', promptTokens: 12, completionTokens: 8 };
          },
        },
        embeddings: {
          name: 'small-embed',
          dimensions: 2,
          embed: async () => ({ vector: [0.6, 0.8], tokens: 2 }),
        },
      });
      return { url: `${server.url}/v1`, close: () => server.close() };
    },
  },
  {
    name: 'aimock',
    model: 'gpt-4o-mini',
    hasKey: true,
    embeddings: 'text-embedding-3-small',
    open: () => openAimock(),
  },
  {
    name: 'openai-mock-api',
    model: 'gpt-4o-mini',
    hasKey: true,
    embeddings: null,
    open: openMockApi,
  },
];

let egress: Egress;
let renderer: Renderer;
beforeAll(() => {
  egress = openEgress({ mode: 'dev', allow: [], platformPorts: [], systemOrigins: [] });
  renderer = openRenderer();
});
afterAll(() => Promise.all([egress.close(), renderer.close()]));

describe.each(SERVERS)('the LLM driver with $name (S4-TOOL-12)', (server) => {
  let opened: ForeignLlm | null = null;
  const INSTALL_MS_MAX = 400_000;
  beforeAll(async () => {
    opened = await server.open();
  }, INSTALL_MS_MAX);
  afterAll(() => opened?.close());

  function url({ skip }: TestContext): string {
    if (opened === null) skip(`${server.name} can not be installed here; it needs npm's registry`);
    return opened?.url ?? '';
  }

  function target(endpoint: string, key = FOREIGN_KEY) {
    return driverTarget('llm_call', {
      connectionParams: { endpoint, model: server.model },
      secret: server.hasKey ? { value: key, scope: null } : null,
    });
  }

  async function ask(endpoint: string, operation: Partial<LlmOperation>, key?: string) {
    const spoken: string[] = [];
    const driver = llmDriver({ egress, renderer });
    const promptTemplate =
      '<text>\nRome is the capital of Italy.\n</text>\n\nWhat is the capital of Italy?';
    const call = driverCall(
      {
        type: 'llm_call',
        promptTemplate,
        systemPrompt: 'You answer.',
        ...operation,
      } as LlmOperation,
      target(endpoint, key),
      { onText: (delta) => spoken.push(delta) },
    );
    return { ...(await driver.invoke(call)), spoken };
  }

  it('streams an answer in pieces and counts its tokens', async (context) => {
    const { output, spoken, usage } = await ask(url(context), {});
    expect(output).toBe(SAID);
    expect(spoken.length).toBeGreaterThan(1);
    expect(spoken.join('')).toBe(SAID);
    expect(usage.llmCalls).toBe(1);
    expect(usage.inputTokens).toBeGreaterThan(0);
    expect(usage.outputTokens).toBeGreaterThan(0);
  });

  it('sends a JSON schema and gets an object', async (context) => {
    const { output, usage } = await ask(url(context), {
      promptTemplate:
        '<text>\nRome is the capital of Italy.\n</text>\n\nExtract the capital as JSON.',
      responseSchema: schema,
    });
    expect(output).toMatchObject({ capital: expect.stringContaining('Rome') });
    expect(usage.llmCalls).toBe(1);
  });

  if (server.hasKey)
    it('names a refused key and says that another attempt does not help', async (context) => {
      const fault: ToolFault = await ask(url(context), {}, 'sk-wrong-0123456789').then(
        () => Promise.reject(new Error('It did not fail.')),
        (error: ToolFault) => error,
      );
      expect(fault).toMatchObject({
        code: 'TOOL_FAILED',
        retryable: false,
        details: { status: 401 },
      });
      expect(fault.message).not.toContain('sk-wrong-0123456789');
    });

  it('is healthy', async (context) => {
    const driver = llmDriver({ egress, renderer });
    const probe = await driver.probe(target(url(context)), new AbortController().signal);
    // aimock answers for any model, and lists other ones.
    if (server.name === 'aimock')
      expect(probe).toEqual({
        status: 'degraded',
        errorMessage: expect.stringMatching(/^The provider does not know the model gpt-4o-mini\./),
      });
    else expect(probe).toMatchObject({ status: 'healthy', errorMessage: null });
  });

  const { embeddings: model } = server;
  if (model !== null)
    it('embeds texts', async (context) => {
      const apiKey = server.hasKey ? FOREIGN_KEY : undefined;
      const embedder = openEmbedder(egress, { url: url(context), model, apiKey });
      expect(await embedder.embed(['Rome', 'Turin'])).toEqual([
        [0.6, 0.8],
        [0.6, 0.8],
      ]);
    });
});
