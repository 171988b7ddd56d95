import { type ForeignCase, rows } from './foreign-case.ts';

/** A request in a conversation; the messages before the last one are the history of the client. */
export interface Sent {
  readonly says: string;
  readonly history?: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  /** The retry count of the client (`x-stainless-retry-count`); absent: no such header. */
  readonly retryCount?: number;
  /** How many of the same are sent at once. */
  readonly times?: number;
  /** The client hangs up while the run goes on. */
  readonly hangsUp?: true;
  readonly key?: string;
}

interface Talk {
  readonly model: 'answers' | 'fails' | 'fails once';
  readonly requests: readonly Sent[];
}

interface Right {
  /** The messages of the person on the path on screen. */
  readonly said: readonly string[];
  readonly runs: number;
  /** The status of each answer; absent: 200. */
  readonly statuses?: readonly number[];
}

/** Clients that repeat themselves in a conversation of `/v1`. */
export const TALKS: readonly ForeignCase<Talk, Right>[] = rows('conversation', 'TALKS');
