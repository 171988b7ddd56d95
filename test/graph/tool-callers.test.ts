import { describe, expect, it } from 'vitest';
import { findTools } from '../../src/catalog/tools/tool.cypher.ts';
import { updateTool } from '../../src/catalog/tools/tool.mutations.ts';
import type { JsonObject } from '../../src/common/json.ts';
import { importBundle } from '../../src/processes/bundle/bundle.mutations.ts';
import { createProcess } from '../../src/processes/process.mutations.ts';
import { checkToolCallers, previewToolUpdate } from '../../src/processes/tool-callers.service.ts';
import type { Viewer } from '../../src/users/user.ts';
import { readWith } from '../testkit/graph.ts';
import { createsProcess, toolStep } from '../testkit/processes.ts';
import { type Person, refuses, world } from '../testkit/world.ts';

// S4-STEP-05: a change of a Tool is checked against the steps that call it.

const { deps, ada, bob } = await world();
const inputs = (properties: JsonObject, required: string[]) => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };
/** A Tool uses each of its inputs. */
const taking = (inputSchema: ReturnType<typeof inputs>) => ({
  inputSchema,
  operation: {
    type: 'rest_call',
    method: 'GET',
    path: '/weather',
    query: Object.fromEntries(
      Object.keys(inputSchema.properties).map((key) => [key, `{{${key}}}`]),
    ),
  } as never,
});
const change = (owner: Person, id: string, input: object) =>
  updateTool(deps, owner.viewer, { id, ...input }, checkToolCallers);
const calledBy = (owner: Person, toolId: string, name: string) =>
  createProcess(deps, owner.viewer, {
    name,
    initialContext: ['city'],
    steps: [
      toolStep('look', toolId, { inputs: { city: '{context.city}' } }),
      toolStep('again', toolId, { inputs: { city: '{step.look.name}' }, dependsOn: ['look'] }),
    ],
    outputTemplate: '',
  });
const looksUp = () =>
  ada.createsTool({
    shared: true,
    ...taking(inputs({ city: text }, ['city'])),
    outputSchema: { type: 'object', properties: { name: text }, required: ['name'] },
  });

describe('a change of a Tool that steps call', () => {
  it('is refused with the Processes that it would break; those of others are counted', async () => {
    const { id } = await looksUp();
    await calledBy(ada, id, 'Weather of a city');
    await calledBy(bob, id, "Bob's trip");
    const unit = taking(inputs({ city: text, unit: text }, ['city', 'unit']));
    await refuses(change(ada, id, unit), 'IN_USE inputSchema');
    await expect(change(ada, id, unit)).rejects.toThrow('"Weather of a city", 1 of other users');
    await expect(change(ada, id, unit)).rejects.not.toThrow("Bob's trip");
    const list = { type: 'array', items: text };
    const listed = { type: 'object', properties: { name: list }, required: ['name'] };
    await refuses(change(ada, id, { outputSchema: listed }), 'IN_USE outputSchema');
  });

  it('tells before whom it would touch, and writes nothing', async () => {
    const { id } = await looksUp();
    const own = await calledBy(ada, id, 'Weather of a city');
    const one = { inputs: { city: 'Turin' } };
    const fits = await createsProcess({ deps }, ada, { steps: [toolStep('a', id, one)] });
    await calledBy(bob, id, "Bob's trip");
    const ask = (viewer: Viewer, input: object) =>
      deps.graph.counting(() => previewToolUpdate(deps, viewer, { id, ...input }));
    const told = async (viewer: Viewer, input: object) => {
      const { callers, problems, ...others } = (await ask(viewer, input)).value;
      const names = callers.map(({ process, fits: does }) => `${process.id} ${does}`).toSorted();
      return {
        ...others,
        callers: names,
        codes: problems.map(({ code, path }) => `${code} ${path.join('.')}`),
      };
    };
    const number = { type: 'array', items: text };
    const listed = { type: 'object', properties: { name: number }, required: ['name'] };
    expect(await told(ada.viewer, { outputSchema: listed })).toEqual({
      callers: [`${own.id} false`, `${fits.id} true`].toSorted(),
      others: 1,
      othersBroken: 1,
      codes: ['IN_USE outputSchema'],
    });
    const touched = { callers: [`${own.id} true`, `${fits.id} true`].toSorted(), others: 1 };
    expect(await told(ada.viewer, { name: 'Renamed' })).toMatchObject({ ...touched, codes: [] });
    expect(await readWith(deps.graph, findTools, ada.viewer, [id])).toMatchObject([
      { outputSchema: { properties: { name: text } }, name: expect.not.stringMatching('Renamed') },
    ]);
    // A reader of a shared Tool is told nothing of its callers.
    const none = { callers: [], others: 0, othersBroken: 0 };
    expect(await told(bob.viewer, { name: 'x' })).toEqual({ ...none, codes: ['FORBIDDEN id'] });
    const before = await ask(ada.viewer, { name: 'x' });
    for (const owner of [ada, bob, ada]) await calledBy(owner, id, 'More');
    const after = await ask(ada.viewer, { name: 'x' });
    expect(after.statements.length).toBe(before.statements.length);
  });

  it('is made where all steps still fit, and where no step calls it', async () => {
    const { id } = await looksUp();
    await calledBy(bob, id, 'A trip');
    const wider = inputs({ city: text, unit: { ...text, default: 'C' } }, ['city', 'unit']);
    expect(await change(ada, id, taking(wider))).toMatchObject({ inputSchema: wider });
    const { id: free } = await looksUp();
    const other = inputs({ town: text }, ['town']);
    expect(await change(ada, free, taking(other))).toMatchObject({ inputSchema: other });
  });

  it('is refused in a bundle, unless it brings the Processes that fit it', async () => {
    const bundle = (input: string, processes: string) => `
aiden: 1
services:
  - name: weather
    type: rest_api
    protocol: http
    connectionSchema: { type: object, properties: { endpoint: { type: string } } }
tools:
  - name: look up
    service: weather
    shared: true
    connectionParams: { endpoint: "http://127.0.0.1:9" }
    operation: { type: rest_call, method: GET, path: "/weather/{{${input}}}" }
    inputSchema: { type: object, required: [${input}], properties: { ${input}: { type: string } } }
    outputSchema: { type: object }
${processes}`;
    const trip = (input: string) => `processes:
  - name: trip
    initialContext: [place]
    steps:
      - stepId: look
        calls: { tool: look up }
        inputs: { ${input}: "{context.place}" }
        output: { variable: found }
    outputTemplate: "{{json found}}"
`;
    const load = (document: string, mode: 'write' | 'check' = 'write') =>
      importBundle(deps, ada.viewer, { document, mode });
    await load(bundle('city', trip('city')));
    for (const mode of ['check', 'write'] as const)
      await expect(load(bundle('town', ''), mode)).rejects.toMatchObject({
        problems: [
          {
            code: 'IN_USE',
            path: ['document', 'tools', '0', 'inputSchema'],
            message: expect.stringContaining('"trip"'),
          },
        ],
      });
    const both = await load(bundle('town', trip('town')));
    expect(both.updated).toHaveLength(2);
    // A Process of another user that calls the Tool is no part of the bundle.
    const [toolId = ''] = both.updated;
    const steps = [toolStep('look', toolId, { inputs: { town: 'Turin' } })];
    await createsProcess({ deps }, bob, { steps });
    await expect(load(bundle('city', trip('city')))).rejects.toThrow('1 of other users');
  });

  it('and a step that is written at once never meet: one of both is refused', async () => {
    const { id } = await looksUp();
    const other = inputs({ town: text }, ['town']);
    const done = await Promise.allSettled([
      change(ada, id, taking(other)),
      calledBy(bob, id, 'At once'),
    ]);
    expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});
