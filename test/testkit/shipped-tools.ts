import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { startLocalLlm } from '../../packages/local-llm/src/server.ts';
import type { JsonObject } from '../../src/common/json.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { DriverResult } from '../../src/platform/drivers/driver.ts';
import { llmDriver } from '../../src/platform/drivers/llm-call.ts';
import { openEgress } from '../../src/platform/egress/egress.ts';
import { openRenderer } from '../../src/platform/renderer/renderer.ts';
import { driverCall } from './driver-calls.ts';

const Tool = z.object({
  name: z.string(),
  connectionParams: z.record(z.string(), z.json()),
  operation: z.looseObject({ type: z.string() }),
});

/**
 * The Tools of examples/system.yaml that call a model, as they ship, through the real renderer and
 * driver. The real local-llm answers, unless a call names the endpoint of another model.
 */
export async function openShippedTools() {
  const document = await readFile(new URL('../../examples/system.yaml', import.meta.url), 'utf8');
  const all = z.object({ tools: z.array(Tool) }).parse(parse(document)).tools;
  const tools = all.filter(({ operation }) => operation.type === 'llm_call');
  const renderer = openRenderer();
  const local = await startLocalLlm();
  const egress = openEgress({ mode: 'dev', allow: [], platformPorts: [], systemOrigins: [] });
  const driver = llmDriver({ egress, renderer });
  return {
    tools,
    calls(name: string, inputs: JsonObject, endpoint = `${local.url}/v1`): Promise<DriverResult> {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`No Tool "${name}" ships.`);
      const operation = tool.operation as Extract<Operation, { type: 'llm_call' }>;
      const target = { connectionParams: { ...tool.connectionParams, endpoint } };
      return driver.invoke(driverCall(operation, target, { inputs }));
    },
    async close(): Promise<void> {
      await Promise.all([egress.close(), renderer.close(), local.close()]);
    },
  };
}
