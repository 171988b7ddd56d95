import { randomUUID } from 'node:crypto';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type DocumentNode, print } from 'graphql';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import WebSocket from 'ws';

export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    readonly code: string;
    readonly requestId?: string;
    readonly problems?: readonly Problem[];
  };
}
interface Problem {
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
}
export interface Answer<Data> {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Data | null;
  readonly errors: readonly GraphqlError[];
}

/** A document as text, or as codegen typed it. */
export type Document<Data, Variables> = string | TypedDocumentNode<Data, Variables>;

export interface TestClient {
  readonly url: string;
  readonly authorization: string;
  /** The data of an answer. @throws when there is any top-level error */
  query<Data = Record<string, never>, Variables = object>(
    document: Document<Data, Variables>,
    variables?: Variables,
  ): Promise<Data>;
  /** The value of the one field that the document asks for. @throws as `query` */
  one<Value = unknown, Variables = object>(
    document: Document<Record<string, Value>, Variables>,
    variables?: Variables,
  ): Promise<Value>;
  /** The selected fields of what a root field finds by this id. @throws as `query` */
  find<Value = unknown>(field: string, id: string | undefined, selection: string): Promise<Value>;
  /** The payload of a mutation: the fields of `selection` and its userErrors. @throws as `query` */
  mutate<Payload = object>(
    field: string,
    input: object,
    selection?: string,
  ): Promise<Payload & { readonly userErrors: readonly Problem[] }>;
  /**
   * The id of a new thing, such as `creates('tool', {…})`. Its name is a fresh one unless the input
   * has another. @throws on problems
   */
  creates(noun: string, input?: object): Promise<string>;
  /** The whole answer, errors too. */
  ask<Data = Record<string, never>, Variables = object>(
    document: Document<Data, Variables>,
    variables?: Variables,
  ): Promise<Answer<Data>>;
  /** A subscription over server-sent events; ends when the server completes it. */
  subscribeSse<Data = Record<string, never>, Variables = object>(
    document: Document<Data, Variables>,
    variables?: Variables,
  ): AsyncGenerator<Data>;
  /** The same over graphql-ws. */
  subscribeWs<Data = Record<string, never>, Variables = object>(
    document: Document<Data, Variables>,
    variables?: Variables,
  ): AsyncGenerator<Data>;
}

export interface ClientOptions {
  /** Default: the shared app of the api tests. */
  readonly url?: string;
  /** Instead of a dev token. */
  readonly authorization?: string;
  readonly role?: 'user' | 'admin';
}

/** A user of this test only. */
export function freshName(prefix = 'user'): string {
  return `${prefix}-${randomUUID().slice(0, 13)}`;
}

/** Speaks to the API as this user would. */
export function client(userName: string, options: ClientOptions = {}): TestClient {
  const url = `${options.url ?? sharedUrl()}/graphql`;
  const authorization =
    options.authorization ?? `Bearer dev:${userName}${options.role === 'admin' ? ':admin' : ''}`;

  async function ask<Data, Variables>(
    document: Document<Data, Variables>,
    variables?: Variables,
  ): Promise<Answer<Data>> {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json',
        authorization,
      },
      body: JSON.stringify({ query: text(document), variables }),
    });
    const body = (await response.json()) as { data?: Data | null; errors?: GraphqlError[] };
    return {
      status: response.status,
      headers: response.headers,
      data: body.data ?? null,
      errors: body.errors ?? [],
    };
  }

  const caller: TestClient = {
    url,
    authorization,
    ask,
    async one(document, variables) {
      const [value] = Object.values(await caller.query(document, variables));
      return value as never;
    },
    find: (field, id, selection) =>
      caller.one(`query ($id: ID!) { ${field}(id: $id) { ${selection} } }`, { id }),
    mutate: (field, input, selection = '') =>
      caller.one(
        `mutation ($input: ${field[0]?.toUpperCase()}${field.slice(1)}Input!) { ${field}(input:
          $input) {
          ${selection} userErrors { code message path } } }`,
        { input },
      ),
    async creates(noun, input = {}) {
      const named = noun === 'conversation' ? {} : { name: freshName(noun) };
      const made = await caller.mutate<Record<string, { id: string } | null>>(
        `create${noun[0]?.toUpperCase()}${noun.slice(1)}`,
        { ...named, ...input },
        `${noun} { id }`,
      );
      const id = made[noun]?.id;
      if (id === undefined) throw new Error(JSON.stringify(made.userErrors));
      return id;
    },
    async query(document, variables) {
      const { data, errors } = await ask(document, variables);
      if (data === null || errors.length > 0)
        throw new Error(`The API answered: ${JSON.stringify(errors)}`);
      return data;
    },
    subscribeSse(document, variables) {
      const sse = createSseClient({ url, headers: { authorization }, retryAttempts: 0 });
      return stream(sse.iterate({ query: text(document), variables: variables as never }), () =>
        sse.dispose(),
      );
    },
    subscribeWs(document, variables) {
      const ws = createWsClient({
        url: url.replace('http', 'ws'),
        webSocketImpl: WebSocket,
        connectionParams: { authorization },
        retryAttempts: 0,
      });
      return stream(
        ws.iterate({ query: text(document), variables: variables as never }),
        () => void ws.dispose(),
      );
    },
  };
  return caller;
}

async function* stream<Data>(
  results: AsyncIterable<unknown>,
  end: () => void,
): AsyncGenerator<Data> {
  try {
    for await (const result of results) {
      const { data, errors } = result as { data?: Data; errors?: unknown };
      if (errors !== undefined) throw new Error(`The stream answered: ${JSON.stringify(errors)}`);
      yield data as Data;
    }
  } finally {
    end();
  }
}

function text(document: string | DocumentNode): string {
  return typeof document === 'string' ? document : print(document);
}

function sharedUrl(): string {
  const url = process.env['AIDEN_TEST_URL'];
  if (url === undefined)
    throw new Error('AIDEN_TEST_URL is not set; run the api tests with npm test.');
  return url;
}
