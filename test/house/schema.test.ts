import { readFileSync } from 'node:fs';
import {
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { expect, it } from 'vitest';
import { buildSchema } from '../../schema/index.ts';
import { PRINTED_SCHEMA, printedSchema } from '../../schema/print.ts';

it('the committed schema is the one the code prints', () => {
  // Compared as a yes or no: `npm run schema && git diff` shows the difference better than a test.
  const isCurrent = readFileSync(PRINTED_SCHEMA, 'utf8') === printedSchema();
  expect(isCurrent, 'npm run schema prints it anew; then npm run codegen').toBe(true);
});

// Issue 3: descriptions on every type, field and argument
it('every type, field, argument, enum value and input field has a description', () => {
  const types = Object.values(buildSchema().getTypeMap()).filter(
    ({ name }) => !name.startsWith('__'),
  );
  const builtIn = ['String', 'Int', 'Float', 'Boolean', 'ID'];
  expect(types.filter(({ name }) => !builtIn.includes(name)).flatMap(undescribed)).toEqual([]);
});

// docs/decisions/0050. Run events are sent again by cursor, so no client looks one up by its id.
const NO_NODES = new Set(['RunEvent']);

it('every type with an `id` is a Node, and the id is an ID (docs/decisions/0050)', () => {
  const types = Object.values(buildSchema().getTypeMap()).filter(
    (type) => isObjectType(type) || isInterfaceType(type),
  );
  const isExempt = (type: (typeof types)[number]) =>
    [type, ...type.getInterfaces()].some(({ name }) => name === 'Node' || NO_NODES.has(name));
  const withId = types.filter((type) => type.getFields()['id'] !== undefined);
  expect(withId.length).toBeGreaterThan(20);
  expect(withId.filter((type) => !isExempt(type)).map(({ name }) => name)).toEqual([]);
  expect(
    withId.filter((type) => String(type.getFields()['id']?.type) !== 'ID!').map(({ name }) => name),
  ).toEqual([]);
});

it('the node of every edge of a list is a Node (docs/decisions/0050)', () => {
  const edges = Object.values(buildSchema().getTypeMap())
    .filter(isObjectType)
    .filter((type) => type.getFields()['cursor'] !== undefined && type.getFields()['node']);
  expect(edges.length).toBeGreaterThan(10);
  const loose = edges.filter((edge) => {
    const type = edge.getFields()['node']?.type;
    const node = type === undefined ? null : getNamedType(type);
    return !isObjectType(node) || !node.getInterfaces().some(({ name }) => name === 'Node');
  });
  expect(loose.map(({ name }) => name)).toEqual([]);
});

// docs/decisions/0051
it('every mutation takes one `input`, named after it', () => {
  const mutations = Object.values(buildSchema().getMutationType()?.getFields() ?? {});
  const named = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  // Without arguments: there is nothing to say. The others take events in the form of documents.
  const exempt = ['exportMyData', 'ingestEvent', 'ingestEvents', 'recordSessionEvents'];
  const odd = mutations
    .filter(({ name }) => !exempt.includes(name))
    .filter(({ name, args }) => {
      const [input, ...more] = args;
      const is = input?.name === 'input' && String(input.type) === `${named(name)}!`;
      return !is || more.length > 0;
    });
  expect(odd.map(({ name }) => name)).toEqual([]);
});

it('every payload of a mutation has userErrors', () => {
  const mutations = Object.values(buildSchema().getMutationType()?.getFields() ?? {});
  const odd = mutations.filter(({ type }) => {
    const payload = getNamedType(type);
    return (
      !isObjectType(payload) || String(payload.getFields()['userErrors']?.type) !== '[UserError!]!'
    );
  });
  expect(odd.map(({ name }) => name)).toEqual([]);
});

it('the name of every time ends in At, that of an event is `at`', () => {
  const times = Object.values(buildSchema().getTypeMap())
    .filter((type) => isObjectType(type) || isInterfaceType(type) || isInputObjectType(type))
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => nameOf(field.type) === 'DateTime')
        .map((field) => `${type.name}.${field.name}`),
    );
  expect(times.length).toBeGreaterThan(50);
  expect(times.filter((place) => !/\.(at|\w+At)$/.test(place))).toEqual([]);
});
const nameOf = (type: GraphQLInputType | GraphQLOutputType) => getNamedType(type).name;

it('an id has one type wherever it stands', () => {
  const places: [string, GraphQLInputType | GraphQLOutputType][] = [];
  for (const type of Object.values(buildSchema().getTypeMap())) {
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields()))
        places.push([`${type.name}.${field.name}`, field.type]);
    }
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      places.push([`${type.name}.${field.name}`, field.type]);
      for (const arg of field.args)
        places.push([`${type.name}.${field.name}.${arg.name}`, arg.type]);
    }
  }
  const texts = places.filter(
    ([place, type]) =>
      /\.(agent|session|conversation|event)Id$/.test(place) && nameOf(type) !== 'ID',
  );
  expect(texts.map(([place]) => place)).toEqual([]);
});

function undescribed(type: GraphQLNamedType): string[] {
  const places: [string, string | null | undefined][] = [[type.name, type.description]];
  if (isEnumType(type)) {
    for (const value of type.getValues())
      places.push([`${type.name}.${value.name}`, value.description]);
  }
  if (isInputObjectType(type)) {
    for (const field of Object.values(type.getFields()))
      places.push([`${type.name}.${field.name}`, field.description]);
  }
  if (isObjectType(type) || isInterfaceType(type)) {
    for (const field of Object.values(type.getFields())) {
      places.push([`${type.name}.${field.name}`, field.description]);
      for (const arg of field.args)
        places.push([`${type.name}.${field.name}(${arg.name}:)`, arg.description]);
    }
  }
  return places.filter(([, text]) => !text?.trim()).map(([place]) => place);
}
