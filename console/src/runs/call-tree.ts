import type { RunAttemptsQuery } from '../generated/documents.ts';

export type Call = NonNullable<RunAttemptsQuery['callGraph']>['nodes'][number];
type Edge = NonNullable<RunAttemptsQuery['callGraph']>['edges'][number];

export interface CallRow {
  readonly call: Call;
  /** Number of calls above it. */
  readonly depth: number;
  readonly children: number;
  /** Names of the calls that it depends on. */
  readonly dependsOn: readonly string[];
}

/**
 * Calls as the rows of a tree: each below the call that triggered it, in the order of their start.
 * @param closed ids of calls whose children are left out
 */
export function callRows(
  nodes: readonly Call[],
  edges: readonly Edge[],
  closed: ReadonlySet<string>,
): CallRow[] {
  const byId = new Map(nodes.map((call) => [call.id, call]));
  const byRequest = new Map(nodes.map((call) => [call.requestId, call]));
  const parents = new Map(
    nodes.flatMap((call) => {
      const parent = call.parentRequestId == null ? undefined : byRequest.get(call.parentRequestId);
      return parent === undefined ? [] : [[call.id, parent.id] as const];
    }),
  );
  for (const { edgeType, source, target } of edges)
    if (edgeType === 'triggered' && byId.has(source) && source !== target && !parents.has(target))
      parents.set(target, source);
  const needs = Map.groupBy(
    edges.filter(({ edgeType }) => edgeType === 'depends_on'),
    ({ source }) => source,
  );
  const children = Map.groupBy(
    nodes.toSorted((left, right) => (timeOf(left) < timeOf(right) ? -1 : 1)),
    ({ id }) => parents.get(id) ?? null,
  );
  const rows: CallRow[] = [];
  const seen = new Set<string>();
  const add = (call: Call, depth: number) => {
    if (seen.has(call.id)) return;
    seen.add(call.id);
    const own = children.get(call.id) ?? [];
    rows.push({
      call,
      depth,
      children: own.length,
      dependsOn: (needs.get(call.id) ?? []).flatMap(({ target }) => {
        const name = byId.get(target)?.operationName;
        return name === undefined ? [] : [name];
      }),
    });
    if (!closed.has(call.id)) for (const child of own) add(child, depth + 1);
  };
  for (const call of children.get(null) ?? []) add(call, 0);
  return rows;
}

function timeOf({ startedAt, createdAt }: Call): string {
  return startedAt ?? createdAt;
}
