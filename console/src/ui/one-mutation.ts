import { type DocumentNode, Kind, print } from 'graphql';

/** A request with the fields of several mutations, which the API runs in their order. */
export function inOneMutation(
  all: readonly { readonly document: DocumentNode; readonly of: object }[],
): { readonly query: string; readonly variables: Readonly<Record<string, object>> } {
  const parts = all.map(({ document, of }, at) => {
    const [operation] = document.definitions;
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('This is no mutation.');
    const [field] = operation.selectionSet.selections;
    const [variable] = operation.variableDefinitions ?? [];
    if (field?.kind !== Kind.FIELD || variable === undefined)
      throw new Error('This mutation has no field with an input.');
    return {
      variable: `$input${at}: ${print(variable.type)}`,
      field: `d${at}: ${field.name.value}(input: $input${at}) { userErrors { message } }`,
      value: [`input${at}`, of] as const,
    };
  });
  const variables = parts.map(({ variable }) => variable).join(', ');
  return {
    query: `mutation DeleteAll(${variables}) { ${parts.map(({ field }) => field).join(' ')} }`,
    variables: Object.fromEntries(parts.map(({ value }) => value)),
  };
}
