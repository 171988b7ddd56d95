import { readdirSync, readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MARKS } from '../../src/ownership/labels.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { testGraph } from '../testkit/graph.ts';
import { queryOwnGraph } from '../testkit/own-query.ts';
import {
  ANSWER,
  LLM_SERVICE,
  type Speaker,
  type TalkWorld,
  talkWorld,
} from '../testkit/talk-world.ts';

// Document 004: sentences of it as titles, seen from outside (the API) and, where a sentence is
// about edges, from below (Neo4j).
//
// Sentence of the document                   | shown by
// Type and protocol have to match            | test/graph/catalog-services.test.ts (S4-SVC-06, -08)
// The Tool for a Neo4j instance              | test/graph/catalog-tools.test.ts (S4-TOOL-04)
// The connectionSchemas of its examples      | test/graph/catalog-tools.test.ts (S4-SVC-16)
// Templates are provenance, not a dependency | test/graph/catalog-templates.test.ts (S4-STPL-05)
// Secrets are never cross-user               | test/graph/catalog-secrets.test.ts (S4-SEC-06)
// Disabled Services cannot report healthy    | test/graph/catalog-calls.test.ts (S4-SVC-11)
// Execution lifecycle, budgets, recursion    | test/temporal/run-process.test.ts (S4-EXEC-01)
// Conversations of a disabled Process        | test/graph/conversations.test.ts (S4-CONV-05)
// HAS_TURN with a sequence                   | test/graph/conversations.test.ts (S4-CONV-10)
// RESPONDS_TO                                | test/graph/conversations.test.ts (S4-ALT-05)
// hasChildren and cacheStatus                | test/graph/conversations.test.ts (S4-ALT-01)
// Recalculated after every Turn or switch    | test/graph/conversations.test.ts (S4-WM-04)
// Episodes and their extraction              | test/api/memory-graph.test.ts (S4-EPI-04)
// Entities: user creation, deduplication     | test/graph/entities.test.ts (S4-ENT-05, S4-ENT-07)
// Enrichment                                 | test/temporal/extraction.test.ts (S4-ENT-09, -10)
// Summaries, and their repair by admins      | test/graph/summaries.test.ts (S4-SUM-01..08)
// The carousel of introspections             | test/graph/introspections.test.ts (S4-INTR-01)
// Metrics                                    | test/graph/metrics.test.ts (S4-MET-01..04)
// Workers                                    | test/graph/workers.test.ts (S4-WRK-01)

const graph = testGraph();
let ada: TestClient;
let talk: TalkWorld;
let speaker: Speaker;
/** A conversation of one question and its answer, which the tests look at and change in turn. */
let base: Awaited<ReturnType<typeof answered>> & { readonly id: string };
beforeAll(async () => {
  ada = client(freshName('ada'));
  talk = await talkWorld(ada);
  speaker = await talk.speaker();
  const id = await talk.starts({ recall: { tokens: 0 } });
  base = { id, ...(await answered(id)) };
});
afterAll(async () => {
  await talk.close();
  await graph.close();
});

interface Kept {
  readonly nodes: Record<string, Record<string, unknown>>;
  readonly edges: readonly Edge[];
}
interface Edge {
  readonly from: string;
  readonly type: string;
  readonly to: string;
  readonly properties: Record<string, unknown>;
}
/**
 * Every node of a conversation and every edge that leaves one, as they are stored; runs and log
 * entries by their number. Without the memory that follows in its own time: Episodes, entities,
 * summaries and the runs of the system's Processes.
 */
async function stored(conversationId: string): Promise<Kept & { runs: number; entries: number }> {
  const [row] = await graph.read((tx) =>
    tx.run(
      `// testStored
      MATCH (c:Conversation {id: $id})
      CALL (c) {
        MATCH (c)-[:HAS_TURN*0..1]->(t)
        OPTIONAL MATCH (t)-[:HAS_ALTERNATIVE]->(a)
        RETURN collect(DISTINCT t) + collect(DISTINCT a) AS nodes
      }
      RETURN [n IN nodes | {labels: labels(n), properties: properties(n)}] AS nodes,
        COLLECT { UNWIND nodes AS n MATCH (n)-[e:!HAS_CONTENT&!HAS_ACTIVE_ENTITY&!HAS_SUMMARY]->(m)
          RETURN {from: n.id, type: type(e), to: m.id, properties: properties(e)} } AS edges,
        COUNT { MATCH (r:ProcessRun {conversationId: $id})
          WHERE EXISTS { (:Process {id: r.processId})-[:OWNED_BY]->(:User {id: r.ownerId}) } } AS
            runs,
        COUNT { MATCH (o:OutboxEntry {conversationId: $id})
          WHERE any(noun IN ['turn.', 'alternative.', 'conversation.'] WHERE o.kind STARTS WITH
            noun) } AS entries`,
      { id: conversationId },
    ),
  );
  const { nodes, edges, runs, entries } = row as unknown as {
    nodes: { labels: string[]; properties: Record<string, unknown> }[];
    edges: Edge[];
    runs: number;
    entries: number;
  };
  return {
    nodes: Object.fromEntries(
      nodes.map(({ labels, properties }) => [
        String(properties['id']),
        // Marks of work to do come and go.
        {
          ...properties,
          labels: labels.filter((label) => !Object.hasOwn(MARKS, label)).toSorted(),
        },
      ]),
    ),
    edges: edges.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
    runs,
    entries,
  };
}
const edgesOf = ({ edges }: Kept, type: string) => edges.filter((edge) => edge.type === type);

interface Said {
  readonly id: string;
  readonly content: string;
  readonly activeAlternative: { readonly id: string; readonly createdAt?: string };
}
async function says(conversationId: string, content: string, more: object = {}): Promise<Said> {
  const { turn, userErrors } = await ada.mutate<{ turn: Said | null }>(
    'appendTurn',
    { conversationId, content, ...more },
    `turn { id speaker turnType content createdAt activeAlternative { ${ANSWER} } }`,
  );
  if (turn === null) throw new Error(JSON.stringify(userErrors));
  return turn;
}
async function adds(input: object): Promise<string> {
  const { alternative, userErrors } = await ada.mutate<{ alternative: { id: string } | null }>(
    'addAlternative',
    input,
    'alternative { id }',
  );
  if (alternative === null) throw new Error(JSON.stringify(userErrors));
  return alternative.id;
}
const activates = (id: string) => ada.mutate('activateAlternative', { id });
const updates = (input: object) =>
  ada.mutate<{ conversation: Record<string, unknown> | null }>(
    'updateConversation',
    input,
    'conversation { id title status createdAt updatedAt }',
  );
/** A question and its answer, which is there. */
async function answered(conversationId: string, content = 'Hello?') {
  const { processId } = speaker;
  const sent = await talk.sends(conversationId, content, { processId });
  await talk.answered(sent.agentTurn.activeAlternative.id);
  return {
    ...sent,
    question: sent.userTurn.activeAlternative.id,
    answer: sent.agentTurn.activeAlternative.id,
  };
}
interface Remembered {
  readonly currentTurnId: string | null;
  readonly currentAlternativeId: string | null;
  readonly immediatePath: readonly { turnId: string; alternativeId: string }[];
  readonly excludedStale: readonly { turnId: string; alternativeId: string }[];
  readonly summaries: readonly string[];
  readonly totalTokens: number;
  readonly messages: readonly { content: string }[];
}
async function remembers(id: string): Promise<Remembered> {
  const workingMemory = await ada.one<Remembered>(
    `query ($id: ID!) { workingMemory(conversationId: $id) { currentTurnId currentAlternativeId
      summaries totalTokens
      immediatePath { turnId alternativeId } excludedStale { turnId alternativeId } messages {
      content } } }`,
    { id },
  );
  return workingMemory;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** A mutation's id, or the problems. */
async function tries(field: string, noun: string, input: object): Promise<string> {
  const made = await ada.mutate<Record<string, { id: string } | null>>(
    field,
    input,
    `${noun} { id }`,
  );
  const { userErrors } = made;
  const id = made[noun]?.id;
  return id ?? userErrors.map(({ code, path }) => `${code} ${path.slice(1).join('.')}`).join(', ');
}
/** A connectionSchema of the document, as it stands. */
const LLM_SCHEMA = {
  type: 'object',
  required: ['endpoint', 'model'],
  properties: {
    endpoint: { type: 'string', format: 'uri' },
    model: { type: 'string' },
    temperature: { type: 'number', minimum: 0, maximum: 2, default: 0.7 },
    maxTokens: { type: 'integer', minimum: 1 },
  },
};
describe('a Process', () => {
  const step = (stepId: string, more: object = {}) => ({
    stepId,
    calls: { toolId: speaker.toolId },
    inputs: { messages: '{context.messages}' },
    output: { variable: stepId },
    ...more,
  });
  const creates = (steps: readonly object[], more: object = {}) =>
    tries('createProcess', 'process', {
      ...{ name: freshName('process'), initialContext: ['messages'], outputTemplate: '', steps },
      ...more,
    });

  it('"Step dependencies cannot form cycles" and the rest (S4-PROC-03..05)', async () => {
    // "Must contain at least one ProcessStep."
    expect(await creates([])).toMatch(/^\w+ steps/);
    const circle = [step('a', { dependsOn: ['b'] }), step('b', { dependsOn: ['a'] })];
    expect(await creates(circle)).toContain('CYCLE steps.0.dependsOn.0');
    // "DEPENDS_ON edges cannot target a step that is not mentioned prior to the dependant"
    expect(await creates([step('a', { dependsOn: ['b'] }), step('b')])).toBe(
      'FORWARD_DEPENDENCY steps.0.dependsOn.0',
    );
    // "parallel steps cannot depend on each other"
    const parallel = { execution: { mode: 'PARALLEL' } };
    const both = [step('a', parallel), step('b', { ...parallel, dependsOn: ['a'] })];
    expect(await creates(both)).toBe('PARALLEL_DEPENDENCY steps.1.dependsOn.0');
    // "Every variable referenced in outputTemplate must originate from initialContext or steps"
    expect(await creates([step('a')], { outputTemplate: '{{a}} {{b}}' })).toMatch(/outputTemplate/);
    // "inputs must satisfy target Tool inputSchema specifications"
    expect(await creates([step('a', { inputs: {} })])).toMatch(/steps\.0\.inputs/);
    expect(await creates([step('a')], { outputTemplate: '{{a}}' })).toMatch(UUID);
  });

  it('"Extract just the birthday": its example runs (S4-STEP-09, S4-EXEC-04)', async () => {
    const reader = await talk.speaker();
    const service = { ...LLM_SERVICE, connectionSchema: LLM_SCHEMA };
    const properties = { instruction: { type: 'string' }, content: { type: 'string' } };
    const toolId = await ada.creates('tool', {
      serviceId: await ada.creates('service', service),
      connectionParams: { endpoint: talk.llm.openai, model: reader.model },
      // The prompt templates of the document's Tool for an LLM.
      operation: {
        llmCall: {
          systemPrompt: 'You are a helpful assistant.',
          promptTemplate: '{{instruction}}\n\n{{content}}',
        },
      },
      inputSchema: { type: 'object', properties },
      outputSchema: {},
    });
    const search = { instruction: 'Search', content: '{context.name}' };
    const processId = await creates(
      [
        step('search', {
          calls: { toolId },
          inputs: search,
          output: { variable: 'searchResults' },
        }),
        step('extract', {
          calls: { toolId },
          inputs: { instruction: 'Extract just the birthday', content: '{step.searchResults}' },
          output: { variable: 'birthday', required: true },
        }),
      ],
      { initialContext: ['name'], outputTemplate: 'Born on {{birthday}}.' },
    );
    reader.says([{ text: 'Ada, born on 10 December 1815' }, { text: '10 December 1815' }]);
    const input = { processId, context: { name: 'Ada' } };
    const runId = await tries('startProcessRun', 'run', input);
    await expect
      .poll(() => ada.find('processRun', runId, 'output'))
      .toEqual({ output: 'Born on 10 December 1815.' });
    const asked = talk.llm.requests.filter(({ model }) => model === reader.model);
    expect(asked.at(-1)?.messages.at(-1)?.content).toBe(
      'Extract just the birthday\n\nAda, born on 10 December 1815',
    );
  });
});

describe('a conversation', () => {
  it('"id (immutable), title (optional, mutable), status, createdAt" (S4-CONV-01)', async () => {
    const id = await talk.starts({ title: 'Tea' });
    const conversation = await ada.find<Record<string, string>>(
      'conversation',
      id,
      'id title status createdAt updatedAt',
    );
    expect(conversation).toMatchObject({ id, title: 'Tea', status: 'ACTIVE' });
    expect(conversation['createdAt']).toMatch(INSTANT);
    const changed = (await updates({ id, title: 'Coffee', status: 'ARCHIVED' })).conversation;
    expect(changed).toMatchObject({
      id,
      title: 'Coffee',
      status: 'ARCHIVED',
      createdAt: conversation['createdAt'],
    });
    expect(String(changed?.['updatedAt']) > String(conversation['updatedAt'])).toBe(true);
    expect((await updates({ id, title: null })).conversation).toMatchObject({
      title: null,
      status: 'ARCHIVED',
    });
  });

  it('"Delete: Not allowed. Archival is achieved via status" (S4-CONV-04, S4-TURN-06)', () => {
    const text = readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8');
    const mutations = Object.values(buildSchema(text).getMutationType()?.getFields() ?? {});
    const names = mutations
      .map(({ name }) => name)
      .filter((name) => /Conversation$|Turn$|Alternative$/.test(name));
    expect(names).toEqual(
      expect.arrayContaining(['appendTurn', 'addAlternative', 'updateConversation']),
    );
    expect(names.filter((name) => /delete|remove|purge/i.test(name))).toEqual([]);
    // Nor does any statement: this room deletes relationships, and of nodes only a rating.
    const folder = new URL('../../src/conversations/', import.meta.url);
    const statements = readdirSync(folder)
      .filter((file) => file.endsWith('.cypher.ts'))
      .map((file) => readFileSync(new URL(file, folder), 'utf8'))
      .join('\n')
      .replace(/MATCH \(r:Rating \{id: \$id\}\) WHERE [^`]*DETACH DELETE r\n/, '');
    expect(statements).toContain('MATCH');
    expect(statements).not.toMatch(/DETACH DELETE/);
    // DEFAULT_PROCESS and the edges that choose the shown alternatives.
    for (const [, name = ''] of statements.matchAll(/\bDELETE (\w+)/g))
      expect(statements).toMatch(new RegExp(`-\\[${name}:`));
  });
});
const bySequence = (a: Edge, b: Edge) =>
  Number(a.properties['sequence']) - Number(b.properties['sequence']);

describe('a turn', () => {
  it('"content (string, immutable after creation)" (S4-TURN-01)', async () => {
    const id = await talk.starts();
    const turn = await says(id, 'Be kind.', { speaker: 'SYSTEM', turnType: 'SUMMARY' });
    expect(turn).toMatchObject({ speaker: 'SYSTEM', turnType: 'SUMMARY', content: 'Be kind.' });
    const before = (await stored(id)).nodes[turn.id];
    await adds({ turnId: turn.id, content: 'Be brief.' });
    await updates({ id, title: 'Kind', status: 'ARCHIVED' });
    const node = await ada.find<object>(
      'node',
      turn.id,
      `id ... on ConversationTurn { speaker turnType content createdAt activeAlternative { id
        content } }`,
    );
    expect(node).toMatchObject({
      content: 'Be kind.',
      activeAlternative: { content: 'Be brief.' },
    });
    expect(node).toMatchObject({ createdAt: expect.stringMatching(INSTANT) });
    expect((await stored(id)).nodes[turn.id]).toEqual(before);
  });

  it('"Append new Turn with initial Alternative" (S4-TURN-05, S4-ALT-06)', async () => {
    const { id, userTurn, agentTurn, question, answer } = base;
    const kept = await stored(id);
    expect(
      edgesOf(kept, 'HAS_TURN')
        .map(({ to }) => to)
        .toSorted(),
    ).toEqual([userTurn.id, agentTurn.id].toSorted());
    expect(edgesOf(kept, 'HAS_ALTERNATIVE')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ from: userTurn.id, to: question }),
        expect.objectContaining({ from: agentTurn.id, to: answer }),
      ]),
    );
    expect(edgesOf(kept, 'CHILD_OF')).toMatchObject([
      { from: agentTurn.id, to: userTurn.id, properties: { viaAlternative: question } },
    ]);
    // The agent's alternative and no other; when it was chosen stands on the edge.
    expect(edgesOf(kept, 'EXECUTED_BY')).toMatchObject([
      { from: answer, to: speaker.processId, properties: { createdAt: expect.anything() } },
    ]);
    await adds({ turnId: userTurn.id, content: 'Hello again?' });
    expect(edgesOf(await stored(id), 'EXECUTED_BY')).toEqual(edgesOf(kept, 'EXECUTED_BY'));
    await activates(question);
  });
});

describe('an alternative', () => {
  it('"isActive: Only field that changes after creation" (S4-ALT-02, S4-ALT-04)', async () => {
    const { id, userTurn, question } = base;
    const edit = await adds({ turnId: userTurn.id, content: 'Hello, you?' });
    const before = await stored(id);
    await activates(question);
    const after = await stored(id);
    const versions = (kept: Kept) =>
      edgesOf(kept, 'HAS_ALTERNATIVE')
        .filter(({ from }) => from === userTurn.id)
        .toSorted(bySequence);
    const shown = (kept: Kept) =>
      versions(kept).flatMap(({ to, properties }) => (properties['isActive'] ? [to] : []));
    expect([shown(before), shown(after)]).toEqual([[edit], [question]]);
    expect(versions(after).map(({ properties }) => properties['sequence'])).toEqual(
      versions(after).map((_, index) => index + 1),
    );
    const withoutActive = ({ nodes, edges }: Kept) => ({
      turnsAndAlternatives: Object.entries(nodes).filter(([node]) => node !== id),
      edges: edges.map((edge) => ({ ...edge, properties: { ...edge.properties, isActive: null } })),
    });
    expect(withoutActive(after)).toEqual(withoutActive(before));
  });
});

describe('working memory', () => {
  it('"Computed view only: no persistent edges are stored" (S4-WM-02)', async () => {
    const { id } = base;
    const empty = await talk.starts();
    expect(await remembers(empty)).toMatchObject({ currentTurnId: null, totalTokens: 0 });
    const before = await stored(id);
    expect((await remembers(id)).totalTokens).toBeGreaterThan(0);
    expect(await stored(id)).toEqual(before);
    const [row] = await graph.read((tx) =>
      tx.run('// testLabels\nMATCH (n:WorkingMemory) RETURN count(n) AS count'),
    );
    expect(row?.['count']).toBe(0);
  });

  it('"References point only to Turns of the same Conversation" (S4-WM-06)', async () => {
    const { id, agentTurn, answer } = base;
    const { conversation } = await ada.mutate<{ conversation: { id: string } }>(
      'forkConversation',
      { conversationId: id, turnId: agentTurn.id, alternativeId: answer },
      'conversation { id }',
    );
    for (const of of [id, conversation.id]) {
      const own = new Set(Object.keys((await stored(of)).nodes));
      const { immediatePath, excludedStale, currentTurnId } = await remembers(of);
      const named = [...immediatePath, ...excludedStale].flatMap(({ turnId, alternativeId }) => [
        turnId,
        alternativeId,
      ]);
      expect(named).toHaveLength(4);
      for (const node of [...named, currentTurnId]) expect(own).toContain(node);
    }
    const { errors } = await ada.ask(
      `query ($id: ID!, $turnId: ID) { workingMemory(conversationId: $id, turnId: $turnId) {
        totalTokens } }`,
      { id: conversation.id, turnId: agentTurn.id },
    );
    expect(errors[0]?.extensions.problems).toMatchObject([{ code: 'NOT_FOUND', path: ['turnId'] }]);
  });
});

describe('the graph of one user, asked by its owner', () => {
  it('"which Process produced this response?": EXECUTED_BY (S4-ALT-06, S4-CONV-06)', async () => {
    const { id, agentTurn, answer, run } = base;
    const executed = () =>
      queryOwnGraph(
        ada,
        `MATCH (t:ConversationTurn {id: $turn})-[:HAS_ALTERNATIVE]->(a)-[e:EXECUTED_BY]->(p:Process)
         RETURN a.id AS alternative, p.id AS process, e.createdAt AS at`,
        { turn: agentTurn.id },
      );
    const hint = () =>
      queryOwnGraph(
        ada,
        `MATCH (c:Conversation {id: $id})-[e:DEFAULT_PROCESS]->(p:Process)
         RETURN p.id AS process, e.since AS since`,
        { id },
      );
    const before = await executed();
    const since = expect.stringMatching(INSTANT) as string;
    const { processId: process } = speaker;
    expect(before).toEqual([{ alternative: answer, process, at: since }]);
    expect(await hint()).toEqual([{ process, since }]);
    // "DEFAULT_PROCESS may point to a different Process than older alternatives"
    const other = await talk.speaker();
    await updates({ id, defaultProcessId: other.processId });
    expect(await hint()).toEqual([{ process: other.processId, since }]);
    expect(await executed()).toEqual(before);
    const runs = await queryOwnGraph(
      ada,
      `MATCH (a:Alternative {id: $answer})-[:WRITTEN_BY]->(r:ProcessRun)-[:RUN_OF]->(p:Process)
       MATCH (r)-[:HAS_STEP_RUN]->(s:StepRun)
       RETURN r.id AS run, r.status AS status, p.id AS process, s.stepId AS step,
         s.llmCalls AS calls`,
      { answer },
    );
    const status = 'completed';
    expect(runs).toEqual([{ run: run.id, status, process, step: 'answer', calls: 1 }]);
  });

  it('"Structural relationships use edges": catalog, steps (S4-PROC-07, S4-STEP-04)', async () => {
    const { toolId } = speaker;
    const call = { calls: { toolId }, inputs: { messages: '{context.messages}' } };
    const calledId = await ada.creates('process', {
      initialContext: ['messages'],
      steps: [{ ...call, stepId: 'only', output: { variable: 'only' } }],
      outputTemplate: '',
    });
    const id = await ada.creates('process', {
      initialContext: ['messages'],
      steps: [
        {
          ...call,
          stepId: 'look',
          execution: { timeout: 7, interactionMode: 'MANUAL' },
          output: { variable: 'look' },
        },
        {
          ...call,
          calls: { processId: calledId },
          stepId: 'compress',
          output: { variable: 'compress' },
          dependsOn: ['look'],
        },
      ],
      outputTemplate: '',
    });
    const calls = await queryOwnGraph(
      ada,
      `MATCH (p:Process {id: $id})-[d:DEFINES_STEP]->(s:ProcessStep)-[c:CALLS_TOOL]->(t:Tool)
         -[:USES_SERVICE]->(service:Service)
       RETURN d.order AS order, s.id AS step, c.timeout AS timeout, c.interactionMode AS mode,
         t.id AS tool, service.type AS service`,
      { id },
    );
    expect(calls).toEqual([
      { order: 0, step: 'look', timeout: 7, mode: 'manual', tool: toolId, service: 'llm_provider' },
    ]);
    const after = await queryOwnGraph(
      ada,
      `MATCH (p:Process {id: $id})-[:DEFINES_STEP]->(s:ProcessStep)-[d:DEPENDS_ON]->(before)
       MATCH (s)-[:CALLS_PROCESS]->(called:Process)
       RETURN s.id AS step, d.order AS order, before.id AS before, called.id AS called`,
      { id },
    );
    expect(after).toEqual([{ step: 'compress', order: 0, before: 'look', called: calledId }]);
  });

  it('"Conversation --HAS_ACTIVE_ENTITY--> Entity (addedAt, relevance)" (S4-CONV-08)', async () => {
    const { id } = base;
    const name = freshName('Ada Lovelace');
    const { entity } = await ada.mutate<{ entity: { uuid: string } }>(
      'createEntity',
      { name, summary: 'Wrote the first program.', conversationId: id },
      'entity { uuid }',
    );
    const active = await queryOwnGraph(
      ada,
      `MATCH (c:Conversation {id: $id})-[a:HAS_ACTIVE_ENTITY]->(e:Entity {name: $name})
       RETURN e.uuid AS uuid, a.addedAt AS addedAt, a.relevance AS relevance`,
      { id, name },
    );
    const addedAt = expect.stringMatching(INSTANT) as string;
    expect(active).toEqual([
      { uuid: entity.uuid, addedAt, relevance: expect.any(Number) as number },
    ]);
  });

  it('"filtered to the owner": another user finds none of it', async () => {
    const bob = client(freshName('bob'));
    const questions = [
      'MATCH (a:Alternative {id: $answer})-[:EXECUTED_BY]->(n:Process) RETURN n.id',
      'MATCH (c:Conversation {id: $id})-[:DEFAULT_PROCESS]->(n:Process) RETURN n.id',
      'MATCH (c:Conversation {id: $id})-[:HAS_ACTIVE_ENTITY]->(n:Entity) RETURN n.uuid',
      'MATCH (n:Process {id: $process}) RETURN n.id',
      'MATCH (n:Tool {id: $tool}) RETURN n.id',
      'MATCH (n:ProcessRun {conversationId: $id}) RETURN n.id',
    ];
    const { processId: process, toolId: tool } = speaker;
    const parameters = { id: base.id, answer: base.answer, process, tool };
    for (const question of questions) {
      expect(await queryOwnGraph(ada, question, parameters), question).not.toEqual([]);
      expect(await queryOwnGraph(bob, question, parameters), question).toEqual([]);
    }
  });
});
