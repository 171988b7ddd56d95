import { usePages } from '../api/use-pages.ts';
import {
  type ProcessChoiceFragment,
  ProcessChoicesDocument,
  type ProcessChoicesQuery,
} from '../generated/documents.ts';

const NONE: readonly ProcessChoiceFragment[] = [];
const processesOf = ({ processes }: ProcessChoicesQuery) => processes;

/** Every Process that the user may start; the first page of them until all are read. */
export function useProcessChoices(): readonly ProcessChoiceFragment[] {
  const { data, nodes } = usePages({
    query: ProcessChoicesDocument,
    variables: {},
    listOf: processesOf,
    isWhole: true,
  });
  return nodes ?? data?.processes.nodes ?? NONE;
}
