import { readFileSync } from 'node:fs';
import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { expect, it } from 'vitest';
import { buildSchema } from '../../schema/index.ts';
import { PRINTED_SCHEMA, printedSchema } from '../../schema/print.ts';

it('the committed schema is the one the code prints', () => {
  // As a yes or no: the difference of two whole schemas helps nobody, `npm run schema && git diff` shows it.
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
