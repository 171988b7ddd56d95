import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type Client, useClient } from 'urql';
import { authorization, session } from '../api/session.ts';
import { createStore, useStore } from '../api/store.ts';
import { inOneMutation } from './one-mutation.ts';
import { notify } from './toasts.tsx';
import { sendChange } from './use-change.ts';

/** Time in which a deletion can be taken back. */
export const UNDO_MS = 10_000;

/** Variables of a deletion. */
interface OfOne {
  readonly input: { readonly id: string; readonly cascade?: boolean };
}

export interface Deletion {
  readonly name: string;
  readonly document: TypedDocumentNode<object, OfOne>;
  readonly of: OfOne['input'];
  /** Called when the API has deleted it. */
  readonly onDeleted: () => void;
}

interface Waiting extends Deletion {
  readonly headers: Record<string, string>;
  readonly timer: ReturnType<typeof setTimeout>;
  /** Takes its line off the screen. */
  readonly hide: () => void;
}

/** Ids of objects that are deleted or soon will be. */
const gone = createStore<ReadonlySet<string>>(new Set());
/** Deletions without an answer of the API, oldest first, by id of the object. */
const waiting = new Map<string, Waiting>();
/** Ends with the last sent one: an earlier object may need a later one. */
let sent = Promise.resolve();

/** Whether an object is deleted or soon will be; lists leave it out. */
export function useIsGone(): (object: { readonly id: string }) => boolean {
  const ids = useStore(gone);
  return ({ id }) => ids.has(id);
}

/** Deletes an object after some seconds, in which the user may take it back. */
export function useDeletion(): (deletion: Deletion) => void {
  const client = useClient();
  return (deletion) => {
    const { id } = deletion.of;
    const timer = setTimeout(() => {
      sent = sent.then(() => send(client, deletion));
    }, UNDO_MS);
    const undo = () => {
      clearTimeout(timer);
      waiting.delete(id);
      bringBack(id);
    };
    const hide = notify(`Deleted ${deletion.name}.`, 'ok', undo, UNDO_MS);
    waiting.set(id, { ...deletion, headers: authorization(), timer, hide });
    gone.set(new Set([...gone.get(), id]));
  };
}

/** Does nothing if the page was left, or another user signed in, meanwhile. */
async function send(client: Client, { name, document, of, onDeleted }: Deletion): Promise<void> {
  if (!waiting.has(of.id)) return;
  const context = { fetchOptions: { headers: authorization(), keepalive: true } };
  const { problems } = await sendChange(client, document, { input: of }, context);
  waiting.delete(of.id);
  const [problem] = problems;
  if (problem === undefined) return onDeleted();
  bringBack(of.id);
  notify(`${name} was not deleted: ${problem.message}`, 'bad');
}

function bringBack(id: string): void {
  gone.set(new Set([...gone.get()].filter((one) => one !== id)));
}

/** Sends all that wait, in one request that outlives the page. */
function sendAll(): void {
  const all = [...waiting.values()];
  const [first] = all;
  if (first === undefined) return;
  for (const { timer, hide } of all) {
    clearTimeout(timer);
    hide();
  }
  waiting.clear();
  void fetch('/graphql', {
    method: 'POST',
    keepalive: true,
    headers: { ...first.headers, 'content-type': 'application/json' },
    body: JSON.stringify(inOneMutation(all)),
  });
}

// A page that is left can take nothing back, and another user must not send them.
addEventListener('pagehide', sendAll);
let { signIns: lastSignIn } = session.get();
session.subscribe(() => {
  const { signIns } = session.get();
  if (signIns !== lastSignIn) sendAll();
  lastSignIn = signIns;
});
