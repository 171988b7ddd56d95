import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';

/** Address and credentials of the API. */
export interface Endpoint {
  /** The API's origin, without `/graphql`; default http://127.0.0.1:4000. */
  readonly url: string;
  /** Sent as `Authorization: Bearer …`. Absent: no such header is sent. */
  readonly token: string | undefined;
}

/** An error for the terminal. It is printed without a stack trace. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** The API processed the request and returned errors. */
export class ApiError extends CliError {
  readonly errors: readonly TopLevelError[];
  constructor(errors: readonly TopLevelError[]) {
    super(
      errors
        .map(({ message, extensions }) => `${extensions?.code ?? 'ERROR'}: ${message}`)
        .join('\n'),
    );
    this.errors = errors;
  }
}
interface TopLevelError {
  readonly message: string;
  readonly extensions?: { readonly code?: string };
}

export interface UserError {
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
}

interface Answer<T> {
  readonly data?: T | null;
  readonly errors?: readonly TopLevelError[];
}

/** A small GraphQL client: POST for queries and mutations, server-sent events for subscriptions. */
export interface Client {
  /** @throws CliError if the API cannot be reached or returns errors */
  query<Data, Variables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
  ): Promise<Data>;
  /** Ends with the subscription. @throws CliError if the connection breaks before the end */
  subscribe<Data, Variables>(
    document: TypedDocumentNode<Data, Variables> | string,
    variables: Variables,
    signal?: AbortSignal,
  ): AsyncGenerator<Data>;
}

export function openClient(endpoint: Endpoint): Client {
  const url = new URL('/graphql', endpoint.url).href;
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (endpoint.token !== undefined) headers['authorization'] = `Bearer ${endpoint.token}`;

  async function post(document: string, variables: unknown, accept: string, signal?: AbortSignal) {
    try {
      return await fetch(url, {
        method: 'POST',
        headers: { ...headers, accept },
        body: JSON.stringify({ query: document, variables }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      const cause =
        error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
      throw new CliError(
        `No answer from ${endpoint.url}${cause}. Is it running? Start it with \`npm start\`, ` +
          'or name it with --url.',
      );
    }
  }

  return {
    async query<Data, Variables>(
      document: TypedDocumentNode<Data, Variables>,
      variables: Variables,
    ) {
      const response = await post(
        print(document),
        variables,
        'application/graphql-response+json, application/json',
      );
      const text = await response.text();
      return dataOf<Data>(parse(text, response.status, endpoint.url));
    },
    async *subscribe<Data, Variables>(
      document: TypedDocumentNode<Data, Variables> | string,
      variables: Variables,
      signal?: AbortSignal,
    ) {
      const response = await post(textOf(document), variables, 'text/event-stream', signal);
      if (
        !response.headers.get('content-type')?.startsWith('text/event-stream') ||
        response.body === null
      ) {
        dataOf(parse(await response.text(), response.status, endpoint.url));
        throw new CliError(`The API answered ${response.status} to a subscription.`);
      }
      for await (const { event, data } of serverSentEvents(response.body)) {
        if (event === 'complete') return;
        if (event === 'next') yield dataOf<Data>(JSON.parse(data));
      }
      throw new CliError('The connection ended before the subscription did.');
    },
  };
}

function textOf(document: TypedDocumentNode<unknown, never> | string): string {
  return typeof document === 'string' ? document : print(document);
}

/** @throws CliError if the text is no response of GraphQL, as from another server */
function parse(text: string, status: number, url: string): Answer<unknown> {
  const value = jsonOrNull(text);
  if (isAnswer(value)) return value;
  throw new CliError(
    `${url} answered ${status}, but not as the API of Aiden does; name the API's origin with ` +
      '--url.',
  );
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isAnswer(value: unknown): value is Answer<unknown> {
  if (typeof value !== 'object' || value === null) return false;
  if (!('errors' in value)) return 'data' in value && typeof value.data === 'object';
  const { errors } = value;
  return Array.isArray(errors) && errors.every(isTopLevelError);
}

function isTopLevelError(error: unknown): error is TopLevelError {
  return typeof error === 'object' && error !== null && 'message' in error;
}

function dataOf<T>(answer: Answer<unknown>): T {
  if (answer.errors !== undefined && answer.errors.length > 0) throw new ApiError(answer.errors);
  return answer.data as T;
}

/** Reads a text/event-stream body; comments (keep-alives) are skipped. */
async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ event: string; data: string }> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      let event = 'message';
      const data: string[] = [];
      for (const line of block.split('\n')) {
        if (line.startsWith('event:')) event = line.slice(6).trim();
        else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
      }
      if (data.length > 0 || event === 'complete') yield { event, data: data.join('\n') };
    }
  }
}

/**
 * The result of a mutation. @throws CliError with its userErrors, or if it has neither result nor
 * errors
 */
export function outcomeOf<Value>(
  { userErrors }: { readonly userErrors: readonly UserError[] },
  value: Value | null | undefined,
  what: string,
): Value {
  refuseErrors(userErrors, what);
  if (value == null) throw new CliError(`${what}, and the API gave no reason.`);
  return value;
}

/** Throws one CliError that lists all userErrors of a payload with their paths. */
export function refuseErrors(errors: readonly UserError[], what: string): void {
  if (errors.length === 0) return;
  const lines = errors.map(
    ({ code, message, path }) => `  ${code} ${path.join('.') || '(input)'}: ${message}`,
  );
  throw new CliError(`${what}:\n${lines.join('\n')}`);
}
