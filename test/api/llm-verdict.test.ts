import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startRun } from '../browser/tour-data.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { type Llmock, llmockMissing, openLlmock } from '../testkit/foreign-llms.ts';
import { LLM_SERVICE } from '../testkit/talk-world.ts';

// llmock breaks the answers of a model, sees every attempt of a run with its time, and judges the
// product: did it wait as long as it was told, did it take half an answer, did it repeat a request
// that can not succeed?

const missing = llmockMissing();
const REPLY = 'one two three four five six seven eight nine ten';

describe.skipIf(missing !== null)(`llmock${missing === null ? '' : `: ${missing}`}`, () => {
  let llmock: Llmock;
  let ada: TestClient;
  let serviceId: string;

  beforeAll(async () => {
    llmock = await openLlmock();
    ada = client(freshName('ada'));
    serviceId = await ada.creates('service', LLM_SERVICE);
  });
  afterAll(() => llmock.close());
  afterEach(() => llmock.reset());

  async function runs(api: 'openai' | 'anthropic') {
    const toolId = await ada.creates('tool', {
      serviceId,
      connectionParams: { endpoint: llmock[api], model: 'a-model', api },
      operation: { llmCall: { promptTemplate: 'Count to ten.' } },
      inputSchema: { type: 'object', properties: {} },
      outputSchema: {},
    });
    const processId = await ada.creates('process', {
      initialContext: [],
      steps: [
        {
          stepId: 'count',
          calls: { toolId },
          inputs: {},
          output: { variable: 'counted' },
          execution: { retry: { maximumAttempts: 5, initialInterval: 0.1 } },
        },
      ],
      outputTemplate: '{{counted}}',
    });
    const id = await startRun(ada, processId, {});
    let last: unknown;
    for await (const { processRun } of ada.subscribeSse<{ processRun: unknown }>(
      'subscription ($id: ID!) { processRun(id: $id) { status output steps { attempt } } }',
      { id },
    ))
      last = processRun;
    return last;
  }

  // Health probes are requests too, so faults are for calls of the model only.
  const match = { stream: true };

  describe.each(['openai', 'anthropic'] as const)('a run over %s', (api) => {
    it('comes through a rate limit and three kinds of broken streams', async () => {
      await llmock.plays(
        { type: 'fail', status: 429, retry_after: 1, match },
        { type: 'stream_fault', kind: 'disconnect', after_chunks: 3 },
        { type: 'stream_fault', kind: 'truncate', after_chunks: 4 },
        { type: 'stream_fault', kind: 'malformed', after_chunks: 4 },
        { type: 'reply', text: REPLY, times: null, match },
      );
      expect(await runs(api)).toEqual({
        status: 'COMPLETED',
        output: REPLY,
        steps: [{ attempt: 5 }],
      });
      expect(await llmock.verdict()).toMatchObject({
        passed: true,
        faults_injected: 4,
        findings: [],
      });
    });

    it('does not repeat a request that the provider refuses', async () => {
      await llmock.plays({ type: 'fail', status: 400, times: null, match });
      expect(await runs(api)).toMatchObject({ status: 'FAILED', steps: [{ attempt: 1 }] });
      expect(await llmock.verdict()).toMatchObject({ passed: true, findings: [] });
    });
  });
});
