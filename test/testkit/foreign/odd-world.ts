import { freshName, type TestClient } from '../client.ts';
import type { OddServers } from './odd-servers.ts';

/** Processes of one user whose Tools answer oddly. */
export interface OddWorld {
  /** Ids of the user's things, by type name. */
  readonly own: ReadonlyMap<string, string>;
  /** A Process per kind of Tool, and one whose steps go on after a failure. */
  readonly processIds: readonly string[];
  readonly toolIds: readonly string[];
}

const ANY = {
  type: 'object',
  properties: { endpoint: { type: 'string' }, model: { type: 'string' } },
};

/** @param mark stands in each name, so that a name can be found where none may be */
export async function openOddWorld(
  ada: TestClient,
  { rest, mcp, model, tools }: OddServers,
  mark = '',
): Promise<OddWorld> {
  const service = (type: string, protocol: string) =>
    ada.creates('service', {
      name: freshName(`service${mark}`),
      type,
      protocol,
      requiresSecret: false,
      connectionSchema: ANY,
    });
  const tool = (serviceId: string, connectionParams: object, operation: object, schema?: object) =>
    ada.creates('tool', {
      name: freshName(`tool${mark}`),
      serviceId,
      mutating: false,
      connectionParams,
      operation,
      inputSchema: schema ?? { type: 'object', properties: { q: {} } },
      outputSchema: {},
    });
  const [restService, mcpService, modelService] = await Promise.all([
    service('REST_API', 'HTTP'),
    service('MCP_SERVER', 'HTTP'),
    service('LLM_PROVIDER', 'HTTP'),
  ]);
  const [getter, poster, caller, speaker] = await Promise.all([
    tool(
      restService,
      { endpoint: rest },
      {
        restCall: { method: 'GET', path: '/get/{{q}}', query: { q: '{{q}}' } },
      },
    ),
    tool(
      restService,
      { endpoint: rest },
      {
        restCall: { method: 'POST', path: '/post', body: { q: '{{q}}', all: '{{json q}}' } },
      },
    ),
    tool(mcpService, { endpoint: mcp }, { mcpCall: { tool: tools[1] } }),
    tool(
      modelService,
      { endpoint: model, model: 'odd' },
      { llmCall: { promptTemplate: 'Say {{json q}}' } },
    ),
  ]);
  const toolIds = [getter, poster, caller, speaker];
  const step = (stepId: string, toolId: string, more: object = {}) => ({
    stepId,
    calls: { toolId },
    inputs: { q: '{context.q}' },
    output: { variable: stepId },
    ...more,
  });
  const process = (steps: object[], template: string) =>
    ada.creates('process', {
      name: freshName(`process${mark}`),
      initialContext: ['q'],
      steps,
      outputTemplate: template,
    });
  const goesOn = (variable: string) => ({
    output: { variable, required: false },
    execution: { onFailure: 'CONTINUE' },
  });
  const processIds = await Promise.all([
    process([step('a', getter)], '{{a}} {{json a}}'),
    process([step('a', poster, goesOn('a')), step('b', caller, goesOn('b'))], '{{a}}{{json b}}'),
    process([step('a', caller)], '{{truncate a 5}}'),
    process([step('a', speaker)], '{{a}}'),
    process(
      [
        step('a', speaker, {
          tools: [{ toolId: caller }, { toolId: getter }],
          agent: { maxRounds: 3 },
        }),
      ],
      '{{a}}',
    ),
  ]);
  const conversation = await ada.creates('conversation');
  return {
    toolIds,
    processIds,
    own: new Map([
      ['Service', restService],
      ['Tool', getter],
      ['Process', processIds[0] ?? ''],
      ['Conversation', conversation],
    ]),
  };
}
