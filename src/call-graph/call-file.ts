import { z } from 'zod';
import type { Json } from '../common/json.ts';
import { type Problem, problem } from '../common/refusal.ts';
import { RUN_ORIGINS } from '../runs/run/run-origin.ts';
import { CALL_STATUSES, isEdgeType, TRIGGERED } from './call.ts';

const Instant = z.iso.datetime({ offset: false });
const Value = z.unknown().transform((value) => (value ?? null) as Json);

/** One call in a file: owner, columns, and payloads as stored. */
export const FileCall = z.strictObject({
  id: z.string().min(1),
  requestId: z.string().min(1),
  operationId: z.string().min(1),
  parentRequestId: z.string().nullable(),
  ownerId: z.string(),
  workspace: z.string().nullable(),
  rootRunId: z.string().nullable(),
  /** Absent in files of older versions: a user's call. */
  origin: z.enum(RUN_ORIGINS).default('user'),
  identity: Value,
  callerAccountId: z.string().nullable(),
  status: z.enum(CALL_STATUSES),
  input: Value,
  output: Value,
  error: Value,
  metadata: z.strictObject({ _retentionExpiresAt: Instant.optional() }),
  startedAt: Instant.nullable(),
  completedAt: Instant.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type FileCall = z.infer<typeof FileCall>;

/** `source` and `target` are requestIds, because node ids differ between installations. */
export const FileEdge = z.strictObject({
  id: z.string().min(1),
  source: z.string(),
  target: z.string(),
  edgeType: z.string().refine(isEdgeType, 'has to be a snake_case name'),
  createdAt: Instant,
  updatedAt: Instant,
});
export type FileEdge = z.infer<typeof FileEdge>;

const FileOperation = z.strictObject({ id: z.string(), name: z.string(), namespace: z.string() });

/** The call graph as one JSON document. All lists are sorted, so equal graphs make equal files. */
export const CallFile = z.strictObject({
  format: z.literal('aiden-calls'),
  version: z.literal(1),
  operations: z.array(FileOperation),
  nodes: z.array(FileCall),
  edges: z.array(FileEdge),
});
export type CallFile = z.infer<typeof CallFile>;

/** Parses a document; returns all of its problems, at most 100 of them about its shape. */
export function readCallFile(
  document: unknown,
): CallFile | { readonly problems: readonly Problem[] } {
  const parsed = CallFile.safeParse(document);
  if (!parsed.success) {
    const { issues } = parsed.error;
    return {
      problems: issues
        .slice(0, 100)
        .map(({ path, message }) => problem('INVALID', path.map(String), message)),
    };
  }
  const problems = checkReferences(parsed.data);
  return problems.length > 0 ? { problems } : parsed.data;
}

/**
 * Checks that the operations and both ends of edges are in the file. `parentRequestId` has to be
 * the source of the `triggered` edge, or null if there is none.
 */
function checkReferences({ operations, nodes, edges }: CallFile): Problem[] {
  const operationIds = new Set(operations.map(({ id }) => id));
  const parents = new Map(
    nodes.map(({ requestId, parentRequestId }) => [requestId, parentRequestId]),
  );
  const triggered = new Map(
    edges
      .filter(({ edgeType }) => edgeType === TRIGGERED)
      .map(({ source, target }) => [target, source]),
  );
  const problems: Problem[] = [];
  if (parents.size < nodes.length)
    problems.push(problem('TAKEN', ['nodes'], 'A requestId stands here twice.'));
  for (const [index, { requestId, operationId, parentRequestId }] of nodes.entries()) {
    if (!operationIds.has(operationId))
      problems.push(
        problem('NOT_FOUND', ['nodes', index, 'operationId'], 'There is no such operation.'),
      );
    if ((triggered.get(requestId) ?? null) !== parentRequestId)
      problems.push(
        problem(
          'INVALID',
          ['nodes', index, 'parentRequestId'],
          'It has to be the source of its triggered edge.',
        ),
      );
  }
  for (const [index, edge] of edges.entries())
    for (const end of ['source', 'target'] as const)
      if (!parents.has(edge[end]))
        problems.push(problem('NOT_FOUND', ['edges', index, end], 'There is no such call.'));
  return problems;
}
