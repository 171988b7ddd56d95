import { formatDocument } from '@urql/core';
import { type DocumentNode, Kind, print, type TypeNode } from 'graphql';
import { expect, it } from 'vitest';
import * as generated from '../../console/src/generated/documents.ts';
import { client, freshName } from '../testkit/client.ts';

/** Values of the right kind for the variables that a query needs; none of them finds anything. */
const VALUES: Readonly<Record<string, unknown>> = {
  ID: '00000000-0000-7000-8000-000000000000',
  String: '',
  SearchInput: { query: 'x' },
};

function nameOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);
}

it('lets each query of the console cost no more than one operation may', async () => {
  const ned = client(freshName('ned'), { role: 'admin' });
  const tooDear: string[] = [];
  let count = 0;
  for (const [name, document] of Object.entries(generated)) {
    if (!name.endsWith('Document')) continue;
    // As the library of the console sends it: with the type of each object.
    const sent = formatDocument(document as DocumentNode);
    const [operation] = sent.definitions;
    if (operation?.kind !== Kind.OPERATION_DEFINITION || operation.operation !== 'query') continue;
    count++;
    const needed = (operation.variableDefinitions ?? []).filter(
      ({ type }) => type.kind === Kind.NON_NULL_TYPE,
    );
    const { errors } = await ned.ask(
      print(sent),
      Object.fromEntries(
        needed.map(({ variable, type }) => [variable.name.value, VALUES[nameOf(type)]]),
      ),
    );
    if (errors.some(({ extensions }) => extensions.code === 'COMPLEXITY')) tooDear.push(name);
  }
  expect(count).toBeGreaterThan(40);
  expect(tooDear).toEqual([]);
});
