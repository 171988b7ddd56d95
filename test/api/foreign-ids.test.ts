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
import { restService } from '../testkit/run-world.ts';
import { shipped } from '../testkit/shipped.ts';

// A7, docs/decisions/0016 "Not yours and not shared = NOT_FOUND, exactly as if absent": whatever
// Ada owns, wherever its id is put, Eve gets the answer that an id gives which was never used. The
// places come from the schema, so new fields are asked too. A place that is named after a type is
// asked with an id of it and of one other type; the others with ids of all types.

let adas: OwnIds;
let eves: OwnIds;
let eve: TestClient;
/** The same person as an admin: some lists are for admins alone. */
let eveAsAdmin: TestClient;
beforeAll(async () => {
  const name = freshName('eve');
  eve = client(name);
  eveAsAdmin = client(name, { role: 'admin' });
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
const KEYED = new Set(
  `CallNode DataRequest Episode Fact Grip Job MemoryEvent ProcessVersion Session SessionEvent
  Statement StepRun TocNode ToolCall`.split(/\s+/),
);

it('asks about one thing of every type that has ids', () => {
  // Workers and metrics have no owner, approvals only exist while a run waits; they have tests of
  // their own.
  const elsewhere = new Set(['Worker', 'Approval', 'MetricDefinition']);
  const missing = nodeTypes().filter(
    (name) => !adas.has(name) && !KEYED.has(name) && !elsewhere.has(name),
  );
  expect(missing).toEqual([]);
  expect(cases.length).toBeGreaterThan(0);
});

it('starts no run into a conversation that is not one', async () => {
  const input = { processId: eves.get('Process'), context: {}, conversationId: randomUUID() };
  const { run, userErrors } = await eve.mutate<{ run: object | null }>(
    'startProcessRun',
    input,
    'run { id }',
  );
  expect(run).toBeNull();
  expect(userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['input', 'conversationId'] }]);
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
    const { errors } = await eveAsAdmin.ask(document, given);
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
  const toolId = (await shipped(sue)).toolId('browse_toc');
  const processId = await sue.creates('process', {
    shared: true,
    exposeAsTool: true,
    initialContext: [],
    steps: [{ stepId: 'a', calls: { toolId }, inputs: {}, output: { variable: 'a' } }],
    outputTemplate: 'done',
  });
  const name = freshName('tool').slice(0, 60);
  made.set('ProcessAdoption', await idBy(ada, 'adoptProcess', 'adoption', { processId, name }));
  const agreed = { processId, version: 1 };
  const id = await idBy(ada, 'allowProcessMemory', 'agreement', agreed);
  made.set('ProcessMemoryAgreement', id);
}

/** The id of the thing that a mutation gives. @throws on problems */
async function idBy(user: TestClient, mutation: string, field: string, input: object) {
  const id = field === 'entity' ? 'id: uuid' : 'id';
  const payload = await user.mutate<Record<string, { id: string } | null>>(
    mutation,
    input,
    `${field} { ${id} }`,
  );
  const made = payload[field];
  if (made == null) throw new Error(JSON.stringify(payload.userErrors));
  return made.id;
}

async function createOneOfEach(ada: TestClient): Promise<OwnIds> {
  const made = new Map<string, string>();
  const create = async (type: string, input: object): Promise<string> => {
    const id = await ada.creates(`${type[0]?.toLowerCase()}${type.slice(1)}`, input);
    made.set(type, id);
    return id;
  };
  const viewer = await ada.one<{ id: string }>('{ viewer { id } }');
  made.set('User', viewer.id);
  const call = {
    operation: { restCall: { method: 'GET', path: '/' } },
    inputSchema: { type: 'object', properties: {} },
    outputSchema: {},
  };
  const serviceId = await create('Service', restService());
  await create('Secret', { type: 'API_KEY', value: 'a value nobody else reads' });
  await create('ServiceTemplate', restService());
  await create('ToolTemplate', call);
  // Nothing answers there, which a Tool may be created over.
  const connectionParams = { endpoint: 'http://127.0.0.1:9' };
  const toolId = await create('Tool', { serviceId, connectionParams, ...call });
  const step = { stepId: 'only', calls: { toolId }, inputs: {}, output: { variable: 'answer' } };
  const processId = await create('Process', {
    initialContext: [],
    steps: [step],
    outputTemplate: 'done',
  });
  const by = async (type: string, mutation: string, field: string, input: object) => {
    made.set(type, await idBy(ada, mutation, field, input));
  };
  const yearly = { processId, cron: '@yearly', context: {} };
  await by('ProcessSchedule', 'createProcessSchedule', 'schedule', yearly);
  await by('ProcessRun', 'startProcessRun', 'run', { processId, context: {} });
  await agreeWithAnother(ada, made);

  const conversationId = await create('Conversation', {});
  const { turn } = await ada.mutate<{ turn: { id: string; activeAlternative: { id: string } } }>(
    'appendTurn',
    { conversationId, content: 'hello' },
    'turn { id activeAlternative { id } }',
  );
  made.set('ConversationTurn', turn.id);
  made.set('Alternative', turn.activeAlternative.id);
  const known = { conversationId, name: 'Somebody', summary: 'Whom Ada knows.' };
  await by('Entity', 'createEntity', 'entity', known);
  await by('Introspection', 'injectIntrospection', 'introspection', { content: 'a note' });
  const admin = client(freshName('root'), { role: 'admin' });
  const summary = await idBy(admin, 'createSummary', 'summary', {
    conversationId,
    sourceEpisodeIds: [await episodeOf(ada, turn.activeAlternative.id)],
    coversUpToTurnId: turn.id,
    content: 'In short.',
    processId,
  });
  return made.set('Summary', summary);
}

/** Once the turn is in the memory graph. */
async function episodeOf(ada: TestClient, id: string): Promise<string> {
  return eventually('what was said is in the memory graph', async () => {
    const node = await ada.find<{ episode: { uuid: string } | null }>(
      'node',
      id,
      '... on Alternative { episode { uuid } }',
    );
    return node.episode?.uuid;
  });
}
