import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json.ts';
import { checkEmbeddings, checkModel } from '../../src/main/model-check.ts';
import { type Egress, openEgress } from '../../src/platform/egress/egress.ts';
import { driverTarget } from '../testkit/driver-calls.ts';
import { openScriptedLlm, type ScriptedLlm, type ScriptedReply } from '../testkit/scripted-llm.ts';

let llm: ScriptedLlm;
let egress: Egress;
let count = 0;
beforeAll(async () => {
  llm = await openScriptedLlm();
  egress = openEgress({ mode: 'dev', allow: [], platformPorts: [], systemOrigins: [] });
});
afterAll(async () => {
  await egress.close();
  await llm.close();
});

async function examine(replies: readonly ScriptedReply[], params: JsonObject = {}) {
  const model = `checked-${++count}`;
  llm.script(replies, model);
  const secret = { value: 'sk-CANARY-0123456789', scope: null };
  const connectionParams = { endpoint: llm.openai, model, ...params };
  const target = driverTarget('llm_call', { connectionParams, secret });
  const findings = await checkModel(egress, target);
  return { findings, lines: findings.map(({ name, text }) => `${name}: ${text}`), model };
}

describe('aiden doctor asks the model', () => {
  it('and says its name, place, speed, streaming and JSON', async () => {
    const { findings, lines, model } = await examine([
      { text: ['Rome', ' is', ' it.'] },
      { text: '{"capital": "Rome"}' },
    ]);
    expect(findings.every(({ ok }) => ok)).toBe(true);
    expect(lines[0]).toMatch(
      new RegExp(
        `^Model: ${model} at .*: first word after [0-9.]+ s, whole answer after [0-9.]+ s$`,
      ),
    );
    expect(lines[1]).toContain('"Rome is it."');
    expect(lines[2]).toContain('yes: the answer came in 3 pieces');
    expect(lines[3]).toMatch(/^JSON: yes: an answer fitted/);
  });

  it('and says that its answers come whole or fit no schema', async () => {
    const { findings, lines } = await examine([
      { text: 'Rome.' },
      { text: 'The capital?' },
      { text: 'I said Rome.' },
    ]);
    expect(lines[2]).toContain('Streaming: no');
    expect(lines[3]).toMatch(/^JSON: no: .*choose a model/);
    expect(findings.map(({ ok }) => ok)).toEqual([true, true, true, false]);
  });

  it.each([
    [401, 'AIDEN_LLM_API_KEY'],
    [404, 'AIDEN_LLM_MODEL'],
    [429, 'quota'],
    [500, 'docs/models.md'],
  ])('and names the remedy after a %s', async (status, remedy) => {
    const { findings, lines } = await examine([{ status, errorMessage: 'No.' }]);
    expect(findings).toMatchObject([{ name: 'Model', ok: false }]);
    expect(lines[0]).toContain(remedy);
    expect(lines[0]).not.toContain('CANARY');
  });

  it('and says that nothing is there', async () => {
    const { lines } = await examine([], { endpoint: 'http://127.0.0.1:59999/v1' });
    expect(lines[0]).toMatch(/Could not reach 127\.0\.0\.1:59999.*Start the model's server/);
    const none = await checkEmbeddings(egress, { url: 'http://127.0.0.1:59999/v1', model: 'e' });
    expect(none).toMatchObject({
      ok: false,
      text: expect.stringContaining('AIDEN_EMBEDDINGS_URL'),
    });
    expect(await checkEmbeddings(egress, null)).toMatchObject({ ok: true });
  });
});
