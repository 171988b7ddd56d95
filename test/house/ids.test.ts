import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import '../../schema/index.ts';
import { kindAt, readIds } from '../../schema/read-ids.ts';
import { Refusal } from '../../src/common/refusal.ts';
import { idCases } from '../testkit/root-fields.ts';

// docs/decisions/0092: each ID of the schema takes the Node id of its object, and the domain id.

const UUID = 'ef305a60-1f0c-7d1a-9c55-0f2b6f0a3c11';
/** By kind: a Node id, and the domain id that the resolver gets. */
const IDS: Readonly<Record<string, readonly [nodeId: string, domainId: string]>> = {
  Entity: [`Entity:${UUID}`, UUID],
  Episode: [`Episode:${UUID}`, UUID],
  Fact: [`Fact:${UUID}`, UUID],
  Grip: ['Grip:grip:1705309200000:abc123', 'grip:1705309200000:abc123'],
  MemoryEvent: ['MemoryEvent:01HM6ZJ9Z8QW5T3V7X2Y4B6C8D', '01HM6ZJ9Z8QW5T3V7X2Y4B6C8D'],
  Session: ['Session:ops-7', 'ops-7'],
  StepRun: [`StepRun:${UUID}/fetch/3`, 'fetch'],
  // The resolver reads the agent from it.
  TocNode: ['TocNode:ops-bot/toc%3Ayear%3A2026', 'TocNode:ops-bot/toc%3Ayear%3A2026'],
  ToolCall: ['ToolCall:ops-7/call:1', 'ops-7/call:1'],
};
const KEYED = new Set(Object.keys(IDS));

const sdl = readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8');

const schema = buildSchema(sdl);
const roots = {
  query: schema.getQueryType()?.getFields() ?? {},
  mutation: schema.getMutationType()?.getFields() ?? {},
  subscription: schema.getSubscriptionType()?.getFields() ?? {},
};
for (const fields of Object.values(roots))
  for (const field of Object.values(fields)) field.resolve = (_root, given) => ({ given });
readIds(schema);

/** The arguments that a resolver gets, or the payload of a mutation that is refused. */
function asks(kind: keyof typeof roots, field: string, args: Record<string, unknown>): unknown {
  return roots[kind][field]?.resolve?.(null, args, { viewer: {} }, {} as never);
}

function at(value: unknown, place: readonly string[]): unknown {
  const [name, ...rest] = place;
  if (name === undefined) return Array.isArray(value) ? value[0] : value;
  const inner = Array.isArray(value) ? value[0] : value;
  return at((inner as Record<string, unknown>)[name], rest);
}

const cases = idCases().map((one) => {
  const kind = kindOf(one.kind, one.field, one.place);
  return { ...one, idOf: kind, title: `${one.field} ${one.place.join('.')}` };
});

/** By the last input type on the way, as the schema names it. */
function kindOf(root: string, field: string, place: readonly string[]): string {
  const name = root.charAt(0).toUpperCase() + root.slice(1);
  const type = schema.getType(name) as never as {
    getFields(): Record<string, { args: readonly { name: string; type: unknown }[] }>;
  };
  let at = `${name}.${field}`;
  let fields: readonly { name: string; type: unknown }[] = type.getFields()[field]?.args ?? [];
  for (const [index, part] of place.entries()) {
    if (index === place.length - 1) return kindAt(`${at}.${part}`);
    const typeName = String(fields.find((one) => one.name === part)?.type).replace(/[[\]!]/g, '');
    at = typeName;
    const inner = schema.getType(typeName) as never as {
      getFields(): Record<string, { name: string; type: unknown }>;
    };
    fields = Object.values(inner.getFields());
  }
  throw new Error('A place has a name.');
}

it('has ids of all kinds to ask about', () => {
  const kinds = new Set(cases.map(({ idOf }) => idOf).filter((kind) => KEYED.has(kind)));
  expect([...kinds].sort()).toEqual(
    // Steps are left out by idCases: their ids are unique within a Process only.
    [...KEYED].filter((kind) => kind !== 'StepRun').sort(),
  );
});

const given = (answer: unknown) => (answer as { given: Record<string, unknown> }).given;

describe.each(cases.filter(({ idOf }) => KEYED.has(idOf)))('$title', (one) => {
  const [nodeId, domainId] = IDS[one.idOf] ?? ['', ''];
  it(`takes the Node id and the domain id of a ${one.idOf}`, () => {
    for (const id of [nodeId, domainId])
      expect(at(given(asks(one.kind, one.field, one.variables(id))), one.place)).toBe(domainId);
  });
});

describe.each(cases.filter(({ idOf }) => !['text', 'node'].includes(idOf)))('$title', (one) => {
  const other = IDS[one.idOf === 'Entity' ? 'Fact' : 'Entity']?.[0] ?? '';
  it('refuses the Node id of another kind with words', () => {
    const type = other.split(':')[0];
    const refusal = () => {
      try {
        const payload = asks(one.kind, one.field, one.variables(other));
        return (payload as { userErrors: readonly { code: string; message: string }[] }).userErrors;
      } catch (error) {
        if (error instanceof Refusal) return error.problems;
        throw error;
      }
    };
    const [first] = refusal();
    expect(first?.code).toBe('INVALID');
    expect(first?.message).toMatch(new RegExp(`this is the id of an? ${type}\\.`));
    expect(first?.message).toContain(String(one.place.at(-1)));
  });

  it('leaves an id of no known kind as it is', () => {
    for (const id of [UUID, 'x', 'Nothing:x', 'toc:year:2026', ''])
      expect(at(given(asks(one.kind, one.field, one.variables(id))), one.place)).toBe(id);
  });
});

it('reads ids in lists of inputs, with the index in the path', () => {
  const event = { sessionId: 'Session:ops-7' };
  expect(given(asks('mutation', 'recordSessionEvents', { input: [event, event] }))).toEqual({
    input: [{ sessionId: 'ops-7' }, { sessionId: 'ops-7' }],
  });
  const refused = asks('mutation', 'recordSessionEvents', {
    input: [event, { sessionId: `Fact:${UUID}` }],
  });
  expect(refused).toMatchObject({
    recorded: 0,
    duplicates: 0,
    userErrors: [{ code: 'INVALID', path: ['input', '1', 'sessionId'] }],
  });
  expect(
    given(asks('mutation', 'ingestEvents', { input: [{ eventId: IDS['MemoryEvent']?.[0] }] })),
  ).toEqual({ input: [{ eventId: IDS['MemoryEvent']?.[1] }] });
});

it('reads the id of a step of a run', () => {
  const input = { runId: UUID, fromStepId: IDS['StepRun']?.[0] };
  expect(given(asks('mutation', 'retryProcessRun', { input }))).toEqual({
    input: { runId: UUID, fromStepId: 'fetch' },
  });
});

it('leaves ids of other systems as they are', () => {
  const input = [{ sessionId: 'Session:mine', agentId: 'Entity:mine' }];
  expect(given(asks('mutation', 'ingestEvents', { input }))).toEqual({ input });
});
