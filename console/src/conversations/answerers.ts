interface Answerer {
  readonly id: string;
  readonly name: string;
  readonly owner: { readonly id: string };
  readonly enabled: boolean;
  readonly initialContext: readonly string[];
}

/** Owner of what ships with the product, the same id in every installation. */
const SYSTEM_USER_ID = '00000000-0000-7000-8000-000000000001';

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
