import { SYSTEM_USER_ID } from '../../../packages/client/src/system-user.ts';

interface Answerer {
  readonly id: string;
  readonly name: string;
  readonly owner: { readonly id: string };
  readonly enabled: boolean;
  readonly initialContext: readonly string[];
}

/** Variables that a conversation supplies to the Process that answers. */
const SUPPLIED = ['message', 'messages', 'workingMemory', 'recalled', 'conversationId'];

/** Processes that can answer with that alone; the shipped `chat` first. */
export function answerersOf<Process extends Answerer>(processes: readonly Process[]): Process[] {
  return processes
    .filter(
      ({ enabled, initialContext }) =>
        enabled &&
        initialContext.some((name) => ['message', 'messages', 'workingMemory'].includes(name)) &&
        initialContext.every((name) => SUPPLIED.includes(name)),
    )
    .sort((left, right) => Number(isShippedChat(right)) - Number(isShippedChat(left)));
}

/** Another user may share a Process of the same name. */
function isShippedChat({ name, owner }: Answerer): boolean {
  return name === 'chat' && owner.id === SYSTEM_USER_ID;
}
