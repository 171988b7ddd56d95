import type { ForeignCase } from './foreign-case.ts';

/** A request in a conversation; the messages before the last one are the history of the client. */
export interface Sent {
  readonly says: string;
  readonly history?: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  /** What the client says of its retries (`x-stainless-retry-count`); absent: nothing. */
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
export const TALKS: readonly ForeignCase<Talk, Right>[] = [
  {
    title: 'a message that failed is final for a client that retries 5xx',
    source: 'FlowiseAI/Flowise#4916',
    input: { model: 'fails', requests: [{ says: 'hello' }] },
    right: { said: ['hello'], runs: 1, statuses: [422] },
  },
  {
    title: 'a library repeats a 4xx three times, each as a first request',
    source: 'BerriAI/litellm#19216',
    input: {
      model: 'fails',
      requests: [{ says: 'hello' }, { says: 'hello' }, { says: 'hello' }],
    },
    right: { said: ['hello'], runs: 3, statuses: [422, 422, 422] },
  },
  {
    title: 'a message that failed is answered when it is sent again',
    source: 'BerriAI/litellm#1418',
    input: { model: 'fails once', requests: [{ says: 'hello' }, { says: 'hello' }] },
    right: { said: ['hello'], runs: 2, statuses: [422, 200] },
  },
  {
    title: 'a retry after the failure gets the failure',
    source: 'own',
    input: { model: 'fails', requests: [{ says: 'hello' }, { says: 'hello', retryCount: 1 }] },
    right: { said: ['hello'], runs: 1, statuses: [422, 422] },
  },
  {
    title: 'the answer was lost on its way, and the client retries',
    source: 'nextcloud/talk-android#4688',
    input: { model: 'answers', requests: [{ says: 'hello' }, { says: 'hello', retryCount: 1 }] },
    right: { said: ['hello'], runs: 1 },
  },
  {
    title: 'the client gave up waiting and retries, with a count that is always 0',
    source: 'openai/openai-node#1277',
    input: {
      model: 'answers',
      requests: [
        { says: 'hello', hangsUp: true },
        { says: 'hello', retryCount: 0 },
      ],
    },
    right: { said: ['hello'], runs: 1, statuses: [0, 200] },
  },
  {
    title: 'two equal requests at once',
    source: 'chattocorp/chatto#2241',
    input: { model: 'answers', requests: [{ says: 'hello', times: 2 }] },
    right: { said: ['hello'], runs: 1, statuses: [200, 200] },
  },
  {
    title: 'four equal requests at once, with a history',
    source: 'simstudioai/sim#6536',
    input: {
      model: 'answers',
      requests: [{ says: 'hello', history: [{ role: 'user', content: 'Hi.' }], times: 4 }],
    },
    right: { said: ['hello'], runs: 1, statuses: [200, 200, 200, 200] },
  },
  {
    title: 'a person says yes twice, to a client without a history',
    source: 'own',
    input: { model: 'answers', requests: [{ says: 'yes' }, { says: 'yes' }] },
    right: { said: ['yes', 'yes'], runs: 2 },
  },
  {
    title: 'a person says yes twice, to a client that sends the history',
    source: 'own',
    input: {
      model: 'answers',
      requests: [
        { says: 'yes', retryCount: 0 },
        {
          says: 'yes',
          retryCount: 0,
          history: [
            { role: 'user', content: 'yes' },
            { role: 'assistant', content: 'Answered.' },
          ],
        },
      ],
    },
    right: { said: ['yes', 'yes'], runs: 2 },
  },
  {
    title: 'a person says yes again later in the talk',
    source: 'own',
    input: {
      model: 'answers',
      requests: [{ says: 'yes' }, { says: 'and then?' }, { says: 'yes' }],
    },
    right: { said: ['yes', 'and then?', 'yes'], runs: 3 },
  },
  {
    title: 'a key is stronger than the place in the talk',
    source: 'speakeasy-api/speakeasy#147',
    input: {
      model: 'answers',
      requests: [
        { says: 'yes', key: 'one' },
        { says: 'no', key: 'two' },
        { says: 'yes', key: 'one' },
      ],
    },
    right: { said: ['yes', 'no'], runs: 2 },
  },
];
