import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useState } from 'react';
import { type AnyVariables, type Client, type OperationContext, useClient } from 'urql';
import { createStore } from '../api/store.ts';
import type { ProblemFragment } from '../generated/documents.ts';

/** Number of mutations whose answer is awaited, for `Working`. */
export const sending = createStore(0);

export interface Change<Data, Variables> {
  /** Sends the mutation. Null if it was refused; the problems then are in `problems`. */
  send(variables: Variables): Promise<Data | null>;
  readonly isSending: boolean;
  readonly problems: readonly ProblemFragment[];
  clear(): void;
}

/** A mutation with its progress and the problems of its input. */
export function useChange<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
): Change<Data, Variables> {
  const client = useClient();
  const [isSending, setSending] = useState(false);
  const [problems, setProblems] = useState<readonly ProblemFragment[]>([]);
  return {
    isSending,
    problems,
    clear: () => setProblems([]),
    async send(variables) {
      setSending(true);
      sending.set(sending.get() + 1);
      setProblems([]);
      try {
        const done = await sendChange(client, document, variables);
        setProblems(done.problems);
        return done.data;
      } finally {
        setSending(false);
        sending.set(sending.get() - 1);
      }
    },
  };
}

/** Sends a mutation. `data` is null where there are problems. */
export async function sendChange<Data, Variables extends AnyVariables>(
  client: Client,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  context?: Partial<OperationContext>,
): Promise<{ readonly data: Data | null; readonly problems: readonly ProblemFragment[] }> {
  const { data, error } = await client.mutation(document, variables, context).toPromise();
  const problems = error === undefined ? problemsOf(data) : [faultOf(error.message)];
  return { data: problems.length === 0 && data !== undefined ? data : null, problems };
}

function faultOf(message: string): ProblemFragment {
  const isAway = message.startsWith('[Network]');
  return {
    code: 'UNHEALTHY',
    message: isAway
      ? 'The API does not answer; nothing was sent. Try again when it is back.'
      : message,
    path: [],
  };
}

/** Every `userErrors` of the payloads in an answer. */
function problemsOf(data: unknown): ProblemFragment[] {
  if (typeof data !== 'object' || data === null) return [];
  return Object.values(data).flatMap((payload: unknown) =>
    typeof payload === 'object' && payload !== null && 'userErrors' in payload
      ? (payload.userErrors as ProblemFragment[])
      : [],
  );
}
