import { existsSync, readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
} from 'graphql';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const schema = buildSchema(readFileSync(new URL('schema/schema.graphql', ROOT), 'utf8'));
const proto = readFileSync(new URL('proto/memory.proto', ROOT), 'utf8');
const fieldsOf = (name: string) =>
  Object.keys((schema.getType(name) as GraphQLInputObjectType | GraphQLObjectType).getFields());
const valuesOf = (name: string) =>
  (schema.getType(name) as GraphQLEnumType).getValues().map((value) => value.name);

describe('what the API can say', () => {
  // S4-SVC-02, S4-SVC-03
  it('has the types and protocols of the specification, and no other', () => {
    expect(valuesOf('ServiceType').sort()).toEqual([
      'LLM_PROVIDER',
      'MCP_SERVER',
      'NEO4J_GRAPH',
      'REST_API',
    ]);
    expect(valuesOf('Protocol').sort()).toEqual('BOLT BOLT_S HTTP HTTPS SSE STDIO'.split(' '));
  });

  // A11: what nobody may change has no place in an input.
  it.each([
    [
      'UpdateServiceInput',
      ['type', 'protocol', 'requiresSecret', 'serviceTemplateId', 'schemaVersion'],
    ],
    ['UpdateSecretInput', ['type', 'keyVersion', 'encryptedValue']],
    ['UpdateToolInput', ['serviceId', 'toolTemplateId']],
    [
      'UpdateServiceTemplateInput',
      [
        ...'type protocol connectionSchema requiresSecret operation inputSchema'.split(' '),
        ...'outputSchema'.split(' '),
      ],
    ],
    [
      'UpdateToolTemplateInput',
      [
        ...'type protocol connectionSchema requiresSecret operation inputSchema'.split(' '),
        ...'outputSchema'.split(' '),
      ],
    ],
    ['UpdateProcessInput', ['version']],
  ])(
    '%s can not change what is immutable (S4-SVC-02, S4-SVC-03, S4-SVC-04, S4-STPL-02)',
    (input, immutable) => {
      expect(fieldsOf(input).filter((field) => immutable.includes(field))).toEqual([]);
    },
  );

  // S4-OWN-01, S4-OWN-02, S4-OWN-03, S4-SVC-05, S4-TOOL-02
  it('takes no owner, health or times from its input', () => {
    const system = 'ownerId owner status lastHealthCheck errorMessage createdAt updatedAt'.split(
      ' ',
    );
    const inputs = Object.keys(schema.getTypeMap()).filter((name) =>
      /^(Create|Update)\w*Input$/.test(name),
    );
    expect(inputs.length).toBeGreaterThan(8);
    // A conversation's status (active, archived) is its owner's to set; the word only looks the
    // same.
    const given = inputs
      .filter((name) => name !== 'UpdateConversationInput')
      .flatMap((name) =>
        fieldsOf(name)
          .filter((field) => system.includes(field))
          .map((field) => `${name}.${field}`),
      );
    expect(given).toEqual([]);
  });

  it("never gives a Secret's value back (S4-SEC-03)", () => {
    expect(fieldsOf('Secret').filter((field) => /value|encrypted|plain/i.test(field))).toEqual([]);
  });

  it('shows a Service and a Tool their template, archived or not (S4-STPL-07)', () => {
    expect(fieldsOf('Service')).toContain('serviceTemplate');
    expect(fieldsOf('Tool')).toContain('toolTemplate');
    expect(fieldsOf('ServiceTemplate')).toContain('archived');
  });

  it('offers the nouns of the product (SX-03)', () => {
    const nouns = ['Service', 'Tool', 'Secret', 'Process', 'Conversation', 'ConversationTurn'];
    const memory = ['Episode', 'Entity', 'Fact', 'Summary', 'Introspection'];
    expect([...nouns, ...memory].filter((name) => schema.getType(name) === undefined)).toEqual([]);
  });

  // An Entity goes by its owner's forgetEntity alone (docs/decisions/0076).
  // S4-ENT-06, S4-CONV-04, S4-TURN-06
  it('deletes no Entity, turn, alternative or conversation', () => {
    const deletes = fieldsOf('Mutation').filter((field) => field.startsWith('delete'));
    expect(deletes).not.toEqual([]);
    expect(deletes.filter((field) => /Entity|Turn|Alternative|Conversation/.test(field))).toEqual(
      [],
    );
    const forgets = fieldsOf('Mutation').filter((field) => field.startsWith('forget'));
    const each = ['forgetEntity', 'forgetFact', 'forgetStatement'];
    expect(forgets.toSorted()).toEqual(['forget', ...each]);
  });

  it.each([
    ['MemoryEvent', 'timestamp', ['occurredAt'], 'S2-EVT-01'],
    ['Grip', 'timestamp', ['occurredAt'], 'S2-GRIP-01'],
    ['TocNode', 'startTime', ['startsAt', 'endsAt'], 'S2-TOC-01'],
    ['Service', 'lastHealthCheck', ['lastHealthCheckAt'], 'S4-SVC-05'],
    ['Tool', 'lastHealthCheck', ['lastHealthCheckAt'], 'S4-TOOL-02'],
    ['ConversationTurn', 'timestamp', ['createdAt', 'saidAt'], 'S4-TURN-01'],
    ['WorkingMemory', 'lastUpdated', ['updatedAt'], 'S4-WM-01'],
    ['MetricPoint', 'timestamp', ['measuredAt'], 'S4-MVAL-01'],
    ['Worker', 'lastHeartbeat', ['lastHeartbeatAt'], 'S4-WRK-01'],
  ])(
    'names the times of a %s otherwise than the documents do: no %s, but %j (%s)',
    (type, documented, times) => {
      expect(fieldsOf(type)).toEqual(expect.arrayContaining(times));
      expect(fieldsOf(type)).not.toContain(documented);
    },
  );

  it.each([
    ['MemoryEvent', 'Event', ['eventId', 'sessionId', 'text'], 'S2-EVT-07'],
    ['TocNode', 'TocNode', ['nodeId', 'title', 'keywords', 'childNodeIds', 'version'], 'S2-TOC-01'],
    ['TocBullet', 'TocBullet', ['text'], 'S2-TOC-02'],
    ['Grip', 'Grip', ['gripId', 'excerpt', 'eventIdStart', 'eventIdEnd', 'source'], 'S2-GRIP-01'],
  ])(
    'has the fields of the documents for a %s, also as %s of gRPC: %j (%s)',
    (type, message, fields) => {
      expect(fieldsOf(type)).toEqual(expect.arrayContaining(fields));
      const [, body = ''] = new RegExp(`^message ${message} \\{(.*?)^\\}`, 'ms').exec(proto) ?? [];
      const snake = fields.map((name) =>
        name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      );
      expect(snake.filter((name) => !new RegExp(` ${name} = `).test(body))).toEqual([]);
    },
  );

  it('offers no change of a step but through its Process (S4-STEP-02)', () => {
    expect(fieldsOf('Mutation').filter((field) => /ProcessStep/.test(field))).toEqual([]);
  });
});

describe('the product', () => {
  it('has its top-level folders and files (SX-02)', () => {
    const expected = [
      ...'schema src workflows activities codegen.ts test docker-compose.yml'.split(' '),
      ...'package.json README.md'.split(' '),
    ];
    expect(expected.filter((name) => !existsSync(new URL(name, ROOT)))).toEqual([]);
  });

  it('is built of the required libraries (SX-01)', () => {
    const manifest = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as Record<
      string,
      Record<string, string>
    >;
    const installed = { ...manifest['dependencies'], ...manifest['devDependencies'] };
    const named = [
      ...'graphql-yoga @pothos/core @graphql-codegen/cli neo4j-driver handlebars'.split(' '),
      ...'ajv @temporalio/worker zod vitest'.split(' '),
    ];
    expect(named.filter((name) => installed[name] === undefined)).toEqual([]);
  });
});
