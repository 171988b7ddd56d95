import { HttpRefused } from './answer.ts';
import type { GraphqlParams } from './body.ts';

const MAY_BE_EMPTY = ['operationName', 'variables', 'extensions'];

/**
 * The params without fields of an empty text. Forms such as those of GraphiQL and Postman send one
 * for a field that nobody filled in.
 * @throws HttpRefused 400 where operationName is no text; the library takes such a one for none
 */
export function withoutEmpty(params: GraphqlParams): GraphqlParams {
  const { operationName = null } = params;
  if (operationName !== null && typeof operationName !== 'string')
    throw new HttpRefused({
      status: 400,
      code: 'BAD_USER_INPUT',
      message: 'operationName has to be a text, or absent.',
    });
  return Object.fromEntries(
    Object.entries(params).filter(([name, value]) => value !== '' || !MAY_BE_EMPTY.includes(name)),
  );
}
