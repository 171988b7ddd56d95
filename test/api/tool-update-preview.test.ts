import { afterAll, beforeAll, expect, it } from 'vitest';
import { client, freshName } from '../testkit/client.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { type RunWorld, runWorld } from '../testkit/run-world.ts';

// What a change of a Tool would touch, asked over the API before it is made (S4-STEP-05).

interface Problem {
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
}
interface Preview {
  readonly callers: readonly { readonly fits: boolean; readonly process: { id: string } }[];
  readonly others: number;
  readonly othersBroken: number;
  readonly problems: readonly Problem[];
}
const PREVIEW = `query ($input: UpdateToolInput!) { toolUpdatePreview(input: $input) {
  callers { fits process { id } } others othersBroken problems { code message path } } }`;
const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };
const GREETING = object({ greeting: text });
/** No step that reads the greeting as a text takes it. */
const LIST = object({ greeting: { type: 'array', items: text } });

const ada = client(freshName('ada'));
const bob = client(freshName('bob'));
let rest: RestServer;
let own: RunWorld;
let toolId: string;
/** A Process of Ada's that reads the greeting, and one that does not. */
let reads: string;
let calls: string;
beforeAll(async () => {
  rest = await openRestServer();
  own = await runWorld(ada, rest);
  ({ toolId } = own);
  const reading = [
    { stepId: 'look' },
    { stepId: 'again', inputs: { name: '{step.look.greeting}' }, dependsOn: ['look'] },
  ];
  await ada.mutate('updateTool', { id: toolId, shared: true, outputSchema: GREETING });
  reads = await own.createsProcess(reading);
  calls = await own.createsProcess([{ stepId: 'look' }]);
  const ofBob = { ...(await runWorld(bob, rest)) };
  const steps = reading.map((step) => ({ ...step, calls: { toolId } }));
  await ofBob.createsProcess(steps);
});
afterAll(() => rest.close());

const asks = (who: typeof ada, input: object) => who.one<Preview>(PREVIEW, { input });
const tells = async (who: typeof ada, input: object) => {
  const { callers, problems, ...others } = await asks(who, input);
  return {
    ...others,
    callers: callers.map(({ process, fits }) => `${process.id} ${fits}`).toSorted(),
    problems: problems.map(({ code, path }) => `${code} ${path.join('.')}`),
  };
};
it('tells the same as the change itself, code and path', async () => {
  const unit = object({ name: text, unit: text });
  const operation = {
    restCall: { method: 'POST', path: '/echo', body: { name: '{{name}}', unit: '{{unit}}' } },
  };
  const changes = [
    { outputSchema: LIST },
    { inputSchema: unit, operation },
    // Half typed: no schema at all, and an input that no one uses.
    { outputSchema: { type: 'lis' } },
    { inputSchema: object({}), outputSchema: LIST },
    { shared: false },
  ];
  for (const change of changes) {
    const { problems } = await asks(ada, { id: toolId, ...change });
    const { userErrors } = await ada.mutate('updateTool', { id: toolId, ...change });
    expect(problems).toEqual(userErrors);
    expect(problems.length, JSON.stringify(change)).toBeGreaterThan(0);
  }
  const wider = object({ name: text, unit: { ...text, default: 'C' } });
  expect(await tells(ada, { id: toolId, inputSchema: wider, operation })).toEqual({
    callers: [`${reads} true`, `${calls} true`].toSorted(),
    others: 1,
    othersBroken: 0,
    problems: [],
  });
});

it('tells nothing of a Tool of another user, shared or not, and of no Tool', async () => {
  const none = { callers: [], others: 0, othersBroken: 0 };
  const change = { outputSchema: LIST };
  const refused = async (id: string) => (await tells(bob, { id, ...change })).problems;
  expect(await tells(bob, { id: toolId, ...change })).toEqual({
    ...none,
    problems: ['FORBIDDEN input.id'],
  });
  const { toolId: hidden } = await runWorld(ada, rest);
  expect(await refused(hidden)).toEqual(['NOT_FOUND input.id']);
  expect(await refused('no id')).toEqual(['NOT_FOUND input.id']);
  const { errors } = await bob.ask(PREVIEW, { input: { id: `Fact:${reads}` } });
  expect(errors).toMatchObject([
    { extensions: { code: 'BAD_USER_INPUT', problems: [{ code: 'INVALID' }] } },
  ]);
});
