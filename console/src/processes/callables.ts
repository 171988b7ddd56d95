import type { CallablesQuery, ProcessPageQuery } from '../generated/documents.ts';

type Process = NonNullable<ProcessPageQuery['process']>;

/**
 * Names with the targets of this Process first: the text names Tools, and another user may share
 * one of the same name.
 */
export function ownFirst(found: CallablesQuery, { steps }: Process): CallablesQuery {
  return firstOf(
    found,
    steps.flatMap(({ target, tools }) => [target.id, ...tools.map((tool) => tool.target.id)]),
  );
}

/** Names with these Tools and Processes first. */
export function firstOf(found: CallablesQuery, ids: readonly string[]): CallablesQuery {
  const own = new Set(ids);
  const sorted = <T extends { readonly id: string }>(nodes: readonly T[]) =>
    nodes.toSorted((left, right) => Number(own.has(right.id)) - Number(own.has(left.id)));
  return {
    tools: { nodes: sorted(found.tools.nodes) },
    processes: { nodes: sorted(found.processes.nodes) },
  };
}
