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

/** What one operation may ask at most. Above: COMPLEXITY. */
export interface OperationLimits {
  readonly tokensMax: number;
  readonly depthMax: number;
  readonly aliasesMax: number;
  readonly rootFieldsMax: number;
  /** Fields, those of lists times the size asked for. */
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

/** A validation rule over shape alone: what it refuses is refused before anything is resolved, and cached with the document. */
export function limitShape({ depthMax, aliasesMax, rootFieldsMax }: OperationLimits) {
  return function LimitShape(context: ValidationContext): ASTVisitor {
    const measured = new Map<SelectionSetNode, Measure>();
    const inProgress = new Set<SelectionSetNode>();

    function measure(set: SelectionSetNode): Measure {
      const known = measured.get(set);
      if (known !== undefined) return known;
      // A fragment that spreads itself is another rule's error; here it only must not hang.
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

function beside(left: Measure, right: Measure): Measure {
  return {
    depth: Math.max(left.depth, right.depth),
    aliases: left.aliases + right.aliases,
    fields: left.fields + right.fields,
  };
}

// Tools ask the schema about itself fourteen levels deep and more; it answers from memory.
function isIntrospection({ name }: FieldNode): boolean {
  return name.value === '__schema' || name.value === '__type';
}

interface Operation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: unknown;
}

/**
 * The cost of the operation that will run: every field counts 1, a list's fields times its size.
 * 0 where its variables don't fit, which the executor says better.
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

/** The names of the root fields, through fragments; what decides whether a large body is an intake. */
export function rootFieldsOf(document: DocumentNode, operationName?: string | null): string[] {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== 'mutation') return [];
  return operation.selectionSet.selections.map((selection) =>
    // A fragment at the root is nothing an intake needs, so it counts as something else.
    selection.kind === Kind.FIELD ? selection.name.value : '...',
  );
}
