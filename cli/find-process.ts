import { SYSTEM_USER_ID } from '../packages/client/src/system-user.ts';
import { CliError, type Client } from './client.ts';
import {
  FindProcessesDocument,
  type FindProcessesQuery,
  GetProcessDocument,
} from './generated/documents.ts';

type ProcessHead = FindProcessesQuery['processes']['nodes'][number];

/**
 * A Process by id or by unique name: the user's own first, then those that ship with the product.
 * @throws CliError
 */
export async function findProcess(api: Client, reference: string): Promise<ProcessHead> {
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(reference)) {
    const { process: found } = await api.query(GetProcessDocument, { id: reference });
    if (found === null)
      throw new CliError(`No Process with the id ${reference}, or it is not yours to see.`);
    return found;
  }
  const { processes, viewer } = await api.query(FindProcessesDocument, { query: reference });
  const all = processes.nodes.filter(({ name }) => name === reference);
  // Order: the user's own, then those that ship with the product, then those shared by other users.
  const byOwner = (id: string) => all.filter(({ owner }) => owner.id === id);
  const named =
    [byOwner(viewer.id), byOwner(SYSTEM_USER_ID), all].find((some) => some.length > 0) ?? [];
  const [only, ...others] = named;
  if (only === undefined) {
    const near = processes.nodes.map(({ name }) => name).slice(0, 5);
    throw new CliError(
      'No Process is called ' +
        `"${reference}".${near.length > 0 ? ` There is: ${near.join(', ')}.` : ''}`,
    );
  }
  if (others.length > 0) {
    throw new CliError(
      `${named.length} Processes are called "${reference}"; name one by id: ` +
        `${named.map(({ id }) => id).join(', ')}`,
    );
  }
  return only;
}

/** Variables that a conversation fills in. */
const MESSAGE_VARIABLES = ['message', 'messages'];

/** As findProcess, for a Process that answers messages. @throws CliError for any other */
export async function findAnswering(api: Client, reference: string): Promise<ProcessHead> {
  const found = await findProcess(api, reference);
  if (answers(found)) return found;
  const { processes } = await api.query(FindProcessesDocument, { query: null });
  const names = processes.nodes
    .filter((one) => one.enabled && answers(one))
    .map(({ name }) => name);
  const others = names.length === 0 ? '' : ` These do: ${[...new Set(names)].join(', ')}.`;
  throw new CliError(
    `"${found.name}" answers no messages: its initialContext has neither message nor ` +
      `messages.${others} Start it with: aiden run "${found.name}"`,
  );
}

function answers({ initialContext }: ProcessHead): boolean {
  return initialContext.some((variable) => MESSAGE_VARIABLES.includes(variable));
}
