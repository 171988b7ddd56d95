import { client, type TestClient } from '../test/testkit/client.ts';
import { type OddPlace, oddPlaces } from '../test/testkit/foreign/odd-mutations.ts';
import { tryPlace } from '../test/testkit/foreign/odd-requests.ts';
import type { OddServers } from '../test/testkit/foreign/odd-servers.ts';
import {
  LARGE_TEXT,
  oddJson,
  oddNumber,
  oddText,
  sample,
} from '../test/testkit/foreign/odd-values.ts';
import { type OddWorld, openOddWorld } from '../test/testkit/foreign/odd-world.ts';
import type { Random } from './random.ts';

/** Counts of the traffic, and its faults. */
export interface Traffic {
  /** Requests by kind. */
  readonly counts: Map<string, number>;
  /** One line per kind of fault, with the first input that showed it. */
  readonly faults: Map<string, string>;
  /** The users, whose runs must all end. */
  readonly users: TestClient[];
}

const REQUEST_MS_MAX = 120_000;
const SAMPLES = 2_000;
/** These end the account of their caller, or of another. */
const ENDING = ['deleteMyData', 'deleteUser'];

/** One user: sends odd requests of all kinds one after the other. */
export class OddUser {
  readonly #ada: TestClient;
  readonly #url: string;
  readonly #random: Random;
  readonly #world: OddWorld;
  readonly #places: readonly OddPlace[];
  readonly #queryGraph: string;
  readonly #traffic: Traffic;
  readonly #texts: readonly string[];
  readonly #values: readonly unknown[];
  readonly #numbers: readonly number[];

  private constructor(parts: {
    readonly ada: TestClient;
    readonly url: string;
    readonly random: Random;
    readonly world: OddWorld;
    readonly queryGraph: string;
    readonly traffic: Traffic;
    readonly seed: number;
  }) {
    this.#ada = parts.ada;
    this.#url = parts.url;
    this.#random = parts.random;
    this.#world = parts.world;
    this.#queryGraph = parts.queryGraph;
    this.#traffic = parts.traffic;
    this.#places = oddPlaces(parts.world.own).filter(({ mutation }) => !ENDING.includes(mutation));
    this.#texts = sample(oddText, parts.seed, SAMPLES);
    this.#values = sample(oddJson, parts.seed + 1, SAMPLES);
    this.#numbers = sample(oddNumber, parts.seed + 2, SAMPLES);
  }

  static async open(parts: {
    readonly name: string;
    readonly mark: string;
    readonly url: string;
    readonly servers: OddServers;
    readonly random: Random;
    readonly traffic: Traffic;
    readonly seed: number;
  }): Promise<OddUser> {
    const ada = client(parts.name, { url: parts.url });
    const world = await openOddWorld(ada, parts.servers, parts.mark);
    const { tools } = await ada.query<{ tools: { nodes: { id: string; name: string }[] } }>(
      '{ tools(first: 200) { nodes { id name } } }',
    );
    const queryGraph = tools.nodes.find(({ name }) => name === 'query_graph')?.id;
    if (queryGraph === undefined) throw new Error('There is no query_graph.');
    parts.traffic.users.push(ada);
    return new OddUser({ ...parts, ada, world, queryGraph });
  }

  /** Sends requests until `stopping`. */
  async send(stopping: AbortSignal): Promise<void> {
    const kinds = Object.entries(this.#kinds);
    while (!stopping.aborted) {
      const [kind, act] = this.#random.pick(kinds);
      this.#traffic.counts.set(kind, (this.#traffic.counts.get(kind) ?? 0) + 1);
      const fault = await act().catch(
        (error: unknown) => `no answer (${error instanceof Error ? error.message : String(error)})`,
      );
      if (fault === null || stopping.aborted) continue;
      // Ids and numbers differ each time.
      const sort =
        `${kind}: ` +
        fault
          .replace(/.*: (?=INTERNAL|status|no answer|no data)/s, '')
          .replace(/[\da-f-]{8,}/g, '…');
      if (!this.#traffic.faults.has(sort)) this.#traffic.faults.set(sort, fault);
    }
  }

  readonly #kinds: Readonly<Record<string, () => Promise<string | null>>> = {
    mutation: () => {
      const place = this.#random.pick(this.#places);
      return tryPlace(this.#ada, place, this.#valueFor(place.type));
    },
    run: () => this.#starts(this.#value()),
    text: () => this.#starts(this.#text()),
    query_graph: () => this.#tests(this.#queryGraph, { query: this.#query(), parameters: {} }),
    tool: () => this.#tests(this.#random.pick(this.#world.toolIds), { q: this.#value() }),
    openapi: () =>
      this.#does('importOpenApiTools', {
        serviceId: this.#world.own.get('Service'),
        connectionParams: { endpoint: 'http://127.0.0.1:9' },
        document: JSON.stringify(this.#document()),
      }),
    conversation: () =>
      this.#does('appendTurn', {
        conversationId: this.#world.own.get('Conversation'),
        content: this.#text(),
      }),
    openai: () =>
      this.#posts('/v1/chat/completions', {
        model: this.#random.pick(['assistant', this.#text()]),
        stream: this.#random.next() < 0.5,
        messages: [{ role: 'user', content: this.#value() }],
      }),
    mcp: () => this.#callsMcp(),
    codec: () =>
      this.#posts('/temporal/codec/decode', {
        payloads: [{ metadata: this.#value(), data: this.#text() }],
      }),
    body: () => this.#posts('/graphql', this.#value()),
  };

  #text(): string {
    return this.#random.next() < 0.002 ? LARGE_TEXT : this.#random.pick(this.#texts);
  }
  #value(): unknown {
    return this.#random.pick(this.#values);
  }
  #valueFor(type: string): unknown {
    if (this.#random.next() < 0.1) return this.#value();
    if (/^(?:Int|Float)$/.test(type)) return this.#random.pick(this.#numbers);
    if (/^JSON/.test(type)) return { [this.#text()]: this.#value(), endpoint: this.#text() };
    return this.#text();
  }
  #query(): string {
    const text = this.#text();
    return this.#random.pick([
      text,
      `MATCH (c:Conversation) WHERE c.title = '${text}' RETURN c.title`,
      `RETURN '\\${text}' AS x`,
      `MATCH (n) WHERE n.name CONTAINS "${text}" RETURN count(n) AS \`${text}\``,
      'MATCH (c:Conversation)-[:HAS_TURN]->(t) ' +
        `RETURN c, t LIMIT ${this.#random.pick(this.#numbers)}`,
    ]);
  }
  #document(): object {
    return {
      openapi: '3.1.0',
      info: { title: this.#text(), version: '1' },
      paths: {
        [`/${this.#text()}`]: {
          get: {
            operationId: this.#text(),
            summary: this.#text(),
            parameters: [{ name: this.#text(), in: 'query', schema: this.#value() }],
            responses: {
              200: { description: 'ok', content: { 'application/json': this.#value() } },
            },
          },
        },
      },
    };
  }

  async #starts(q: unknown): Promise<string | null> {
    const processId = this.#random.pick(this.#world.processIds);
    return this.#does('startProcessRun', { processId, context: { q } });
  }
  async #tests(id: string, inputs: object): Promise<string | null> {
    return this.#does('testTool', { id, inputs });
  }
  #does(mutation: string, input: object): Promise<string | null> {
    const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
    const document = `mutation ($input: ${type}!) { it: ${mutation}(input: $input) { __typename
      userErrors { code message path } } }`;
    const place: OddPlace = {
      mutation,
      path: ['input'],
      type,
      document,
      variables: (value) => ({ input: value }),
    };
    return tryPlace(this.#ada, place, input);
  }

  async #posts(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<string | null> {
    const { status } = await this.#fetch(path, body, headers);
    return status >= 500 && status !== 503 ? `${path}: status ${status}` : null;
  }
  async #fetch(path: string, body: unknown, headers: Record<string, string>) {
    const response = await fetch(`${this.#url}${path}`, {
      method: 'POST',
      headers: {
        authorization: this.#ada.authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body) ?? 'null',
      signal: AbortSignal.timeout(REQUEST_MS_MAX),
    });
    await response.text();
    return response;
  }
  async #callsMcp(): Promise<string | null> {
    const rpc = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });
    const begun = await this.#fetch(
      '/mcp',
      rpc('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: this.#text(), version: '1' },
      }),
      {},
    );
    const id = begun.headers.get('mcp-session-id');
    if (id === null) return begun.status >= 500 ? `/mcp: status ${begun.status}` : null;
    const session = { 'mcp-session-id': id };
    const call = this.#random.pick([
      rpc('tools/list', {}),
      rpc('tools/call', { name: this.#text(), arguments: this.#value() }),
      rpc(this.#text(), this.#value()),
    ]);
    return this.#posts('/mcp', call, session);
  }
}
