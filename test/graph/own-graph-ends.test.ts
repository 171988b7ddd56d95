import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { ToolFault } from '../../src/common/tool-fault.ts';
import { type OwnGraphParts, openOwnGraph } from '../../src/own-graph/own-graph.service.ts';
import type { Graph } from '../../src/platform/neo4j/graph.ts';
import { GRAPH_QUERIES, type GraphQuery } from '../foreign/graph-query.cases.ts';
import { runCypher } from '../testkit/graph.ts';
import { writeOwnGraphs } from '../testkit/own-graph.ts';
import { newViewer, worldDeps } from '../testkit/world.ts';

const deps = worldDeps();
let close = async () => {};

const ada = await newViewer(deps, 'ada');
close = await writeOwnGraphs(deps.graph, [ada]);
afterAll(() => close());

const open = (more: Partial<OwnGraphParts> = {}) => openOwnGraph({ graph: deps.graph, ...more });

/** `rows`, or the code and words of the fault. */
async function outcome(
  by: ReturnType<typeof open>,
  { query, parameters = {} }: GraphQuery,
  { signal = new AbortController().signal, viewer = ada } = {},
): Promise<string> {
  const { userId: ownerId, workspace } = viewer;
  try {
    await by({ inputs: { query, parameters }, ownerId, workspace, signal });
    return 'rows';
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    return `${error.code} ${error.message}`;
  }
}

/** The user's statements that the database works on. */
async function running(): Promise<number> {
  const rows = await runCypher(
    deps.graph,
    `SHOW TRANSACTIONS YIELD parameters, currentQuery
      WHERE currentQuery STARTS WITH '// queryOwnGraph' AND parameters.p.ownerId = $ownerId
      RETURN count(*) AS n`,
    { ownerId: ada.userId },
  );
  return Number(rows[0]?.['n']);
}

const FAULTS = [
  'The query takes more than',
  'The query needs too much memory',
  'A value has the wrong type',
  'A list comprehension walks',
  'A text is too long',
];
const WORDS = new RegExp(`^(?:rows|TOOL_FAILED (?:${FAULTS.join('|')}).*)$`, 's');

describe('a query over one’s own graph ends (S0-WS-02)', () => {
  it.each(GRAPH_QUERIES.filter(({ right }) => right === 'runs'))(
    '$title ($source)',
    async ({ input }) => {
      const by = open();
      expect(await outcome(by, input)).toMatch(WORDS);
      await expect.poll(running).toBe(0);
      expect(await outcome(by, { query: 'RETURN 1 AS one' })).toBe('rows');
    },
  );

  it('keeps the value of XOR, and of an operand that is no condition', async () => {
    const by = open();
    const values = ['true', 'false', 'null'];
    for (const a of values)
      for (const b of values) {
        const query = `UNWIND [{x: ${a}, y: ${b}}] AS m RETURN m.x XOR m.y XOR m.x AS v, (m.x =
          true) XOR NOT m.y AS w`;
        const { rows } = (await by({
          inputs: { query },
          ownerId: ada.userId,
          workspace: ada.workspace,
          signal: new AbortController().signal,
        })) as unknown as { rows: object[] };
        const [x, y] = [JSON.parse(a), JSON.parse(b)];
        const isKnown = x !== null && y !== null;
        expect(rows).toEqual([{ v: isKnown ? y : null, w: isKnown ? x !== !y : null }]);
      }
    expect(await outcome(by, { query: "WITH 'a' AS a RETURN a XOR true AS x" })).toMatch(
      /^(TOOL_FAILED A value has the wrong type|INPUT_INVALID)/,
    );
  });

  it('holds the next query of its owner until the database has ended it', async () => {
    let open_ = () => {};
    const gate = new Promise<void>((resolve) => {
      open_ = resolve;
    });
    let started = 0;
    const held: Graph = {
      ...deps.graph,
      readRows(...args) {
        started++;
        const { read, gone } = deps.graph.readRows(...args);
        return { read, gone: gate.then(() => gone) };
      },
    };
    const by = open({ graph: held });
    const endless = {
      query: 'UNWIND range(1, 9999) AS a UNWIND range(1, 9999) AS b RETURN count(a + b)',
    };
    const stop = new AbortController();
    const first = outcome(by, endless, { signal: stop.signal });
    await expect.poll(() => started).toBe(1);
    stop.abort(new ToolFault('CANCELLED', 'The step was cancelled.'));
    expect(await first).toBe('CANCELLED The step was cancelled.');
    const second = outcome(by, { query: 'RETURN 2 AS two' });
    const bob = await newViewer(deps, 'bob');
    expect(await outcome(by, { query: 'RETURN 3 AS three' }, { viewer: bob })).toBe('rows');
    expect(started).toBe(2);
    open_();
    expect(await second).toBe('rows');
    await expect.poll(running).toBe(0);
  });

  it('refuses a query that waits too long for the one before', async () => {
    const held: Graph = {
      ...deps.graph,
      readRows: (...args) => ({ ...deps.graph.readRows(...args), gone: new Promise(() => {}) }),
    };
    const by = open({ graph: held, waitMsMax: 200 });
    expect(await outcome(by, { query: 'RETURN 1 AS one' })).toBe('rows');
    expect(await outcome(by, { query: 'RETURN 2 AS two' })).toMatch(
      /^TOOL_FAILED An earlier query of yours is still being ended/,
    );
  });

  it('is refused with words, or plans and runs within its time, whatever is written', {
    timeout: 600_000,
  }, async () => {
    const by = open();
    const one = fc.constantFrom('a.name', 'b.uuid', '$t', '$l', '3', "'x'", 'true', 'null', 'x');
    const { expression } = fc.letrec<{ expression: string }>((tie) => {
      const operand = tie('expression');
      const list = fc.array(operand, { minLength: 1, maxLength: 12 });
      const joined = (operators: string[]) =>
        fc
          .tuple(fc.constantFrom(...operators), list)
          .map(([operator, all]) => `(${all.join(` ${operator} `)})`);
      return {
        expression: fc.oneof(
          { depthSize: 'medium', withCrossShrink: true },
          one,
          joined(['AND', 'OR', 'XOR', 'AND', 'OR', 'XOR', '+', '*']),
          fc
            .tuple(
              operand,
              fc.constantFrom('=', '<>', '<', 'IN', 'CONTAINS', 'STARTS WITH'),
              operand,
            )
            .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
          operand.map((a) => `NOT (${a})`),
          fc
            .tuple(
              fc.constantFrom('toUpper', 'size', 'split', 'toInteger', 'coalesce', 'head'),
              operand,
            )
            .map(([name, a]) => `${name}(${a}${name === 'split' ? ", 'a'" : ''})`),
          fc
            .tuple(fc.constantFrom('any', 'all', 'none'), operand, operand)
            .map(([name, l, a]) => `${name}(x IN ${l} WHERE ${a})`),
          fc.tuple(operand, operand, operand).map(([l, a, b]) => `[x IN ${l} WHERE ${a} | ${b}]`),
          fc
            .array(fc.tuple(operand, operand), { minLength: 1, maxLength: 8 })
            .map((all) => `CASE ${all.map(([a, b]) => `WHEN ${a} THEN ${b}`).join(' ')} END`),
        ),
      };
    });
    const start = fc.constantFrom(
      'MATCH (a:Entity)--(b:Entity)',
      'MATCH (a:Entity|Session), (b:Entity)-[:RELATES_TO*1..3]-(:Entity|Episodic)',
      'MATCH (a:Entity) OPTIONAL MATCH (a)--(b:Entity|Prompt|Event)',
    );
    const query = fc.oneof(
      fc.tuple(start, expression).map(([m, e]) => `${m} WHERE ${e} RETURN count(*) AS n`),
      fc
        .tuple(start, expression, expression)
        .map(([m, e, o]) => `${m} WITH a, b, ${e} AS x RETURN x, ${o} AS o ORDER BY x LIMIT 5`),
    );
    const parameters = { t: 'aB'.repeat(2_000), l: ['a', 'b'] };
    let ran = 0;
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        const answer = await outcome(by, { query: text, parameters });
        if (answer.startsWith('INPUT_INVALID')) {
          expect(answer).toMatch(
            /^INPUT_INVALID (?:Line 1, column \d+: |The query is not valid: )\S/,
          );
          return;
        }
        ran++;
        expect(answer, text).toMatch(WORDS);
        await expect.poll(running).toBe(0);
      }),
      { seed: 39, numRuns: 30, interruptAfterTimeLimit: 10_000 },
    );
    expect(ran).toBeGreaterThan(3);
  });
});
