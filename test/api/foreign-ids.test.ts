import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { eventually } from '../testkit/outbox.ts';
import {
  cursorCases,
  type IdCase,
  idCases,
  nodeTypes,
  type OwnIds,
  typeNamed,
} from '../testkit/root-fields.ts';
import { tells } from '../testkit/talk-world.ts';

// A7, docs/decisions/0016 "Not yours and not shared = NOT_FOUND, exactly as if absent": whatever
// Ada owns, wherever its id is put, Eve gets the answer that an id gives which was never used. The
// places come from the schema, so new fields are asked too. A place that is named after a type is
// asked with an id of it and of one other type; the others with ids of all types.

let adas: OwnIds;
let eves: OwnIds;
let eve: TestClient;
beforeAll(async () => {
  eve = client(freshName('eve'));
  [adas, eves] = await Promise.all([
    createOneOfEach(client(freshName('ada'))),
    createOneOfEach(eve),
  ]);
});

const cases = idCases();
/** Ada's ids for this place, by type. */
function adasFor({ field, place }: IdCase): [type: string, id: string][] {
  const all = [...adas];
  const named = typeNamed(field, place.at(-1) ?? '');
  const own = all.filter(([type]) => named.endsWith(type));
  const other = all[(field.length + place.join().length) % all.length];
  return own.length === 0 || other === undefined ? all : [...own, other];
}

// Their ids are `Type:key`; global-ids.test.ts has one of each.
const KEYED = new Set([
  'CallNode',
  'DataRequest',
  'Episode',
  'Fact',
  'Grip',
  'Job',
  'MemoryEvent',
  'ProcessVersion',
  'Session',
  'SessionEvent',
  'Statement',
  'StepRun',
  'TocNode',
  'ToolCall',
]);

it('asks about one thing of every type that has ids', () => {
  // Workers and metrics have no owner, approvals only exist while a run waits; they have tests of
  // their own.
  const missing = nodeTypes().filter(
    (name) =>
      !adas.has(name) &&
      !KEYED.has(name) &&
      !['Worker', 'Approval', 'MetricDefinition'].includes(name),
  );
  expect(missing).toEqual([]);
  expect(cases.length).toBeGreaterThan(0);
});

it('starts no run into a conversation that is not one', async () => {
  const input = { processId: eves.get('Process'), context: {}, conversationId: randomUUID() };
  const answer = await eve.query(
    `mutation($input: StartProcessRunInput!) { startProcessRun(input: $input) { run { id }
      userErrors { code path } } }`,
    { input },
  );
  expect(answer).toEqual({
    startProcessRun: {
      run: null,
      userErrors: [{ code: 'NOT_FOUND', path: ['input', 'conversationId'] }],
    },
  });
});

describe.each(cases.filter(({ kind }) => kind !== 'subscription'))(
  '$kind $field at $place',
  (place) => {
    it('answers a foreign id as one that was never used', async () => {
      const ask = async (id: string) =>
        shape(await eve.ask(place.document, place.variables(id, eves)));
      let absent = await ask(randomUUID());
      for (const [type, id] of adasFor(place)) {
        const foreign = await ask(id);
        // Background jobs read Eve's messages meanwhile, so her own answers grow.
        if (!isDeepStrictEqual(foreign, absent)) absent = await ask(randomUUID());
        expect(foreign, `with a ${type} of Ada's`).toEqual(absent);
      }
    });
  },
);

describe.each(cases.filter(({ kind }) => kind === 'subscription'))(
  'subscription $field at $place',
  (place) => {
    it('treats a foreign id as one that was never used', async () => {
      const absent = await firstOf(place, randomUUID());
      for (const [type, id] of adasFor(place))
        expect(await firstOf(place, id), `with a ${type} of Ada's`).toEqual(absent);
    });
  },
);

describe.each(cursorCases())('$kind $field', ({ kind, document, variables }) => {
  it('refuses a cursor that is none, at its path', async () => {
    const given = variables('x', eves);
    if (kind === 'subscription')
      return expect(eve.subscribeSse(document, given).next()).rejects.toThrow(
        /BAD_USER_INPUT.*after/,
      );
    const { errors } = await eve.ask(document, given);
    expect(errors[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      problems: [{ path: ['after'] }],
    });
  });
});

async function firstOf({ document, variables }: IdCase, id: string): Promise<unknown> {
  const stream = eve.subscribeSse(document, variables(id, eves));
  const first = stream.next().then(
    ({ done, value }) => ({ done, value }),
    (error: unknown) => ({ error: shape(String(error)) }),
  );
  const late = new Promise((resolve) => setTimeout(() => resolve('silence'), 20_000));
  const answer = await Promise.race([first, late]);
  void stream.return(undefined).catch(() => {});
  return answer;
}

/** An answer without ids and times, which differ between requests. */
function shape(answer: unknown): unknown {
  const { data, errors } =
    typeof answer === 'object' && answer !== null
      ? (answer as Record<string, unknown>)
      : { data: answer };
  return JSON.parse(
    JSON.stringify({ data, errors: errors ?? null })
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'),
  );
}

/** Takes over a shared Process of another user, and lets it use the memory. */
async function agreeWithAnother(ada: TestClient, made: Map<string, string>): Promise<void> {
  const sue = client(freshName('sue'));
  const tools = await sue.one<{ nodes: { id: string; name: string }[] }>(
    '{ tools(query: "browse_toc") { nodes { id name } } }',
  );
  const toolId = tools.nodes.find(({ name }) => name === 'browse_toc')?.id;
  const createProcess = await sue.mutate<{ process: { id: string } | null }>(
    'createProcess',
    {
      name: freshName('shared'),
      shared: true,
      exposeAsTool: true,
      initialContext: [],
      steps: [{ stepId: 'a', calls: { toolId }, inputs: {}, output: { variable: 'a' } }],
      outputTemplate: 'done',
    },
    'process { id }',
  );
  const processId = createProcess.process?.id;
  const { adoptProcess, allowProcessMemory } = await ada.query<{
    adoptProcess: { adoption: { id: string } | null };
    allowProcessMemory: { agreement: { id: string } | null };
  }>(
    `mutation($adopt: AdoptProcessInput!, $allow: AllowProcessMemoryInput!) {
      adoptProcess(input: $adopt) { adoption { id } userErrors { code message path } }
      allowProcessMemory(input: $allow) { agreement { id } userErrors { code message path } }
    }`,
    {
      adopt: { processId, name: freshName('tool').slice(0, 60) },
      allow: { processId, version: 1 },
    },
  );
  if (adoptProcess.adoption === null || allowProcessMemory.agreement === null)
    throw new Error(JSON.stringify([createProcess, adoptProcess, allowProcessMemory]));
  made.set('ProcessAdoption', adoptProcess.adoption.id);
  made.set('ProcessMemoryAgreement', allowProcessMemory.agreement.id);
}

async function createOneOfEach(ada: TestClient): Promise<OwnIds> {
  const made = new Map<string, string>();
  const object = { type: 'object', properties: {} };
  const withEndpoint = { type: 'object', properties: { endpoint: { type: 'string' } } };
  const create = async (type: string, field: string, input: object): Promise<string> => {
    const mutation = `create${type}`;
    const answer = await ada.query<Record<string, Record<string, { id: string } | null>>>(
      `mutation($input: Create${type}Input!) { ${mutation}(input: $input) { ${field} { id }
        userErrors { code message path } } }`,
      { input: { name: freshName(field), ...input } },
    );
    const id = answer[mutation]?.[field]?.id;
    if (id === undefined) throw new Error(JSON.stringify(answer));
    made.set(type, id);
    return id;
  };
  const viewer = await ada.one<{ id: string }>('{ viewer { id } }');
  made.set('User', viewer.id);

  const rest = {
    type: 'REST_API',
    protocol: 'HTTP',
    connectionSchema: withEndpoint,
    requiresSecret: false,
  };
  const call = {
    operation: { restCall: { method: 'GET', path: '/' } },
    inputSchema: object,
    outputSchema: {},
  };
  const serviceId = await create('Service', 'service', rest);
  await create('Secret', 'secret', { type: 'API_KEY', value: 'a value nobody else reads' });
  await create('ServiceTemplate', 'serviceTemplate', rest);
  await create('ToolTemplate', 'toolTemplate', call);
  // Nothing answers there, which a Tool may be created over.
  const toolId = await create('Tool', 'tool', {
    serviceId,
    connectionParams: { endpoint: 'http://127.0.0.1:9' },
    ...call,
  });
  const step = { stepId: 'only', calls: { toolId }, inputs: {}, output: { variable: 'answer' } };
  const processId = await create('Process', 'process', {
    initialContext: [],
    steps: [step],
    outputTemplate: 'done',
  });
  const yearly = { processId, cron: '@yearly', context: {} };
  const createProcessSchedule = await ada.mutate<{ schedule: { id: string } }>(
    'createProcessSchedule',
    yearly,
    'schedule { id }',
  );
  made.set('ProcessSchedule', createProcessSchedule.schedule.id);
  const startProcessRun = await ada.mutate<{ run: { id: string } | null }>(
    'startProcessRun',
    { processId, context: {} },
    'run { id }',
  );
  if (startProcessRun.run === null) throw new Error(JSON.stringify(startProcessRun));
  made.set('ProcessRun', startProcessRun.run.id);

  await agreeWithAnother(ada, made);

  const conversationId = await tells(ada);
  made.set('Conversation', conversationId);
  const appendTurn = await ada.mutate<{ turn: { id: string; activeAlternative: { id: string } } }>(
    'appendTurn',
    { conversationId, content: 'hello' },
    'turn { id activeAlternative { id } }',
  );
  made.set('ConversationTurn', appendTurn.turn.id);
  made.set('Alternative', appendTurn.turn.activeAlternative.id);
  const createEntity = await ada.mutate<{ entity: { uuid: string } }>(
    'createEntity',
    { conversationId, name: 'Somebody', summary: 'Whom Ada knows.' },
    'entity { uuid }',
  );
  made.set('Entity', createEntity.entity.uuid);
  const injectIntrospection = await ada.one<{ introspection: { id: string } }>(
    `mutation { injectIntrospection(input: { content: "a note" }) { introspection { id }
      userErrors { code message path } } }`,
  );
  made.set('Introspection', injectIntrospection.introspection.id);
  const input = {
    conversationId,
    sourceEpisodeIds: [await episodeOf(ada, appendTurn.turn.activeAlternative.id)],
    coversUpToTurnId: appendTurn.turn.id,
    content: 'In short.',
    processId,
  };
  const admin = client(freshName('root'), { role: 'admin' });
  const createSummary = await admin.mutate<{ summary: { id: string } }>(
    'createSummary',
    input,
    'summary { id }',
  );
  made.set('Summary', createSummary.summary.id);
  return made;
}

/** Once the turn is in the memory graph. */
async function episodeOf(ada: TestClient, id: string): Promise<string> {
  return eventually('what was said is in the memory graph', async () => {
    const node = await ada.one<{ episode: { uuid: string } | null }>(
      'query($id: ID!) { node(id: $id) { ... on Alternative { episode { uuid } } } }',
      { id },
    );
    return node.episode?.uuid;
  });
}
