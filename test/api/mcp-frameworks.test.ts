import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls, toolResultsIn, toolsIn } from '../testkit/agents.ts';
import { freshName } from '../testkit/client.ts';
import { greeter } from '../testkit/mcp-client.ts';
import { npmMissing, runNpmBin } from '../testkit/npm-package.ts';
import { pythonMissing, runPython } from '../testkit/python.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { openScriptedLlm, type ScriptedLlm } from '../testkit/scripted-llm.ts';

// docs/decisions/0067: /mcp with the MCP project's inspector, and with an agent framework of
// others.

const INSPECTOR = { name: '@modelcontextprotocol/inspector', version: '2.12.0' };
const FRAMEWORK = { name: 'openai-agents-0.24.0', packages: ['openai-agents==0.24.0'] };
const noInspector = npmMissing(INSPECTOR);
const noFramework = pythonMissing(FRAMEWORK);

let rest: RestServer;
let llm: ScriptedLlm;
beforeAll(async () => {
  [rest, llm] = await Promise.all([openRestServer(), openScriptedLlm()]);
});
afterAll(() => Promise.all([rest.close(), llm.close()]));

const contextSchema = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 1, description: 'The name to greet.' } },
  required: ['name'],
  additionalProperties: false,
};

describe.skipIf(noInspector !== null)('the command line of the MCP inspector', () => {
  it('lists the tools without a complaint, calls one, and reads its run', async () => {
    const { ada, tool } = await greeter(rest, { contextSchema });
    const { href } = new URL('/mcp', ada.url);
    const inspects = async (...args: string[]) => {
      const header = `Authorization: ${ada.authorization}`;
      const all = ['--cli', href, '--transport', 'http', '--header', header, ...args];
      const { code, stdout, stderr } = await runNpmBin(INSPECTOR, 'mcp-inspector', all);
      expect(`${code} ${stderr}`).toMatch(/^0 /);
      return JSON.parse(stdout);
    };
    const { tools } = await inspects('--method', 'tools/list', '--strict');
    expect(tools).toContainEqual(
      expect.objectContaining({ name: tool, inputSchema: contextSchema }),
    );
    const call = ['--method', 'tools/call', '--tool-name', tool, '--tool-arg', 'name=Grace'];
    const { content, structuredContent } = await inspects(...call);
    expect(content).toEqual([{ type: 'text', text: 'Hello Grace' }]);
    const uri = `aiden://runs/${structuredContent.runId}`;
    const { contents } = await inspects('--method', 'resources/read', '--uri', uri);
    expect(JSON.parse(contents[0].text)).toMatchObject({ output: 'Hello Grace' });
  });
});

describe.skipIf(noFramework !== null)('an agent of the OpenAI Agents SDK', () => {
  it('calls a Process as its tool, and answers from the result', async () => {
    const { ada, tool } = await greeter(rest, { contextSchema });
    const model = freshName('model');
    llm.answers(model, (request) =>
      toolResultsIn(request).length > 0
        ? { text: `It said: ${toolResultsIn(request)[0]}` }
        : calls([tool, { name: 'Grace' }]),
    );
    const program = fileURLToPath(new URL('../testkit/mcp-agent.py', import.meta.url));
    const { authorization, url } = ada;
    const given = {
      mcp: new URL('/mcp', url).href,
      authorization,
      llm: llm.openai,
      model,
      say: 'Greet Grace.',
    };
    const result = await runPython(FRAMEWORK, [program], JSON.stringify(given));
    expect(result).toEqual({
      tools: expect.arrayContaining([tool, 'remember']),
      answer: expect.stringContaining('Hello Grace'),
    });
    const offered = toolsIn(llm.requestsOf(model)[0] ?? never());
    expect(offered).toContainEqual(expect.objectContaining({ name: tool }));
  });
});

function never(): never {
  throw new Error('The model was not asked.');
}
