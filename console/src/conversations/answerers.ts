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

/** Pages of Processes, as the document `Answerers` asks for them. */
interface Pages<Process> {
  readonly shipped: { readonly nodes: readonly Process[] };
  readonly own: { readonly nodes: readonly Process[] };
  readonly processes: { readonly nodes: readonly Process[] };
}

/**
 * Processes that can answer with that alone: the shipped `chat`, the user's own, then others.
 * `first` answers where nothing is chosen; it is never one of another user.
 */
export function answerersOf<Process extends Answerer>(
  pages: Pages<Process> | undefined,
): { readonly list: readonly Process[]; readonly first: Process | null } {
  if (pages === undefined) return { list: [], first: null };
  const trusted = [...pages.shipped.nodes.filter(isShippedChat), ...pages.own.nodes];
  const byId = new Map(
    [...trusted, ...pages.processes.nodes].map((process) => [process.id, process]),
  );
  const [first = null] = trusted.filter(canAnswer);
  return { list: [...byId.values()].filter(canAnswer), first };
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
