import { useEffect, useMemo, useState } from 'react';
import type { CombinedError } from 'urql';
import { usePages } from '../api/use-pages.ts';
import {
  CallableProcessesDocument,
  type CallableProcessesQuery,
  CallableToolsDocument,
  type CallableToolsQuery,
  type ProcessPageQuery,
} from '../generated/documents.ts';

type Process = NonNullable<ProcessPageQuery['process']>;

/** All Tools and Processes that a text may name. */
export interface Callables {
  readonly tools: Pick<CallableToolsQuery['tools'], 'nodes'>;
  readonly processes: Pick<CallableProcessesQuery['processes'], 'nodes'>;
}

const toolsOf = ({ tools }: CallableToolsQuery) => tools;
const processesOf = ({ processes }: CallableProcessesQuery) => processes;

/**
 * Reads every Tool and Process that the viewer can see; undefined until all are there. A reading
 * that fails later leaves the list as it was.
 */
export function useCallables(): {
  readonly callables: Callables | undefined;
  readonly error: CombinedError | undefined;
  again(): void;
} {
  const tools = usePages({
    query: CallableToolsDocument,
    variables: {},
    listOf: toolsOf,
    isWhole: true,
  });
  const processes = usePages({
    query: CallableProcessesDocument,
    variables: {},
    listOf: processesOf,
    isWhole: true,
  });
  const [last, setLast] = useState<Callables>();
  const read = useMemo(
    () =>
      tools.nodes === undefined || processes.nodes === undefined
        ? undefined
        : { tools: { nodes: tools.nodes }, processes: { nodes: processes.nodes } },
    [tools.nodes, processes.nodes],
  );
  useEffect(() => {
    if (read !== undefined) setLast(read);
  }, [read]);
  return {
    callables: read ?? last,
    error: tools.error ?? processes.error,
    again() {
      tools.again();
      processes.again();
    },
  };
}

/**
 * Names with the targets of this Process first: the text names Tools, and another user may share
 * one of the same name.
 */
export function ownFirst(found: Callables, { steps }: Process): Callables {
  return firstOf(
    found,
    steps.flatMap(({ target, tools }) => [target.id, ...tools.map((tool) => tool.target.id)]),
  );
}

/** Names with these Tools and Processes first. */
export function firstOf(found: Callables, ids: readonly string[]): Callables {
  const own = new Set(ids);
  const sorted = <T extends { readonly id: string }>(nodes: readonly T[]) =>
    nodes.toSorted((left, right) => Number(own.has(right.id)) - Number(own.has(left.id)));
  return {
    tools: { nodes: sorted(found.tools.nodes) },
    processes: { nodes: sorted(found.processes.nodes) },
  };
}
