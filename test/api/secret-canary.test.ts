import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { client, freshName } from '../testkit/client.ts';
import { testGraph } from '../testkit/graph.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { restService } from '../testkit/run-world.ts';

// A12: one Secret goes through everything a run does, then everything that was written or said is
// searched for it.

let rest: RestServer;
beforeAll(async () => {
  rest = await openRestServer();
});
afterAll(() => rest.close());

/** Every text inside a value, bytes read as UTF-8, as in a dump of a history. */
function textsOf(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner instanceof Uint8Array) return Buffer.from(inner).toString('utf8');
    return typeof inner === 'bigint' ? String(inner) : inner;
  });
}

describe('a Secret', () => {
  it('is used, and is found nowhere afterwards (S4-SEC-02, S4-SEC-03)', async () => {
    const ada = client(freshName('ada'));
    const canary = `CANARY-${randomUUID()}`;
    const said: string[] = [];
    const ask = async <Data>(document: string, variables?: object): Promise<Data> => {
      const answer = await ada.ask<Data, object>(document, variables ?? {});
      said.push(JSON.stringify(answer.data), JSON.stringify(answer.errors));
      expect(answer.errors).toEqual([]);
      return answer.data as Data;
    };

    const { createSecret } = await ask<{ createSecret: { secret: { id: string } } }>(
      `mutation Secret($value: String!) {
        createSecret(input: { name: "canary", type: API_KEY, value: $value }) { secret { id name
        keyVersion } userErrors { code message path } }
      }`,
      { value: canary },
    );
    const secretId = createSecret.secret.id;
    const serviceId = await ada.creates('service', restService({ requiresSecret: true }));
    const tool = (path: string, secretScope: string) =>
      ada.creates('tool', {
        serviceId,
        connectionParams: { endpoint: rest.origin },
        secretId,
        secretScope,
        operation: { restCall: { method: 'GET', path } },
        inputSchema: { type: 'object', properties: {} },
        outputSchema: {},
        mutating: false,
      });
    // The target echoes its request, headers and query included; the other one refuses and quotes
    // it.
    const echo = await tool('/echo', 'bearer');
    const inQuery = await tool('/echo', 'query:key');
    const refused = await tool('/status/400', 'header:x-key');

    const step = (stepId: string, toolId: string, more: object = {}) => ({
      ...{ stepId, calls: { toolId }, inputs: {} },
      output: { variable: stepId, ...more },
    });
    const processId = await ada.creates('process', {
      initialContext: [],
      steps: [
        step('echoed', echo),
        step('asked', inQuery),
        step('refused', refused, { required: false }),
      ],
      outputTemplate: '{{json echoed}} {{json asked}}',
    });
    const { startProcessRun } = await ask<{ startProcessRun: { run: { id: string } } }>(
      `mutation Run($id: ID!) { startProcessRun(input: { processId: $id, context: {} }) { run {
        id } userErrors { code message path } } }`,
      { id: processId },
    );
    const runId = startProcessRun.run.id;
    for await (const event of ada.subscribeSse(
      `subscription Events($id: ID!) { runEvents(runId: $id) { __typename id cursor
        ... on ToolCallEvent { name input } ... on ToolResultEvent { name output } ... on
        ErrorEvent { message } } }`,
      { id: runId },
    )) {
      said.push(JSON.stringify(event));
    }
    const { processRun } = await ask<{
      processRun: { status: string; output: string; steps: { status: string }[] };
    }>(
      `query Run($id: ID!) { processRun(id: $id) { status output variables context error { code
        message details }
        steps { stepId status inputs output error { code message details } } } }`,
      { id: runId },
    );
    await ask(
      `mutation Test($id: ID!) { testTool(input: { id: $id, inputs: {} }) { output error { code
        message details } userErrors { code message path } } }`,
      { id: echo },
    );
    await ask(
      `{ exportBundle secrets { nodes { id name type } } tools { nodes { id connectionParams
        secret { id name } } } }`,
    );

    // It did reach the target, three times and by three ways; else the rest of this test would
    // prove nothing.
    expect(processRun.status).toBe('COMPLETED');
    expect(processRun.output).toContain('[REDACTED]');
    expect(processRun.steps.map(({ status }) => status)).toEqual([
      'COMPLETED',
      'COMPLETED',
      'FAILED',
    ]);
    expect(
      rest.requests.filter(({ headers }) => headers.authorization === `Bearer ${canary}`).length,
    ).toBeGreaterThan(1);
    expect(rest.requests.some(({ query }) => query.get('key') === canary)).toBe(true);
    expect(rest.requests.some(({ headers }) => headers['x-key'] === canary)).toBe(true);

    const variants = [
      canary,
      Buffer.from(canary).toString('base64'),
      Buffer.from(canary).toString('base64url'),
    ];
    const heard = said.join('\n');
    expect(variants.filter((text) => heard.includes(text))).toEqual([]);
    expect(await inGraph(variants)).toEqual([]);
    const history = await inTemporal(runId);
    expect(history.length).toBeGreaterThan(1_000);
    expect(variants.filter((text) => history.includes(text))).toEqual([]);
    const metrics = await (await fetch(`${process.env['AIDEN_TEST_URL'] ?? ''}/metrics`)).text();
    expect(metrics).toContain('aiden_');
    expect(variants.filter((text) => metrics.includes(text))).toEqual([]);
  });
});

/** Labels of all nodes and relationships with one of the texts in any property. */
async function inGraph(texts: readonly string[]): Promise<unknown[]> {
  const graph = testGraph();
  try {
    return await graph.read((tx) =>
      tx.run(
        `// searchEverywhere
        CALL () {
          MATCH (n) UNWIND keys(n) AS key
          WITH labels(n) AS found, key, n[key] AS value
          WHERE any(text IN $texts WHERE
            CASE WHEN value IS :: STRING THEN value CONTAINS text
                 WHEN value IS :: LIST<STRING NOT NULL> THEN any(one IN value WHERE one CONTAINS
                   text) ELSE false END)
          RETURN found, key
          UNION
          MATCH ()-[r]->() UNWIND keys(r) AS key
          WITH [type(r)] AS found, key, r[key] AS value
          WHERE any(text IN $texts WHERE CASE WHEN value IS :: STRING THEN value CONTAINS text ELSE
            false END)
          RETURN found, key
        }
        RETURN found, key LIMIT 10`,
        { texts: [...texts] },
      ),
    );
  } finally {
    await graph.close();
  }
}

async function inTemporal(workflowId: string): Promise<string> {
  const connection = await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' });
  try {
    const history = await new Client({ connection }).workflow.getHandle(workflowId).fetchHistory();
    return textsOf(history);
  } finally {
    await connection.close();
  }
}
