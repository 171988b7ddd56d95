import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../../schema/index.ts';
import { readIds } from '../../schema/read-ids.ts';
import { Refusal } from '../../src/common/refusal.ts';
import { FollowedRuns, servingOf } from '../../src/main/http/openai-repeats.ts';
import { OpenaiError, readChatCompletion } from '../../src/main/http/openai-request.ts';
import { allowOrigin, answerPreflight, refuse } from '../../src/platform/http/answer.ts';
import { guardAddresses } from '../../src/platform/http/guards.ts';
import { listening } from '../testkit/listen.ts';
import { BODIES, DEV_ORIGINS, NODE_IDS, PREFLIGHTS, type ReadBody } from './client.cases.ts';

// Clients of OpenAI's API, of GraphQL and of browsers: their requests, and the right answer to
// each.

function reads(body: unknown): ReadBody {
  try {
    const { messages } = readChatCompletion(body);
    return { messages: messages.map(({ role, content }) => [role, content] as const) };
  } catch (error) {
    if (!(error instanceof OpenaiError)) throw error;
    expect(error.status).toBe(400);
    expect(error.message).not.toMatch(/undefined|Invalid input/);
    const { param } = error.body['error'] as { param: string | null };
    return { refused: param ?? '' };
  }
}

describe('a chat completion', () => {
  it.each(BODIES)('$title ($source)', ({ input, right }) => {
    expect(reads(input)).toEqual(right);
  });

  it('is read or refused with 400, whatever its body is', () => {
    const message = fc.record(
      {
        role: fc.oneof(fc.constantFrom('user', 'assistant', 'system', 'tool'), fc.jsonValue()),
        content: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    const body = fc.record(
      {
        model: fc.oneof(fc.constant('chat'), fc.jsonValue()),
        messages: fc.oneof(fc.array(message, { maxLength: 4 }), fc.jsonValue()),
        stream: fc.jsonValue(),
        metadata: fc.oneof(
          fc.record({ conversation: fc.jsonValue(), tool_events: fc.jsonValue() }),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(body, fc.jsonValue()), (value) => {
        const read = reads(value);
        if ('messages' in read)
          for (const [role, content] of read.messages)
            expect([role, content.trim()]).not.toEqual([role, '']);
      }),
      { seed: 39_0091, numRuns: 500 },
    );
  });
});

describe('a page of another origin', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    const guard = guardAddresses({
      mode: 'dev',
      host: '127.0.0.1',
      origins: ['https://app.example.com'],
      port: () => (server.address() as AddressInfo).port,
    });
    server = createServer((request, response) => {
      const refusal = guard.check(request);
      if (refusal !== null) return refuse(response, refusal);
      allowOrigin(request, response);
      const headers = request.headers['access-control-request-headers'];
      answerPreflight(response, { headers });
    });
    url = `http://${await listening(server)}/graphql`;
  });
  afterAll(() => server.close());

  const asks = (origin: string, headers: string) =>
    fetch(url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-headers': headers },
    });

  it.each(PREFLIGHTS)('may send $title ($source)', async ({ input }) => {
    const answer = await asks('https://app.example.com', input);
    expect(answer.status).toBe(204);
    const allowed = answer.headers.get('access-control-allow-headers')?.split(', ') ?? [];
    for (const name of input.split(',')) expect(allowed).toContain(name.trim().toLowerCase());
  });

  it('may read the id of a run and of a request', async () => {
    const answer = await asks('https://app.example.com', '');
    const exposed = answer.headers.get('access-control-expose-headers');
    for (const name of ['x-request-id', 'x-aiden-run-id', 'retry-after'])
      expect(exposed).toContain(name);
  });

  it('gets no allowance where its origin is not on the list', async () => {
    const answer = await asks('https://evil.example', 'authorization');
    expect(answer.status).toBe(403);
    expect(answer.headers.get('access-control-allow-headers')).toBeNull();
  });

  it('gets no name that is no name of a header', async () => {
    const answer = await asks('https://app.example.com', 'a b, x\u00e4, ,*');
    const allowed = answer.headers.get('access-control-allow-headers') ?? '';
    expect(allowed).not.toMatch(/a b|\u00e4|, ,/);
  });

  it.each(DEV_ORIGINS)('$title gets $right to set ($source)', async ({ input, right }) => {
    const { errors } = (await (await asks(input, '')).json()) as { errors: { message: string }[] };
    const line = `AIDEN_CORS_ORIGINS=${input}`;
    expect(errors[0]?.message.includes(line)).toBe(right === 'a setting');
  });
});

describe('a request that is repeated', () => {
  it.each([
    [null, false, 'join'],
    [null, true, 'join'],
    ['completed', true, 'join'],
    ['completed', false, 'new'],
    ['failed', true, 'join'],
    ['failed', false, 'again'],
    ['cancelled', true, 'again'],
    ['cancelled', false, 'again'],
  ] as const)('after an answer that is %s, as a retry: %s, is to %s', (outcome, isRepeated, to) => {
    expect(servingOf({ outcome }, { isRepeated })).toBe(to);
  });

  it('takes a run over that its client left, and abandons it once', async () => {
    const runs = new FollowedRuns(20);
    const abandoned: string[] = [];
    const follow = (runId: string) =>
      runs.follow({ runId, fingerprint: 'same' }, () => abandoned.push(runId));
    const leave = follow('one');
    expect(runs.leftRun('same')).toBeNull();
    leave({ isDelivered: false });
    expect(runs.leftRun('same')).toBe('one');
    expect(runs.leftRun('other')).toBeNull();
    const second = follow('one');
    expect(runs.leftRun('same')).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(abandoned).toEqual([]);
    second({ isDelivered: false });
    await expect.poll(() => abandoned).toEqual(['one']);
    expect(runs.leftRun('same')).toBeNull();
  });

  it('abandons no run whose answer a client got, or whose server stops', async () => {
    const runs = new FollowedRuns(10);
    const abandoned: string[] = [];
    const follow = (runId: string) =>
      runs.follow({ runId, fingerprint: runId }, () => abandoned.push(runId));
    const [first, second] = [follow('one'), follow('one')];
    first({ isDelivered: false });
    second({ isDelivered: true });
    const left = follow('two');
    left({ isDelivered: false });
    const open = follow('three');
    runs.close();
    open({ isDelivered: false });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(abandoned).toEqual([]);
  });
});

describe('an id of a client cache', () => {
  const schema = buildSchema(
    readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8'),
  );
  const roots = {
    query: schema.getQueryType()?.getFields() ?? {},
    mutation: schema.getMutationType()?.getFields() ?? {},
  };
  for (const fields of Object.values(roots))
    for (const field of Object.values(fields)) field.resolve = (_root, args) => args;
  readIds(schema);

  it.each(NODE_IDS)('$title ($source)', ({ input: { root, field, args }, right }) => {
    const asks = () => {
      try {
        return roots[root][field]?.resolve?.(null, args, { viewer: {} }, {} as never);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { userErrors: error.problems };
      }
    };
    const answer = asks() as { userErrors?: readonly { path: readonly string[] }[] };
    const [first] = answer.userErrors ?? [];
    expect(first === undefined ? answer : { refused: first.path }).toEqual(right);
  });
});
