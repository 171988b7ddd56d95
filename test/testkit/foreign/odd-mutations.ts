import { documentOf, leastArgs, leavesOf, type OwnIds, rootFields } from '../root-fields.ts';

// Mutations with one odd value each, made from the committed schema, so that a new field is tried
// by itself.

/** A field of an input, and the mutation that takes it. */
export interface OddPlace {
  readonly mutation: string;
  /** Argument and, inside it, fields. */
  readonly path: readonly string[];
  /** Name of the scalar or enum. */
  readonly type: string;
  readonly document: string;
  /** The least that the mutation asks for, with `value` in this place. */
  variables(value: unknown): Record<string, unknown>;
}

const DEPTH_MAX = 4;
const DEFAULTS = { filled: 'steps', object: { endpoint: 'http://127.0.0.1:9' } };
const SELECTED = '{ __typename userErrors { code message path } }';

/**
 * Each leaf of each argument of each mutation.
 * @param own ids of the caller's own things by type name, for the other fields
 */
export function oddPlaces(own: OwnIds = new Map()): OddPlace[] {
  return rootFields('mutation').flatMap((field) =>
    leavesOf(field, DEPTH_MAX).map(({ path, type }) => ({
      mutation: field.name,
      path,
      type,
      document: documentOf('mutation', field, SELECTED),
      variables: (value: unknown) =>
        leastArgs({ ...DEFAULTS, value, own, field: field.name }, field, path),
    })),
  );
}
