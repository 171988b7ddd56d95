import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse, print } from 'graphql';
import { createClient } from 'graphql-ws';
import relay, {
  type ConcreteRequest,
  type GraphQLResponse,
  type PayloadData,
  type ReaderFragment,
  type Variables,
} from 'relay-runtime';
import WebSocket from 'ws';
import type { TestClient } from './client.ts';
import { tempFolder } from './temp-folder.ts';

// Relay as an app has it, without React: its compiler makes artifacts of documents and the schema,
// its runtime sends them and reads from its store.

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));

/** The module that relay-compiler wrote for a document of relay-documents.graphql. */
export type Artifacts = <Artifact = ConcreteRequest>(name: string) => Artifact;

/** @throws with the compiler's output if it refuses a document. */
export async function compileRelay(): Promise<Artifacts> {
  const folder = tempFolder('relay');
  await mkdir(join(folder, 'src'));
  await mkdir(join(folder, 'artifacts'));
  await copyFile(join(CHECKOUT, 'schema/schema.graphql'), join(folder, 'schema.graphql'));
  const documents = await readFile(new URL('relay-documents.graphql', import.meta.url), 'utf8');
  const tags = parse(documents).definitions.map((one) => `graphql\`\n${print(one)}\n\`;\n`);
  await writeFile(join(folder, 'src', 'Aiden.js'), tags.join('\n'));
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const config = {
    src: './src',
    schema: './schema.graphql',
    language: 'javascript',
    artifactDirectory: './artifacts',
    eagerEsModules: false,
  };
  await writeFile(join(folder, 'relay.config.json'), JSON.stringify(config));
  const compiler = join(CHECKOUT, 'node_modules', 'relay-compiler', 'cli.js');
  await promisify(execFile)(process.execPath, [compiler, 'relay.config.json'], { cwd: folder });
  const load = createRequire(join(folder, 'artifacts', 'index.js'));
  return (name) => load(`./${name}.graphql.js`);
}

type Direction = 'forward' | 'backward';
interface Connection {
  readonly edges: readonly { readonly node: { readonly id: string } }[];
  readonly pageInfo: {
    readonly endCursor?: string | null;
    readonly hasNextPage?: boolean;
    readonly startCursor?: string | null;
    readonly hasPreviousPage?: boolean;
  };
}

/** One user's app: an environment of Relay with an empty store. */
export class RelayApp {
  readonly #artifacts: Artifacts;
  readonly #environment: relay.Environment;
  /** The data of all answers, as the server sent them, in order. */
  readonly answers: PayloadData[] = [];
  /** Names of all operations sent over HTTP, in order. */
  readonly sent: string[] = [];

  constructor(artifacts: Artifacts, user: TestClient) {
    this.#artifacts = artifacts;
    const ws = createClient({
      url: user.url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      lazy: true,
      connectionParams: { authorization: user.authorization },
    });
    this.#environment = new relay.Environment({
      store: new relay.Store(new relay.RecordSource()),
      network: relay.Network.create(
        async ({ name, text }, variables) => {
          this.sent.push(name);
          const { data, errors } = await user.ask<PayloadData>(text ?? '', variables);
          if (data === null || errors.length > 0) throw new Error(JSON.stringify(errors));
          this.#keep(data);
          return { data };
        },
        ({ text }, variables) =>
          relay.Observable.create<GraphQLResponse>((sink) =>
            ws.subscribe<PayloadData>(
              { query: text ?? '', variables },
              {
                next: ({ data, errors }) => {
                  if (data == null) return sink.error(new Error(JSON.stringify(errors)));
                  this.#keep(data);
                  sink.next({ data });
                },
                error: (error) => sink.error(new Error(JSON.stringify(error))),
                complete: () => sink.complete(),
              },
            ),
          ),
      ),
    });
  }

  /** Sends a query, keeps its data in the store, and reads them from there. */
  async ask<Data>(name: string, variables: Variables = {}): Promise<Data> {
    const request = this.#artifacts(name);
    await relay.fetchQuery(this.#environment, request, variables).toPromise();
    this.#environment.retain(relay.createOperationDescriptor(request, variables));
    return this.read<Data>(name, variables);
  }

  /** Reads a query from the store. @throws where the store misses a part */
  read<Data>(name: string, variables: Variables = {}): Data {
    const operation = relay.createOperationDescriptor(this.#artifacts(name), variables);
    const { data, isMissingData } = this.#environment.lookup(operation.fragment);
    if (isMissingData) throw new Error(`Relay's store misses data of ${name}.`);
    return data as Data;
  }

  /** The connection of a fragment, as the store has it. */
  connection<Data extends Connection>(fragmentName: string, parent: unknown): Data {
    const fragment = this.#artifacts<ReaderFragment>(fragmentName);
    const { connectionPathInFragmentData: path } = relay.getPaginationMetadata(fragment, 'test');
    const data = this.#readFragment(fragment, parent);
    return path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], data) as Data;
  }

  /** One more page of a fragment's connection, as `usePaginationFragment` loads it. */
  async loadMore(
    fragmentName: string,
    parent: unknown,
    { count, direction = 'forward' }: { count: number; direction?: Direction },
  ): Promise<void> {
    const fragment = this.#artifacts<ReaderFragment>(fragmentName);
    const { paginationRequest, paginationMetadata, identifierField } = relay.getPaginationMetadata(
      fragment,
      'test',
    );
    const { pageInfo } = this.connection(fragmentName, parent);
    const cursor = direction === 'forward' ? pageInfo.endCursor : pageInfo.startCursor;
    const { id } = this.#readFragment(fragment, parent) as { id?: string };
    const variables = relay.getPaginationVariables(
      direction,
      count,
      cursor,
      {},
      identifierField == null ? {} : { id },
      paginationMetadata,
    );
    await relay.fetchQuery(this.#environment, paginationRequest, variables).toPromise();
    this.#environment.retain(relay.createOperationDescriptor(paginationRequest, variables));
  }

  /** Ids of a fragment's connection, after pages of `count` until there is no more. */
  async idsOf(
    fragmentName: string,
    parent: unknown,
    { count, direction = 'forward' }: { count: number; direction?: Direction },
  ): Promise<string[]> {
    for (;;) {
      const { edges, pageInfo } = this.connection(fragmentName, parent);
      const more = direction === 'forward' ? pageInfo.hasNextPage : pageInfo.hasPreviousPage;
      if (more !== true) return edges.map(({ node }) => node.id);
      await this.loadMore(fragmentName, parent, { count, direction });
    }
  }

  /** Sends a mutation, whose directives change the connections. */
  commit<Data>(name: string, variables: Variables): Promise<Data> {
    return new Promise((resolve, reject) => {
      relay.commitMutation(this.#environment, {
        mutation: this.#artifacts(name),
        variables,
        onCompleted: (response) => resolve(response as Data),
        onError: reject,
      });
    });
  }

  /** The content of the store after each answer of a subscription, until it ends. */
  watch<Data>(name: string, variables: Variables): Promise<Data[]> {
    const seen: Data[] = [];
    return new Promise((resolve, reject) => {
      relay.requestSubscription(this.#environment, {
        subscription: this.#artifacts(name),
        variables,
        onNext: (response) => seen.push(response as Data),
        onCompleted: () => resolve(seen),
        onError: reject,
      });
    });
  }

  /** Relay asks for `__isNode` and the like in places of an interface; no reader gets them. */
  #keep(data: PayloadData): void {
    const isMark = (key: string) => key.startsWith('__is');
    const text = JSON.stringify(data, (key, value: unknown) => (isMark(key) ? undefined : value));
    this.answers.push(JSON.parse(text));
  }

  #readFragment(fragment: ReaderFragment, parent: unknown): unknown {
    const selector = relay.getSelector(fragment, parent);
    if (selector == null || selector.kind !== 'SingularReaderSelector')
      throw new Error(`Nothing has a fragment ${fragment.name}.`);
    const { data, isMissingData } = this.#environment.lookup(selector);
    if (isMissingData) throw new Error(`Relay's store misses data of ${fragment.name}.`);
    return data;
  }
}
