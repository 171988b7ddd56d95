import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type ASTVisitor,
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';

/** Limits of one operation. Above: COMPLEXITY. */
export interface OperationLimits {
  readonly tokensMax: number;
  readonly depthMax: number;
  readonly aliasesMax: number;
  readonly rootFieldsMax: number;
  /** Number of fields; the fields of a list count times its requested size. */
  readonly costMax: number;
}

export const OPERATION_LIMITS: OperationLimits = {
  tokensMax: 8_000,
  depthMax: 15,
  aliasesMax: 50,
  rootFieldsMax: 20,
  costMax: 50_000,
};

export function tooComplex(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'COMPLEXITY' } });
}

/** A validation rule on the shape alone. Validation results are cached with the document. */
export function limitShape({ depthMax, aliasesMax, rootFieldsMax }: OperationLimits) {
  return function LimitShape(context: ValidationContext): ASTVisitor {
    const measured = new Map<SelectionSetNode, Measure>();
    const inProgress = new Set<SelectionSetNode>();

    function measure(set: SelectionSetNode): Measure {
      const known = measured.get(set);
      if (known !== undefined) return known;
      // Another rule reports a fragment cycle; here it only must not loop.
      if (inProgress.has(set)) return { depth: 0, aliases: 0, fields: 0 };
      inProgress.add(set);
      let total: Measure = { depth: 0, aliases: 0, fields: 0 };
      for (const selection of set.selections) {
        if (selection.kind === Kind.FIELD) {
          total = beside(total, isIntrospection(selection) ? ONE_FIELD : measureField(selection));
        } else {
          const inner =
            selection.kind === Kind.INLINE_FRAGMENT
              ? selection.selectionSet
              : context.getFragment(selection.name.value)?.selectionSet;
          if (inner !== undefined) total = beside(total, measure(inner));
        }
      }
      inProgress.delete(set);
      measured.set(set, total);
      return total;
    }

    function measureField(field: FieldNode): Measure {
      const inner = field.selectionSet === undefined ? null : measure(field.selectionSet);
      const alias = field.alias === undefined ? 0 : 1;
      return { depth: 1 + (inner?.depth ?? 0), aliases: alias + (inner?.aliases ?? 0), fields: 1 };
    }

    return {
      OperationDefinition({ selectionSet }) {
        const { depth, aliases, fields } = measure(selectionSet);
        const excesses = [
          [depth, depthMax, 'levels deep'],
          [aliases, aliasesMax, 'aliases'],
          [fields, rootFieldsMax, 'root fields'],
        ] as const;
        for (const [count, most, what] of excesses) {
          if (count > most)
            context.reportError(
              tooComplex(`This operation has ${count} ${what}; ${most} is the most.`),
            );
        }
      },
    };
  };
}

interface Measure {
  readonly depth: number;
  readonly aliases: number;
  readonly fields: number;
}

const ONE_FIELD: Measure = { depth: 1, aliases: 0, fields: 1 };

const beside = (left: Measure, right: Measure): Measure => ({
  depth: Math.max(left.depth, right.depth),
  aliases: left.aliases + right.aliases,
  fields: left.fields + right.fields,
});

// Tools nest introspection fourteen levels and more; it is answered from memory.
const isIntrospection = ({ name }: FieldNode): boolean =>
  name.value === '__schema' || name.value === '__type';

interface Operation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: unknown;
}

/**
 * The cost of the operation: every field counts 1, a list's fields times its size. 0 when the
 * variables are invalid, because the executor reports that better.
 */
export function costOf({ schema, document, operationName, variableValues }: Operation): number {
  const operation = getOperationAST(document, operationName);
  if (operation === null || operation === undefined) return 0;
  const definitions = document.definitions.filter(
    (definition) => definition === operation || definition.kind === Kind.FRAGMENT_DEFINITION,
  );
  try {
    const variables = (variableValues ?? {}) as Record<string, unknown>;
    return complexityFromQuery({ kind: Kind.DOCUMENT, definitions }, { schema, variables })
      .complexity;
  } catch {
    return 0;
  }
}

/** Names of a mutation's root fields; they decide whether a large body is allowed. */
export function rootFieldsOf(document: DocumentNode, operationName?: string | null): string[] {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== 'mutation') return [];
  return operation.selectionSet.selections.map((selection) =>
    // A fragment at the root counts as another field: an intake needs none.
    selection.kind === Kind.FIELD ? selection.name.value : '...',
  );
}
