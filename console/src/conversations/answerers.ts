interface Answerer {
  readonly id: string;
  readonly name: string;
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
    .sort((left, right) => Number(right.name === 'chat') - Number(left.name === 'chat'));
}
