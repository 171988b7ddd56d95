import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { aiden } from '../testkit/aiden.ts';
import { client, freshName } from '../testkit/client.ts';
import { event, records } from '../testkit/streams.ts';

const ada = freshName('ada');
const bob = freshName('bob');
const page = readFileSync(new URL('../../docs/own-graph.md', import.meta.url), 'utf8');
const fences = [...page.matchAll(/```cypher\n([\s\S]*?)```/g)].map(([, text = '']) => text);

beforeAll(async () => {
  for (const name of [ada, bob]) {
    const data = { tool_name: `tool of ${name}`, tool_call_id: 'c1' };
    const of = ['tool:pre', 'tool:post'].map((one) => event(`session-of-${name}`, one, data));
    await records(client(name), of);
  }
});

describe('aiden query (S0-WS-02)', () => {
  it('answers from the own session graph, and refuses with the place', async () => {
    const query = 'MATCH (s:Session)-[:HAS_TOOL_CALL]->(c:ToolCall) RETURN c.tool_name AS tool';
    const { stdout, code } = await aiden(ada, ['query', query]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      columns: ['tool'],
      rows: [{ tool: `tool of ${ada}` }],
      cut: [],
    });
    const wrong = await aiden(ada, ['query', 'MATCH (n:Secret)\nRETURN n']);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('Line 1, column 7: There is no label Secret.');
    const parameters = await aiden(ada, ['query', 'RETURN $a AS a', '-p', '[1]']);
    expect(parameters.stderr).toContain('--parameters is a JSON object');
  });

  it('runs each query of docs/own-graph.md', async () => {
    expect(fences).toHaveLength(5);
    const parameters = JSON.stringify({ name: 'Ada', id: 'no-conversation' });
    for (const query of fences) {
      const { code, stderr, stdout } = await aiden(ada, ['query', query, '-p', parameters]);
      expect(stderr).toBe('');
      expect(code).toBe(0);
      expect(stdout).not.toContain(bob);
    }
    expect((await aiden(ada, ['query', fences[0] ?? ''])).stdout).toContain(`tool of ${ada}`);
  });
});

describe('query_graph as a step', () => {
  it('acts for the owner of the run', async () => {
    const api = client(bob);
    const { userErrors } = await api.mutate('importBundle', {
      document: `aiden: 1
processes:
  - name: my tools
    initialContext: []
    steps:
      - stepId: ask
        calls: { tool: query_graph }
        inputs:
          query: >-
            MATCH (c:ToolCall) WHERE c.tool_name STARTS WITH 'tool of'
            RETURN c.tool_name AS tool
        output: { variable: found }
      - stepId: beside
        calls: { tool: query_graph }
        execution: { mode: parallel }
        inputs: { query: "RETURN $workspace AS workspace" }
        output: { variable: one }
      - stepId: too
        calls: { tool: query_graph }
        execution: { mode: parallel, forEach: "[1, 2]" }
        inputs: { query: "RETURN 1 AS one" }
        output: { variable: two }
    outputTemplate: "{{json found.rows}}"
`,
    });
    expect(userErrors).toEqual([]);
    const { code, stdout } = await aiden(bob, ['run', 'my tools', '--watch']);
    expect(code).toBe(0);
    expect(stdout).toContain(`tool of ${bob}`);
    expect(stdout).not.toContain(ada);
    // S0-TC-01, S0-LIFT-06: the session of the run tells its groups and its steps.
    const groups = async () => {
      const query = `MATCH (run:ProcessRun)-[:HAS_STEP_RUN]->(step)
        MATCH (c:ToolCall {session_id: run.id})
        WHERE c.tool_call_id STARTS WITH run.id + '/' + step.stepId
        RETURN DISTINCT step.stepId AS step, split(c.parallel_group_id, '/')[1] AS group
        ORDER BY step`;
      const { rows } = JSON.parse((await aiden(bob, ['query', query])).stdout);
      return rows;
    };
    await expect.poll(groups).toEqual([
      { step: 'ask', group: null },
      { step: 'beside', group: 'stage-2' },
      { step: 'too', group: 'too' },
    ]);
    const recipes = `MATCH (e:RecipeStartEvent) RETURN e.total_steps AS steps`;
    expect(JSON.parse((await aiden(bob, ['query', recipes])).stdout).rows).toEqual([{ steps: 3 }]);
  });
});
