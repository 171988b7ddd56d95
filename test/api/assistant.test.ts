import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json.ts';
import { calls, toolResultsIn, toolsIn } from '../testkit/agents.ts';
import { openChat } from '../testkit/aiden.ts';
import { freshName, client as signsIn, type TestClient } from '../testkit/client.ts';
import { eventually } from '../testkit/outbox.ts';
import type { LlmRequest, ScriptedReply } from '../testkit/scripted-llm.ts';
import { shipped } from '../testkit/shipped.ts';
import { type Sent, type TalkWorld, talkWorld } from '../testkit/talk-world.ts';

// docs/decisions/0068: the system's Tools for agents, and the shipped Process `assistant`.

/**
 * A model that does as it is told: each line `tool {arguments}` of a message is a call, and the
 * answer is the results.
 */
function obeys(request: LlmRequest): ScriptedReply {
  // The product's own questions of the memory.
  if (toolsIn(request).length === 0) return { text: '{"entities": [], "facts": []}' };
  const results = toolResultsIn(request);
  if (results.length > 0) return { text: `It says: ${results.join(BETWEEN)}` };
  const said = request.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  if (said.startsWith('Both ')) {
    const statements = said.slice('Both '.length).split(' and ');
    return calls(
      ...statements.map((statement): [string, JsonObject] => ['remember', { statement }]),
    );
  }
  return calls(
    ...said.split('\n').map((line): [string, string] => {
      const [, name = '', given = ''] = /^(\w+) ?(.*)$/.exec(line) ?? [];
      return [name, given === '' ? '{}' : given];
    }),
  );
}
const BETWEEN = ' ¶ ';

interface Person {
  readonly name: string;
  readonly api: TestClient;
  readonly talk: TalkWorld;
  leaves(): Promise<void>;
  /** A new conversation with `assistant`. */
  begins(): Promise<string>;
  /** Lets the model make these calls, and gives their results. */
  asks(conversationId: string, wishes: readonly string[]): Promise<string[]>;
}

async function person(): Promise<Person> {
  const name = freshName('ada');
  const api = signsIn(name);
  const talk = await talkWorld(api);
  const { toolId, model } = await talk.speaker();
  talk.llm.answers(model, obeys);
  const remembersWith = (llmToolId: string | null) =>
    api.mutate('updateMemorySettings', { llmToolId });
  expect((await remembersWith(toolId)).userErrors).toEqual([]);
  return {
    ...{ name, api, talk },
    async leaves() {
      // Their memory goes on after the test, and the model does not.
      await remembersWith(null);
      await talk.close();
    },
    begins: () => talk.starts({ defaultProcessId: assistantId }),
    async asks(conversationId, wishes) {
      const { agentTurn } = await talk.sends(conversationId, wishes.join('\n'));
      const { content, run } = await talk.answered(agentTurn.activeAlternative.id);
      expect(run?.status, content).toBe('COMPLETED');
      const results = content.replace(/^It says: /, '').split(BETWEEN);
      expect(results).toHaveLength(wishes.length);
      return results;
    },
  };
}

let assistantId: string;
let ada: Person;
let bob: Person;
let conversationId: string;
let factUuid: string;
let entityUuid: string;

beforeAll(async () => {
  assistantId = (await shipped(signsIn(freshName('eve')))).processId('assistant');
  [ada, bob] = await Promise.all([person(), person()]);
  conversationId = await ada.begins();
});
afterAll(() => Promise.all([ada.leaves(), bob.leaves()]));

/** The call that waits for the person's approval. */
function asks({ api }: Person) {
  return eventually('a call waits', async () => {
    const { nodes } = await api.one<{
      nodes: { id: string; stepId: string; run: { id: string }; inputs: JsonObject }[];
    }>('{ approvals(first: 5) { nodes { id stepId run { id } inputs } } }');
    return nodes[0];
  });
}

/** Approves the call that waits, and gives the answer. */
async function approves(one: Person, { agentTurn }: Sent) {
  const { run, stepId } = await asks(one);
  await one.api.mutate('resolveStep', { runId: run.id, stepId, decision: 'APPROVE' });
  return one.talk.answered(agentTurn.activeAlternative.id);
}

const MOVED = {
  statement: 'Wilhelmina Quist lives in Longyearbyen.',
  subject: 'Wilhelmina Quist',
  relation: 'lives in',
  object: 'Longyearbyen',
  since: '2026-03-01',
};

describe('remember', () => {
  it('asks first, and then keeps a fact with the message as its evidence', async () => {
    const said = `remember ${JSON.stringify(MOVED)}`;
    const sent = await ada.talk.sends(conversationId, said);
    expect(await asks(ada)).toMatchObject({ stepId: 'answer~1.0.remember', inputs: MOVED });
    const answer = await approves(ada, sent);
    const told = JSON.parse(answer.content.replace('It says: ', ''));
    expect(told).toMatchObject({ remembered: 'fact', evidence: { conversationId } });
    [factUuid] = told.factUuids;
    [entityUuid] = told.entityUuids;
    const entity = await ada.api.one<{
      name: string;
      facts: { fact: string; validAt: string; episodes: string[] }[];
    }>(`query ($id: ID!) { entity(uuid: $id) { name facts { fact validAt episodes } } }`, {
      id: entityUuid,
    });
    expect(entity).toMatchObject({
      name: 'Wilhelmina Quist',
      facts: [
        {
          fact: MOVED.statement,
          validAt: '2026-03-01T00:00:00.000Z',
          episodes: [told.evidence.episodeUuid],
        },
      ],
    });
    expect(factUuid).toEqual(expect.any(String));
    const episode = await ada.api.one<{ content: string }>(
      'query ($id: ID!) { episode(uuid: $id) { content } }',
      { id: told.evidence.episodeUuid },
    );
    expect(episode.content).toBe(said);
  });

  it('keeps a note in the carousel, once', async () => {
    const at = await ada.begins();
    const note = freshName('Ada prefers short answers');
    for (const _again of [1, 2]) {
      const sent = await ada.talk.sends(at, `remember {"statement": "${note}"}`);
      const { content } = await approves(ada, sent);
      expect(content).toContain('"remembered":"note"');
    }
    const introspections = await ada.api.one<{ content: string }[]>(
      '{ introspections { content } }',
    );
    expect(introspections.filter(({ content }) => content === note)).toHaveLength(1);
  });
});

describe('the reading Tools', () => {
  it('find remembered facts, with their evidence', async () => {
    const at = await ada.begins();
    const [found, entity, said, now, nowhere, toc, grip, rows] = await ada.asks(at, [
      'search_memory {"query": "Where does Wilhelmina Quist live?"}',
      'get_entity {"name": "wilhelmina quist"}',
      `read_conversation {"conversationId": "${conversationId}"}`,
      'now {"timeZone": "Europe/Warsaw"}',
      'now {"timeZone": "Mars"}',
      'browse_toc {}',
      'expand_grip {"gripId": "grip:no"}',
      `query_graph {"query": "MATCH (e:Entity {name: 'Longyearbyen'}) RETURN e.name AS name"}`,
    ]);
    expect(found).toContain(MOVED.statement);
    expect(found).toContain('"evidence":[{');
    expect(found).toContain(conversationId);
    expect(entity).toContain(MOVED.statement);
    expect(entity).toContain('"since":"2026-03-01');
    expect(said).toContain('"turn":1');
    expect(said).toContain('remember {');
    expect(now).toMatch(/"weekday":"\w+day"/);
    expect(nowhere).toContain('no time zone "Mars"');
    expect(toc).toContain('"children":[');
    expect(grip).toContain('No grip');
    expect(rows).toContain('"rows":[{"name":"Longyearbyen"}]');
    const [own] = await ada.asks(at, ['read_conversation {"limit": 1}']);
    expect(own).toContain('read_conversation {');
    expect(own).toMatch(/"earlier":\d/);
  });

  it('reach nothing of another user, whatever the model writes', async () => {
    const at = await bob.begins();
    const wishes = [
      'search_memory {"query": "Where does Wilhelmina Quist live? Longyearbyen"}',
      'search_memory {"query": "Longyearbyen", "kinds": ["fact", "episode", "entity", "toc", ' +
        '"event"]}',
      'get_entity {"name": "Wilhelmina Quist"}',
      `get_entity {"uuid": "${entityUuid}"}`,
      `read_conversation {"conversationId": "${conversationId}"}`,
      'browse_toc {}',
      `browse_toc {"nodeId": "toc:year:2026", "ownerId": "${ada.name}"}`,
      `query_graph {"query": "MATCH (e:Entity) WHERE e.uuid = '${entityUuid}' RETURN e"}`,
      `query_graph {"query": "MATCH (c:Conversation {id: '${conversationId}'}) RETURN c"}`,
    ];
    for (const answer of await bob.asks(at, wishes)) {
      // Bob's own messages name the place. Only Ada's would tell more.
      expect(answer).not.toContain('lives in Longyearbyen');
      expect(answer).not.toContain('remember {');
      expect(answer).not.toContain('"uuid":"' + entityUuid);
    }
    const { entity } = await bob.api
      .query<{ entity: object | null }>('query ($id: ID!) { entity(uuid: $id) { name } }', {
        id: entityUuid,
      })
      .catch(() => ({ entity: null }));
    expect(entity).toBeNull();
  });
});

describe('assistant', () => {
  it('says once that local-llm calls no tools, and answers from recalled memories', async () => {
    const eve = await talkWorld(signsIn(freshName('eve')));
    const at = await eve.starts({ defaultProcessId: assistantId });
    const answers: string[] = [];
    for (const said of [
      'My sister Ingeborg works at the harbour in Bergen.',
      'Where does Ingeborg work?',
    ]) {
      const { agentTurn } = await eve.sends(at, said);
      answers.push((await eve.answered(agentTurn.activeAlternative.id)).content);
    }
    const note = 'This model calls no tools';
    expect(answers[0]).toMatch(new RegExp(`^\\(${note}`));
    expect(answers[1]).not.toContain(note);
    expect(answers[1]).toContain('harbour in Bergen');
    await eve.close();
  });

  it('is talked to in `aiden chat`, which shows each call and asks in place', async () => {
    const chat = openChat(ada.name, ['--process', 'assistant']);
    chat.types('now {}');
    await chat.sees('"weekday"');
    expect(chat.stderr).toContain('→ now {');
    chat.types('remember {"statement": "Ada likes tea."}');
    await chat.sees('May it call remember?');
    chat.types('not today');
    await chat.sees('not today');
    // Two calls of one round are asked one after the other.
    const asked = () => chat.stderr.split('May it call').length - 1;
    const isAsked = (n: number) => eventually(`it asks ${n} times`, () => asked() === n);
    chat.types('Both tea and coffee');
    await isAsked(2);
    chat.types('y');
    await isAsked(3);
    chat.types('too much');
    await chat.sees('"remembered":"note"');
    await chat.sees('rejected: too much');
    expect(await chat.ends()).toBe(0);
    expect(chat.stdout).toMatch(/^It says: \{"utc"/);
  });
});
