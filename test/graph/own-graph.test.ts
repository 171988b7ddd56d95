import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json.ts';
import { ToolFault } from '../../src/common/tool-fault.ts';
import { BASE_LABELS, LABELS } from '../../src/own-graph/graph-view.ts';
import { openOwnGraph } from '../../src/own-graph/own-graph.service.ts';
import type { Viewer } from '../../src/users/user.ts';
import { runCypher } from '../testkit/graph.ts';
import { writeOwnGraphs } from '../testkit/own-graph.ts';
import { ownTheJobs } from '../testkit/recall-world.ts';
import { newViewer, worldDeps } from '../testkit/world.ts';

const deps = worldDeps();
// A busy machine plans a statement for seconds; the limits have tests of their own.
const patient = openOwnGraph({ ...deps, queryMsMax: 55_000 });
const ownGraph = openOwnGraph(deps);
let close = async () => {};
let ada: Viewer;
let bob: Viewer;

// An audit of the memory would take the segments for damaged ones, and make them anew.
ownTheJobs();
beforeAll(async () => {
  [ada, bob] = await Promise.all([newViewer(deps, 'ada'), newViewer(deps, 'bob')]);
  close = await writeOwnGraphs(deps.graph, [ada, bob]);
});
afterAll(() => close());

interface Answer {
  readonly columns: string[];
  readonly rows: JsonObject[];
  readonly cut: string[];
}

const asks = (query: string, parameters: JsonObject = {}, viewer = ada, by = patient) =>
  by({
    inputs: { query, parameters },
    ownerId: viewer.userId,
    workspace: viewer.workspace,
    signal: new AbortController().signal,
  }) as Promise<unknown> as Promise<Answer>;

/** The answer as text, or the code of the fault. */
async function outcome(query: string, parameters: JsonObject = {}, by = patient): Promise<string> {
  try {
    return JSON.stringify((await asks(query, parameters, ada, by)).rows);
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    return `${error.code} ${error.message}`;
  }
}

describe('a query over one’s own graph (S0-WS-02, S4-INTR-09)', () => {
  it.each(LABELS)('reads the owner’s nodes of the label %s alone', async (label) => {
    const { rows } = await asks(`MATCH (n:${label}) RETURN n`);
    expect(rows.length).toBeGreaterThanOrEqual(2);
    const text = JSON.stringify(rows);
    expect(text).toContain('ada');
    expect(text).not.toMatch(/bob|internal/);
    expect(text).not.toContain(bob.userId);
  });

  it('joins, filters, groups, sorts, and returns nodes as maps of readable fields', async () => {
    const { columns, rows, cut } = await asks(
      `MATCH (a:Entity)-[r:RELATES_TO]->(b:Entity)
       WHERE a.name STARTS WITH $who AND b.uuid <> ''
       WITH a, collect({fact: r.fact, other: b}) AS links, count(*) AS n
       RETURN a.name AS name, n, links, [x IN links WHERE x.fact <> '' | x.fact] AS facts
       ORDER BY name LIMIT 5`,
      { who: 'ada' },
    );
    expect(columns).toEqual(['name', 'n', 'links', 'facts']);
    expect(rows).toMatchObject([
      { n: 1, facts: ['ada ada'], links: [{ fact: 'ada ada', other: { label: 'Entity' } }] },
    ]);
    expect(cut).toEqual([]);
  });

  it('S0-WS-02: has the workspace of the caller as a parameter, whatever is given', async () => {
    // The document's own example.
    const query =
      'MATCH (s:Session {workspace: $workspace}) RETURN s.node_id, s.started_at LIMIT 10';
    const { rows } = await asks(query);
    // Two nodes each of Session, RootSession and ForkedSession.
    expect(rows).toHaveLength(6);
    expect((await asks(query, { workspace: bob.workspace })).rows).toEqual(rows);
  });

  it('S0-WS-01, -02: has the workspace at nodes of the semantic layers too', async () => {
    const { workspace } = ada;
    const whole = { label: 'RecipeRun', workspace };
    const layer = 'MATCH (r:RecipeRun {workspace: $workspace}) WHERE r.workspace = $workspace';
    const { rows } = await asks(`${layer} RETURN r.workspace AS workspace, r`);
    expect(rows).toMatchObject([
      { workspace, r: whole },
      { workspace, r: whole },
    ]);
    expect(JSON.stringify(rows)).not.toContain('layer_workspace');
    // Of several labels, some of which store it by another name.
    const any = `MATCH (n {workspace: $asked})
      RETURN n.workspace AS workspace, count(n) AS nodes, collect(n.recipe_name) AS recipes,
        collect(n.tool_name) AS tools`;
    const [found, ...others] = (await asks(any, { asked: workspace })).rows;
    expect(others).toEqual([]);
    expect(found?.['workspace']).toBe(workspace);
    for (const of of ['recipes', 'tools']) expect(found?.[of]).not.toEqual([]);
    expect((await asks(any, { asked: bob.workspace })).rows).toEqual([]);
    // A node that a pattern names again.
    const again = `MATCH (n {workspace: $asked}) WITH n MATCH (n {workspace: $asked})
      RETURN count(n) AS nodes`;
    const counted = await asks(again, { asked: workspace });
    expect(counted.rows).toEqual([{ nodes: found?.['nodes'] }]);
  });

  it('S0-TC-03: finds the events of a call without their label', async () => {
    const edge = `MATCH (c:ToolCall {ownerId: $me}), (e:Event {ownerId: $me})
      MERGE (c)-[:HAS_EVENT {made: true}]->(e)`;
    await deps.graph.write((tx) => tx.run(`// testEvents\n${edge}`, { me: ada.userId }));
    const { rows } = await asks(
      'MATCH (c:ToolCall)-[:HAS_EVENT]->(e) RETURN e.event_name AS name, c.tool_name AS tool',
    );
    expect(rows.length).toBeGreaterThanOrEqual(4);
    expect(JSON.stringify(rows)).not.toContain('bob');
  });

  it('S0-WS-02: reads nodes without a label, and no property of another label', async () => {
    const all = await asks('MATCH (n) RETURN n');
    const labels = all.rows.map(({ n }) => (n as JsonObject)['label']);
    expect(new Set(labels)).toEqual(new Set(BASE_LABELS));
    expect(JSON.stringify(all.rows)).not.toMatch(/bob|internal/);
    const counted = await asks('MATCH (n) WHERE n.name STARTS WITH $who RETURN count(n) AS n', {
      who: 'ada',
    });
    expect(counted.rows[0]?.['n']).toBeGreaterThan(10);
    const [beside] = (
      await asks('MATCH (:Session)-->(x) RETURN count(x) AS n, collect(x.agent) AS agents')
    ).rows;
    expect(beside?.['n']).toBeGreaterThan(0);
    expect(JSON.stringify(beside)).not.toMatch(/bob|internal/);
  });

  it('follows several relationships through own nodes only', async () => {
    const { rows } = await asks(
      'MATCH (a:Entity)-[r:RELATES_TO*1..3]->(b:Entity) RETURN a.name, b.name, size(r) AS hops',
    );
    // The way over bob's node has two hops.
    expect(rows.map(({ hops }) => hops)).toEqual([1]);
  });

  it('gives an outer match its null, and knows dates, CASE and lists', async () => {
    const { rows } = await asks(
      `OPTIONAL MATCH (n:Entity {name: 'nobody'})
       UNWIND [3, 1, 2] AS x WITH n, x WHERE x > 1
       RETURN n, x, CASE WHEN x = 2 THEN 'two' ELSE null END AS word, date('2026-03-01') AS day,
         any(y IN [1, 2] WHERE y = x) AS known ORDER BY x`,
    );
    expect(rows).toEqual([
      { n: null, x: 2, word: 'two', day: '2026-03-01', known: true },
      { n: null, x: 3, word: null, day: '2026-03-01', known: false },
    ]);
  });
});

// Each either is refused or answers without a row, text or number of bob's.
const ATTACKS = [
  'MATCH (n) RETURN n',
  'MATCH (n:User) RETURN n',
  'MATCH (n:Secret) RETURN n',
  'MATCH (n:Entity:User) RETURN n',
  'MATCH (n:!Entity) RETURN n',
  'MATCH (n:%) RETURN n',
  'MATCH (n:Entity|User) RETURN n',
  'MATCH (n:Entity&!Nothing) RETURN n',
  'MATCH (n:(Entity|Session)) RETURN n',
  'MATCH (n IS Entity) RETURN n',
  'MATCH (n:$("Entity")) RETURN n',
  'MATCH (n:$($label)) RETURN n',
  'MATCH (n:`Entity) WHERE true //`) RETURN n',
  'MATCH (n:`Entity` ) RETURN n.name',
  'MATCH (n:Entity WHERE true) RETURN n',
  'MATCH (a:Entity)-->(b)-->(c:Entity) RETURN b',
  'MATCH (a:Entity)-[:RELATES_TO]->()-[r:RELATES_TO]->(c:Entity) RETURN r.fact',
  'MATCH (a:Entity)-[:RELATES_TO]->(b:Entity)-[r:RELATES_TO]->(c:Entity) RETURN r.fact, b',
  'MATCH (a:Entity)-[r:RELATES_TO*2]->(c:Entity) RETURN [x IN r | x.fact]',
  'MATCH (a:Entity)-[r*1..5]-(c:Entity) UNWIND r AS x RETURN x',
  'MATCH (a:Entity)-[r:RELATES_TO*]->(c:Entity) RETURN r',
  'MATCH (a:Entity)-[r:RELATES_TO*0..3]-(c:Entity) RETURN [x IN r | x.fact]',
  'MATCH (a:Entity)-[r:RELATES_TO*1..99]->(c:Entity) RETURN r',
  'MATCH p = (a:Entity)-[:RELATES_TO*1..3]->(c:Entity) RETURN nodes(p)',
  'MATCH p = shortestPath((a:Entity)-[*..5]-(b:Entity)) RETURN p',
  'MATCH shortestPath((a:Entity)-[*..5]-(b:Entity)) RETURN a',
  'MATCH ANY SHORTEST (a:Entity)-[:RELATES_TO]-+(b:Entity) RETURN b',
  'MATCH (a:Entity) ((x)-[:RELATES_TO]->(y)){1,3} (b:Entity) RETURN y',
  'MATCH (a:Entity)-[:RELATES_TO]->+(b:Entity) RETURN b',
  'OPTIONAL MATCH (n) RETURN n',
  'OPTIONAL MATCH (a:Entity)-[r]-(b:Entity) RETURN r, b',
  'MATCH (n:Entity) OPTIONAL MATCH (n)--(m) RETURN m',
  'MATCH (n:Entity) OPTIONAL MATCH (n)-[r]-(m:Entity) WHERE true OR true RETURN m, r',
  'MATCH (n:Entity) WHERE n.name = "x" OR true RETURN n',
  'MATCH (n:Entity) WHERE n.group_id = $bobGroup OR n.ownerId = $bob RETURN n',
  'MATCH (n:Conversation {ownerId: $bob}) RETURN n',
  'MATCH (n:CallGraphNode) WHERE n.ownerId = $bob RETURN n',
  'MATCH (n:Entity {group_id: $bobGroup}) RETURN n',
  'UNWIND $ids AS id MATCH (n:Entity {uuid: id}) RETURN n',
  'UNWIND $ids AS id MATCH (n {uuid: id}) RETURN n',
  'MATCH (n:Entity) WITH collect(n) AS all UNWIND all AS m MATCH (m)-[r]-(x:Entity) RETURN x, r',
  'MATCH (n:Entity) WITH collect(n) AS all UNWIND all AS m MATCH (m)--(x) RETURN x',
  'WITH {name: "x"} AS n MATCH (n)-[]-(m:Entity) RETURN m',
  'WITH $map AS n MATCH (n)-[]-(m:Entity) RETURN m',
  'MATCH (n:Entity) RETURN [(n)--(m) | m.name]',
  'MATCH (n:Entity) RETURN [(n)-[r]-(m:Entity) | r.fact]',
  'MATCH (n:Entity) RETURN EXISTS { (n)--(m:User) }',
  'MATCH (n:Entity) WHERE EXISTS { MATCH (m:User) WHERE m.name = "bob" } RETURN n',
  'MATCH (n:Entity) RETURN COUNT { MATCH (m) }',
  'MATCH (n:Entity) RETURN COLLECT { MATCH (m) RETURN m }',
  'MATCH (n:Entity) WHERE (n)--(:User) RETURN n',
  'MATCH (n:Entity) WHERE exists((n)--(:User)) RETURN n',
  'MATCH (n:Entity) RETURN size((n)--())',
  'MATCH (n:Entity) RETURN n {.*}',
  'MATCH (n:Entity) RETURN n {.name, .name_embedding}',
  'MATCH (n:Entity) RETURN properties(n)',
  'MATCH (n:Entity) RETURN keys(n), labels(n)',
  'MATCH (n:Entity) RETURN elementId(n), id(n)',
  'MATCH (n:Entity) WHERE elementId(n) < "9" RETURN n',
  'MATCH (n:Entity) RETURN n.name_embedding',
  "MATCH (n:Entity) RETURN n['name_embedding']",
  'MATCH (n:Entity) WITH {x: n} AS m RETURN m.x.name_embedding',
  "MATCH (n:Entity) WITH {x: n} AS m RETURN m['x']['name_embedding']",
  'MATCH (n:Entity) WITH [n] AS l RETURN l[0].name_embedding',
  'MATCH (n:Entity) WITH head(collect(n)) AS x RETURN x.ciphertext',
  'MATCH (n:Entity) WITH coalesce(null, n) AS x RETURN x.ciphertext',
  'MATCH (n:Entity) RETURN CASE WHEN true THEN n END.ciphertext',
  'MATCH (n:Entity) RETURN [x IN [n] | x.ciphertext]',
  'MATCH (n:Entity) WHERE n.name_embedding STARTS WITH "i" RETURN n.name',
  'MATCH (n:Entity {name_embedding: "internal"}) RETURN n.name',
  'MATCH (n:Entity) RETURN n.`name_embedding`',
  'MATCH (n:Entity) RETURN n.n\\u0061me_embedding',
  'MATCH (n:Entity\\u0029 MATCH (m) RETURN m',
  'MATCH (a:Entity)-[r]-(b:Entity) RETURN startNode(r), endNode(r)',
  'MATCH (a:Entity)-[r]-(b:Entity) RETURN r.fact_embedding',
  'MATCH (a:Entity)-[r:OWNED_BY]-(b:Entity) RETURN r',
  'MATCH (a:Entity)-[r:!RELATES_TO]-(b:Entity) RETURN r',
  'MATCH (a:Entity)-[r:$("OWNED_BY")]-(b:Entity) RETURN r',
  'MATCH (a:Entity)-[r:RELATES_TO WHERE true]-(b:Entity) RETURN r',
  'CALL db.labels() YIELD label RETURN label',
  'CALL { MATCH (n) RETURN n } RETURN n',
  'MATCH (n:Entity) CALL (n) { MATCH (m) RETURN m } RETURN m',
  'MATCH (n:Entity) CALL apoc.cypher.run("MATCH (n) RETURN n", {}) YIELD value RETURN value',
  'CALL dbms.listConfig()',
  'CALL db.index.fulltext.queryNodes("node_name_and_summary", "bob") YIELD node RETURN node',
  'LOAD CSV FROM "file:///etc/passwd" AS line RETURN line',
  'SHOW USERS',
  'SHOW TRANSACTIONS YIELD currentQuery RETURN currentQuery',
  'USE system MATCH (n:Entity) RETURN n',
  'EXPLAIN MATCH (n) RETURN n',
  'PROFILE MATCH (n:Entity) RETURN n',
  'CYPHER runtime=slotted MATCH (n:Entity) RETURN n',
  'CYPHER 25 MATCH (n:Entity) RETURN n',
  'MATCH (n:Entity) USING INDEX n:Entity(name) RETURN n',
  'MATCH (n:Entity) USING SCAN n:User RETURN n',
  'MATCH (n:Entity) RETURN n UNION MATCH (n:User) RETURN n',
  'MATCH (n:Entity) RETURN n UNION ALL MATCH (n) RETURN n',
  'MATCH (n:Entity) RETURN n; MATCH (m) RETURN m',
  'MATCH (n:Entity) RETURN n;',
  'MATCH (n:Entity) FINISH',
  'CREATE (n:Entity {group_id: "x"}) RETURN n',
  'MERGE (n:Entity {uuid: "x"}) RETURN n',
  'MATCH (n:Entity) SET n.group_id = "x" RETURN n',
  'MATCH (n:Entity) DETACH DELETE n',
  'MATCH (n:Entity) REMOVE n.group_id RETURN n',
  'FOREACH (x IN [1] | CREATE (:Entity))',
  'MATCH (n:Entity) CALL { WITH n DELETE n } IN TRANSACTIONS OF 1 ROWS RETURN 1',
  'MATCH (n:Entity) // WHERE\n RETURN n',
  'MATCH (n:Entity /* ) MATCH (m */ ) RETURN n',
  "MATCH (n:Entity) WHERE n.name = '\\'}) MATCH (m) RETURN m //' RETURN n",
  'MATCH (n:Entity) WHERE n.name = $injection RETURN n',
  'MATCH (n:Entity) RETURN n AS `x}) MATCH (m) RETURN m //`',
  'MATCH (n:Entity) WITH n AS `a``b` RETURN `a``b`.name',
  'MATCH (`n) MATCH (m) RETURN m //`:Entity) RETURN 1',
  'MATCH (n:Entity) RETURN $p, $values, $groups, $ownerId',
  'MATCH (v1:Entity) WITH 1 AS v2 RETURN v1',
  'MATCH (n:Entity) RETURN reduce(a = "", x IN [1] | a + x)',
  'MATCH (n:Entity) WITH n.uuid AS x ORDER BY n.ciphertext RETURN x',
  'MATCH (n:Entity) RETURN n ORDER BY n',
  'MATCH (n:Session|ToolCall) RETURN n.owner_id',
  'MATCH (n:MemoryEvent) RETURN n.store, n.realm',
  'MATCH (n:MemoryEvent) WHERE n.text CONTAINS "bob" RETURN count(n)',
  'MATCH (a:Entity), (b:Event), (c:Grip) RETURN a, b, c',
  'MATCH (n:Entity) RETURN apoc.text.join(["a"], "b")',
  'RETURN file(), randomUUID()',
  'RETURN vector.similarity.cosine([1.0], [1.0])',
  'MATCH (n:UserEvent) RETURN n',
  'MATCH (n:Entity) LET x = n.name RETURN x',
  'MATCH (n:Entity) FILTER n.name = "x" RETURN n',
  'MATCH (n:Entity) WITH * RETURN *',
] as const;

describe('attacks', () => {
  it('reach no row of another user, in any spelling', { timeout: 600_000 }, async () => {
    const foreign = await asks('MATCH (n:Entity) RETURN n.uuid AS id, n.group_id AS g', {}, bob);
    const parameters = {
      bob: bob.userId,
      bobGroup: String(foreign.rows[0]?.['g']),
      ids: foreign.rows.map(({ id }) => id ?? null),
      map: { name: 'bob' },
      label: 'Entity',
      injection: "x'}) MATCH (m) RETURN m //",
    };
    expect(foreign.rows).toHaveLength(2);
    expect(ATTACKS.length).toBeGreaterThan(60);
    let refused = 0;
    for (const attack of ATTACKS) {
      const answer = await outcome(attack, parameters);
      expect(answer, attack).not.toMatch(/bob [A-Z]|ada bob|bob ada|"internal"/);
      if (answer.startsWith('INPUT_INVALID')) refused++;
      // Harmless ones answer with rows, or fail without a word of Neo4j's.
      else expect(answer, attack).not.toMatch(/Neo\.|Neo4j|v\d+|SyntaxError/);
    }
    // The others are accepted, and answer from ada's own rows.
    expect(refused).toBeGreaterThan(85);
    expect(refused).toBeLessThan(ATTACKS.length - 15);
    expect(
      await runCypher(deps.graph, 'MATCH (n:Entity {group_id: $g}) RETURN count(n) AS n', {
        g: parameters.bobGroup,
      }),
    ).toEqual([{ n: 2 }]);
  });

  it('accepted queries of any shape answer from own nodes only', { timeout: 600_000 }, async () => {
    const label = fc.constantFrom(...LABELS, 'Entity', 'Event', 'Session');
    const node = fc
      .tuple(
        fc.constantFrom('a', 'b', 'c'),
        fc.option(fc.array(label, { minLength: 1, maxLength: 2 })),
      )
      .map(([name, labels]) => `(${name}${labels === null ? '' : `:${labels.join('|')}`})`);
    const edge = fc.constantFrom(
      '--',
      '-->',
      '-[r]-',
      '-[:RELATES_TO]->',
      '-[s*1..2]-',
      '<-[:HAS_EVENT|MENTIONS]-',
    );
    const pattern = fc
      .tuple(node, fc.array(fc.tuple(edge, node), { maxLength: 2 }))
      .map(([first, rest]) => `${first}${rest.flat().join('')}`);
    const clause = fc.oneof(
      fc
        .tuple(
          fc.constantFrom('MATCH', 'OPTIONAL MATCH'),
          pattern,
          fc.constantFrom('', ' WHERE true OR false', ' WHERE a <> b'),
        )
        .map((parts) => parts.join(' ')),
      fc.constantFrom(
        'WITH *',
        'WITH a, collect(b) AS l UNWIND l AS b',
        'WITH a AS b, b AS a',
        'WITH DISTINCT a, b',
      ),
    );
    const end = fc.constantFrom(
      'RETURN *',
      'RETURN a, b',
      'RETURN {x: a, y: [a, b]} AS m',
      'RETURN r',
      'RETURN DISTINCT s, a',
      'RETURN collect(a)',
    );
    const query = fc
      .tuple(fc.array(clause, { minLength: 1, maxLength: 3 }), end)
      .map(([clauses, last]) => [...clauses, last].join(' '));
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        // A random one may be without end, and the next test waits for it.
        const answer = await outcome(text, {}, ownGraph);
        expect(answer, text).not.toMatch(/bob|internal/);
        if (answer.startsWith('[{')) answered++;
      }),
      { seed: 41, numRuns: 40, interruptAfterTimeLimit: 10_000 },
    );
    // How many random ones are accepted is chance; some are.
    expect(answered).toBeGreaterThan(0);
  });
});

describe('limits', () => {
  it('cut an answer at 200 rows, 4,000 characters, 100 elements and 1 MiB', async () => {
    const rows = await asks('UNWIND range(1, 500) AS n RETURN n');
    expect(rows.rows).toHaveLength(200);
    expect(rows.cut).toEqual(['rows']);
    expect((await asks('UNWIND range(1, 500) AS n RETURN n LIMIT 200')).cut).toEqual([]);
    const lists = await asks('RETURN range(1, 500) AS l');
    expect(lists.rows[0]?.['l']).toHaveLength(100);
    expect(lists.cut).toEqual(['lists']);
    const texts = await asks('RETURN $t AS t, {a: [$t]} AS m', { t: 'é'.repeat(5_000) });
    expect(texts.rows[0]?.['t']).toBe(`${'é'.repeat(4_000)}…`);
    expect(texts.rows[0]?.['m']).toEqual({ a: [`${'é'.repeat(4_000)}…`] });
    expect(texts.cut).toEqual(['texts']);
    const bytes = await asks('UNWIND range(1, 60) AS n RETURN [n, $t, $t, $t, $t, $t, $t] AS l', {
      t: 'x'.repeat(4_000),
    });
    expect(bytes.cut).toEqual(['bytes']);
    expect(bytes.rows.length).toBeGreaterThan(30);
    expect(bytes.rows.length).toBeLessThan(60);
  });

  it('end a query that runs or collects without end, and others go on', {
    timeout: 300_000,
  }, async () => {
    const long =
      'UNWIND range(1, 10000) AS a UNWIND range(1, 10000) AS b UNWIND range(1, 10000) AS c';
    const [slow, large] = await Promise.all([
      outcome(`${long} RETURN count(*)`, {}, ownGraph),
      ownGraph({
        inputs: { query: `${long} RETURN size(collect({a: a, b: toString(b), c: c}))` },
        ownerId: bob.userId,
        workspace: bob.workspace,
        signal: new AbortController().signal,
      }).catch((error: ToolFault) => error.message),
    ]);
    expect(slow).toMatch(/^TOOL_FAILED The query takes more than 5 s/);
    expect(large).toMatch(/too much memory|takes more than 5 s/);
    expect(await outcome('UNWIND range(1, 1000000000) AS a RETURN count(a)')).toMatch(
      /^INPUT_INVALID/,
    );
    expect(
      await outcome('UNWIND range(1, 2000) AS a WITH collect(a) AS l RETURN [x IN l | x] AS l'),
    ).toBe('TOOL_FAILED A list comprehension walks over at most 1000 elements.');
    expect(await outcome('RETURN 1 / 0')).toMatch(/^TOOL_FAILED A value has the wrong type/);
    expect(await outcome('MATCH (n:Entity) RETURN DISTINCT n.name ORDER BY n.uuid')).toMatch(
      /^INPUT_INVALID The query is not valid: after an aggregation or DISTINCT/,
    );
  });

  it('refuse inputs that are no query, and stop when the step is cancelled', async () => {
    const call = (inputs: JsonObject, signal = new AbortController().signal) =>
      ownGraph({ inputs, ownerId: ada.userId, workspace: ada.workspace, signal });
    await expect(call({})).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(call({ query: 'RETURN 1', parameters: [] })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
    await expect(
      call({ query: 'RETURN $a', parameters: { a: 'x'.repeat(20_000) } }),
    ).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(call({ query: 'RETURN 1 AS one' }, AbortSignal.abort())).rejects.toThrow(/abort/i);
  });

  it('run the queries of one user in turn; a waiting one is given up at once', async () => {
    const call = (signal: AbortSignal, viewer: Viewer, query: string) =>
      patient({ inputs: { query }, ownerId: viewer.userId, workspace: viewer.workspace, signal });
    const many = 'UNWIND range(1, 10000) AS a UNWIND range(1, 10000) AS b';
    const [first, second] = [new AbortController(), new AbortController()];
    let isOver = false;
    const running = call(
      first.signal,
      ada,
      `${many} UNWIND range(1, 10000) AS c RETURN count(*)`,
    ).finally(() => {
      isOver = true;
    });
    running.catch(() => {});
    const waiting = call(second.signal, ada, 'RETURN 1 AS one');
    expect(await call(new AbortController().signal, bob, 'RETURN 2 AS two')).toMatchObject({
      rows: [{ two: 2 }],
    });
    second.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
    expect(isOver).toBe(false);
    first.abort();
    await expect(running).rejects.toThrow();
    expect((await asks('RETURN 3 AS three')).rows).toEqual([{ three: 3 }]);
  });
});
