import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSecretScope, defaultSecretScope } from '../../src/catalog/secrets/secret-scope.ts';
import { allowsDestination, destinationOf, originOf } from '../../src/catalog/services/endpoint.ts';
import { summariseHealth } from '../../src/catalog/services/service.ts';
import type { JsonObject } from '../../src/common/json.ts';
import { cypherParameters } from '../../src/operations/cypher-parameters.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { checkOperation, mutatingByDefault } from '../../src/operations/operation.ts';
import { cpuMs } from '../testkit/cpu.ts';

describe('the parameters of a Cypher statement', () => {
  it.each<[string, string[]]>([
    [
      'MATCH (n {name: $name}) WHERE n.age > $minAge AND n.name = $name RETURN n',
      ['name', 'minAge'],
    ],
    ['RETURN "$no", \'$no\', "\\"$no", \'it\\\'s $no\' + $yes', ['yes']],
    ['MATCH (n:`$no`) // $no\n/* $no\n$no */ RETURN $yes', ['yes']],
    ['RETURN $`odd name`, $`tick``ed`, $_x1, $ünï', ['odd name', 'tick`ed', '_x1', 'ünï']],
    ["RETURN 'open $no", []],
    ['RETURN 1 /* open $no', []],
    ['RETURN 10/$divisor', ['divisor']],
    ['', []],
  ])('of %j are %j', (query, expected) => {
    expect(cypherParameters(query)).toEqual(expected);
  });

  it('are found in linear time', () => {
    for (const hostile of [
      "'".repeat(60_000),
      '/*'.repeat(30_000),
      '`'.repeat(59_999),
      '\\'.repeat(60_000),
      '$`'.repeat(30_000),
    ]) {
      expect(cpuMs(() => void cypherParameters(hostile))).toBeLessThan(2_500);
    }
  });

  it('are exactly those that were put between texts that look like some', () => {
    const noise = fc.constantFrom("'$a'", '"$b"', '`$c`', '/* $d */', '// $e\n', ' n.x ', '$', ' ');
    const name = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(noise, name)), (parts) => {
        const query = parts.map(([text, parameter]) => `${text} $${parameter} `).join('');
        expect(cypherParameters(query)).toEqual([
          ...new Set(parts.map(([, parameter]) => parameter)),
        ]);
      }),
    );
  });
});

describe('an operation and its inputSchema (S4-TOOL-06)', () => {
  const faults = (
    operation: Operation,
    properties: JsonObject = {},
    supplied: 'supplied' | 'none' = 'none',
  ) =>
    checkOperation(operation, { type: 'object', properties }, supplied).map(
      ({ code, path }) => `${code} ${path.join('.')}`,
    );
  const rest = (changes: Partial<Extract<Operation, { type: 'rest_call' }>>): Operation => ({
    type: 'rest_call',
    method: 'POST',
    path: '/',
    ...changes,
  });

  it('agree both ways, wherever a template stands', () => {
    const everywhere = rest({
      path: '/{{a}}',
      query: { q: ['{{b}}'] },
      headers: { 'X-C': '{{c.d}}' },
      body: { e: { f: 'x {{e}}' } },
    });
    expect(faults(everywhere, { a: {}, b: {}, c: {}, e: {} })).toEqual([]);
    expect(faults(everywhere, { z: {} })).toEqual([
      'UNKNOWN_VARIABLE operation.restCall.path',
      'UNKNOWN_VARIABLE operation.restCall.query.q.0',
      'UNKNOWN_VARIABLE operation.restCall.headers.X-C',
      'UNKNOWN_VARIABLE operation.restCall.body.e.f',
      'UNKNOWN_VARIABLE inputSchema.properties.z',
    ]);
  });

  it('say no # in a path, and no body of a GET', () => {
    const body = { a: 1 };
    expect(faults(rest({ path: '/channels/#general' }))).toEqual([
      'INVALID operation.restCall.path',
    ]);
    expect(faults(rest({ path: '/a{{#if b}}/{{b}}{{/if}}/%23' }), { b: {} })).toEqual([]);
    for (const method of ['GET', 'HEAD'] as const)
      expect(faults(rest({ method, body }))).toEqual(['INVALID operation.restCall.body']);
    expect(faults(rest({ method: 'DELETE', body }))).toEqual([]);
  });

  it('have no inputs in a probe, and no other host (S4-EXEC-02)', () => {
    expect(faults(rest({ probe: { method: 'HEAD', path: '/items?limit=1' } }))).toEqual([]);
    for (const path of ['/items/{{id}}', '//elsewhere.example', 'https://elsewhere.example/'])
      expect(faults(rest({ probe: { path } }), { id: {} })).toContain(
        'INVALID operation.restCall.probe.path',
      );
  });

  it('of an llm_call count prompts and messages', () => {
    expect(
      faults(
        {
          type: 'llm_call',
          systemPrompt: '{{a}}',
          promptTemplate: '{{#each list}}{{this}}{{/each}}',
          messages: 'history',
        },
        { a: {}, list: {}, history: {} },
      ),
    ).toEqual([]);
    expect(faults({ type: 'llm_call', promptTemplate: 'x', messages: 'history' })).toEqual([
      'UNKNOWN_VARIABLE operation.llmCall.messages',
    ]);
    expect(faults({ type: 'llm_call', promptTemplate: '' })).toEqual([
      'REQUIRED operation.llmCall.promptTemplate',
    ]);
    expect(
      faults({ type: 'llm_call', promptTemplate: 'x', responseSchema: { type: 'nonsense' } }),
    ).toEqual(['SCHEMA_INVALID operation.llmCall.responseSchema.type']);
  });

  it('of an mcp_call without arguments are not compared', () => {
    expect(faults({ type: 'mcp_call', tool: 'echo' }, { anything: {} })).toEqual([]);
    expect(
      faults({ type: 'mcp_call', tool: 'echo', arguments: { text: '{{a}}' } }, { anything: {} }),
    ).toEqual([
      'UNKNOWN_VARIABLE operation.mcpCall.arguments.text',
      'UNKNOWN_VARIABLE inputSchema.properties.anything',
    ]);
    expect(faults({ type: 'mcp_call', tool: ' ' })).toEqual(['REQUIRED operation.mcpCall.tool']);
  });

  it('of the system may use the variables of the driver, and no operation may declare one', () => {
    const query: Operation = {
      type: 'graph_query',
      query: 'RETURN $ownerId, $workspace, $a',
      access: 'read',
    };
    expect(faults(query, { a: {} }, 'supplied')).toEqual([]);
    expect(faults(query, { a: {} })).toEqual([
      'UNKNOWN_VARIABLE operation.graphQuery.query',
      'UNKNOWN_VARIABLE operation.graphQuery.query',
    ]);
    expect(faults(query, { a: {}, ownerId: {} }, 'supplied')).toEqual([
      'INVALID inputSchema.properties.ownerId',
    ]);
    expect(faults(rest({ path: '/{{ownerId}}' }), { ownerId: {} })).toEqual([]);
  });

  it.each([
    '//evil.example',
    'http://evil.example/x',
    '@evil.example',
    ':80/x',
    '\\evil',
    '/a\r\nHost: evil',
    '/a\u0000',
  ])('refuse the path %j', (path) => {
    expect(faults(rest({ path }))).toContain('INVALID operation.restCall.path');
  });

  it.each<[string, JsonObject]>([
    ['Host', { Host: 'evil' }],
    ['transfer-encoding', { 'transfer-encoding': 'chunked' }],
    ['Content-Length', { 'Content-Length': '1' }],
    ['X-A', { 'X-A': 'a\r\nX-B: b' }],
    ['a b', { 'a b': 'x' }],
    ['X-O', { 'X-O': {} }],
  ])('refuse the header %s', (name, headers) => {
    expect(faults(rest({ headers }))).toEqual([`INVALID operation.restCall.headers.${name}`]);
  });

  it('take no escape of the template language', () => {
    for (const source of [
      '{{constructor.constructor}}',
      '{{__proto__}}',
      '{{> partial}}',
      '{{*decorator}}',
      '{{lookup this "constructor"}}',
    ]) {
      expect(faults({ type: 'llm_call', promptTemplate: source })[0]).toMatch(
        /^TEMPLATE_INVALID operation\.llmCall\.promptTemplate/,
      );
    }
  });

  it('say by themselves whether they may change something', () => {
    expect(mutatingByDefault({ type: 'graph_query', query: '', access: 'read' })).toBe(false);
    expect(mutatingByDefault({ type: 'graph_query', query: '', access: 'write' })).toBe(true);
    expect(
      (['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
        mutatingByDefault({ type: 'rest_call', method, path: '' }),
      ),
    ).toEqual([false, false, true, true, true, true]);
    expect(mutatingByDefault({ type: 'llm_call', promptTemplate: '' })).toBe(false);
    expect(mutatingByDefault({ type: 'mcp_call', tool: 'x' })).toBe(true);
  });
});

describe('where a Secret may go', () => {
  it.each<[string, string | null]>([
    ['https://API.Example.com:443/v1', 'https://api.example.com'],
    ['https://api.example.com.:8443', 'https://api.example.com:8443'],
    ['http://[::1]:80/', 'http://[::1]'],
    ['bolt://DB.example.com', 'bolt://db.example.com'],
    ['bolt+s://db.example.com:7687', 'bolt+s://db.example.com'],
    ['https://api.example.com@evil.example', 'https://evil.example'],
    ['file:///etc/passwd', null],
    ['no url', null],
  ])('%s has the origin %s', (endpoint, origin) => {
    expect(originOf(endpoint)).toBe(origin);
  });

  it('is any place without a list, and only the listed with one', () => {
    expect(allowsDestination([], null)).toBe(true);
    expect(allowsDestination(['https://a.example'], 'https://a.example')).toBe(true);
    expect(allowsDestination(['https://a.example'], 'https://a.example.evil')).toBe(false);
    expect(allowsDestination(['https://a.example'], null)).toBe(false);
    expect(destinationOf('stdio', { server: 'files', endpoint: 'https://a.example' })).toBe(
      'stdio:files',
    );
  });

  it('is the usual one of its Service where none is given', () => {
    const llm = { type: 'llm_provider', protocol: 'https' } as const;
    expect(defaultSecretScope({ type: 'neo4j_graph', protocol: 'bolt' }, {})).toBe('password');
    expect(defaultSecretScope({ type: 'rest_api', protocol: 'https' }, {})).toBe('bearer');
    expect(defaultSecretScope(llm, { endpoint: 'https://api.openai.com/v1' })).toBe('bearer');
    expect(defaultSecretScope(llm, { endpoint: 'https://api.anthropic.com' })).toBe(
      'header:x-api-key',
    );
    expect(defaultSecretScope(llm, { endpoint: 'https://anthropic.com.evil.example' })).toBe(
      'bearer',
    );
    expect(defaultSecretScope(llm, { endpoint: 'http://127.0.0.1', api: 'anthropic' })).toBe(
      'header:x-api-key',
    );
    expect(defaultSecretScope({ type: 'mcp_server', protocol: 'stdio' }, {})).toBeNull();
  });

  it('is a form its Service knows', () => {
    const http = { type: 'rest_api', protocol: 'https' } as const;
    const stdio = { type: 'mcp_server', protocol: 'stdio' } as const;
    const allowed = (scope: string, place: Parameters<typeof checkSecretScope>[1]) =>
      checkSecretScope(scope, place).length === 0;
    const taken = (place: typeof http | typeof stdio, ...scopes: string[]) =>
      scopes.filter((scope) => allowed(scope, place));
    const forHttp = ['bearer', 'basic', 'header:X-Api-Key', 'query:key'];
    const notForHttp = ['password', 'env:KEY', 'header:', 'header:a b', 'header:Host', 'query:'];
    expect(taken(http, ...forHttp, ...notForHttp, 'bearer:x', '')).toEqual(forHttp);
    const forStdio = ['env:API_KEY', 'env:GITHUB_TOKEN', 'env:SERVICE_PASSWORD'];
    expect(taken(stdio, ...forStdio, 'env:a b', 'bearer')).toEqual(forStdio);
    expect(allowed('password', { type: 'neo4j_graph', protocol: 'bolt' })).toBe(true);
  });
});

describe("a Service's health (S4-SVC-11)", () => {
  const own = {
    tools: 2,
    checked: 2,
    healthy: 2,
    down: 0,
    lastHealthCheck: '2026-01-01T00:00:00.000Z',
    complaint: null,
  };

  it('sums up its own Tools, and is never healthy while disabled', () => {
    const health = (more: object, isEnabled = true) => {
      const { status, errorMessage } = summariseHealth(isEnabled, { ...own, ...more });
      return [status, errorMessage];
    };
    const refused = { complaint: 'refused' };
    expect(health({})).toEqual(['healthy', null]);
    expect(health({ ...refused, healthy: 1, down: 1 })).toEqual([
      'degraded',
      '1 of 2 Tools: refused',
    ]);
    expect(health({ ...refused, healthy: 0, down: 2 })[0]).toBe('down');
    expect(health({ checked: 0, healthy: 0 })).toEqual(['degraded', 'not checked yet']);
    // No call needs one without Tools, so nothing can be wrong.
    expect(health({ tools: 0, checked: 0, healthy: 0 })).toEqual(['healthy', null]);
    expect(health({}, false)).toEqual(['down', 'disabled']);
  });
});
