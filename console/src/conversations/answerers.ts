import { useMemo } from 'react';
import { useQuery } from 'urql';
import { SYSTEM_USER_ID } from '../../../packages/client/src/system-user.ts';
import {
  AnswerersDocument,
  type AnswerersQuery,
  type ProcessChoiceFragment,
} from '../generated/documents.ts';
import { useProcessChoices } from '../runs/process-choices.ts';

type Answerer = ProcessChoiceFragment;

/** Variables that a conversation supplies to the Process that answers. */
const SUPPLIED = ['message', 'messages', 'workingMemory', 'recalled', 'conversationId'];

/**
 * The Process that answers where nothing is chosen: the shipped `chat`, else one of the user's own.
 * It is never one of another user. Undefined until it is read, null where there is none.
 */
export function useFirstAnswerer(): Answerer | null | undefined {
  const [{ data }] = useQuery({ query: AnswerersDocument });
  return data === undefined ? undefined : (trusted(data).find(canAnswer) ?? null);
}

/** All Processes that can answer with that alone: the shipped `chat`, the user's own, others. */
export function useAnswerers(): readonly Answerer[] {
  const [{ data }] = useQuery({ query: AnswerersDocument });
  const all = useProcessChoices();
  return useMemo(() => {
    const first = data === undefined ? [] : trusted(data);
    const byId = new Map([...first, ...all].map((process) => [process.id, process]));
    return [...byId.values()].filter(canAnswer);
  }, [data, all]);
}

function trusted({ shipped, own }: AnswerersQuery): Answerer[] {
  return [...shipped.nodes.filter(isShippedChat), ...own.nodes];
}

function canAnswer({ enabled, initialContext }: Answerer): boolean {
  return (
    enabled &&
    initialContext.some((name) => ['message', 'messages', 'workingMemory'].includes(name)) &&
    initialContext.every((name) => SUPPLIED.includes(name))
  );
}

/** Another user may share a Process of the same name. */
function isShippedChat({ name, owner }: Answerer): boolean {
  return name === 'chat' && owner.id === SYSTEM_USER_ID;
}
