import { createServer } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/common/json.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { ParameterStyle } from '../../src/operations/rest-call.ts';
import { blobKey } from '../../src/platform/blobs/blob-store.ts';
import type { DriverCall } from '../../src/platform/drivers/driver.ts';
import { retryAfterMs } from '../../src/platform/drivers/http-failure.ts';
import { readParts } from '../../src/platform/drivers/message-parts.ts';
import { pathText, queryPieces } from '../../src/platform/drivers/parameter-styles.ts';
import { restDriver } from '../../src/platform/drivers/rest-call.ts';
import { PathFault } from '../../src/platform/renderer/path-parts.ts';
import { renderTemplate } from '../../src/platform/renderer/template-engine.ts';
import { driverCall } from '../testkit/driver-calls.ts';
import { listening } from '../testkit/listen.ts';
import { openRawServer, type RawAnswer, type RawServer } from '../testkit/raw-server.ts';
import { driverParts } from '../testkit/real-calls.ts';
import { tempBlobs } from '../testkit/temp-folder.ts';
import { ANSWERS, SENDINGS, WAITS } from './rest.cases.ts';

type RestCall = Extract<Operation, { type: 'rest_call' }>;

const { egress, renderer } = driverParts();
const blobs = tempBlobs();
let server: RawServer;
let driver: ReturnType<typeof restDriver>;
let answer: RawAnswer | ((target: string) => RawAnswer) = {};

beforeAll(async () => {
  server = await openRawServer(({ target }) =>
    typeof answer === 'function' ? answer(target) : answer,
  );
  driver = restDriver({ egress, renderer, blobs });
  const owner = { workspace: 'workspace-1', ownerId: 'owner-1', session: 's' };
  await blobs.put(blobKey({ ...owner, key: 'note' }), Buffer.from('hello'));
});
afterAll(() => server.close());

const stored = new Map<string, Uint8Array>();
async function call(
  operation: Partial<RestCall>,
  given: Partial<DriverCall<RestCall>> = {},
): Promise<Json> {
  const whole: RestCall = { type: 'rest_call', method: 'GET', path: '/', ...operation };
  const target = { connectionParams: { endpoint: server.origin } };
  const storeFile = async (name: string, bytes: Uint8Array) => {
    stored.set(name, bytes);
    return `ci-blob://s/${name}`;
  };
  return (await driver.invoke(driverCall(whole, target, { storeFile, ...given }))).output;
}
const outcome = (work: Promise<Json>) =>
  work.then(
    (output) => ({ output }),
    (error: { code: string; message: string }) => ({ code: error.code, words: error.message }),
  );

describe('an answer arrives as it was sent', () => {
  it.each(ANSWERS)('$title', async (one) => {
    const { status = 200, headers, bytes, outputSchema } = one.input;
    answer = { status, headers, body: bytes };
    const got = await outcome(call({}, outputSchema === undefined ? {} : { outputSchema }));
    if ('code' in one.right) {
      const { code, words } = one.right;
      expect(got).toEqual({ code, words: expect.stringMatching(words) });
    } else expect(got).toEqual(one.right);
  });

  it('a file is stored byte by byte, and is a part of a message', async () => {
    const png = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47]),
      Buffer.from('\0\xff picture'),
    ]);
    answer = { headers: { 'content-type': 'image/png' }, body: png };
    const part = await call({});
    expect(Buffer.from(stored.get('answer.png') ?? [])).toEqual(png);
    const owner = { workspace: 'workspace-1', ownerId: 'owner-1', session: 's' };
    await blobs.put(blobKey({ ...owner, key: 'answer.png' }), png);
    const signal = new AbortController().signal;
    expect(
      await readParts({ egress, blobs }, { ...owner, signal }, [part], { left: 1_000 }),
    ).toEqual([{ type: 'file', data: png, mediaType: 'image/png' }]);
    const other = { ...owner, ownerId: 'owner-2', signal };
    await expect(readParts({ egress, blobs }, other, [part], { left: 1_000 })).rejects.toThrow(
      /There is no blob/,
    );
  });

  it('a call that is not recorded tells the type and size of a file', async () => {
    answer = { headers: { 'content-type': 'image/png' }, body: Buffer.from('\x89PNG') };
    const { storeFile: _, ...unrecorded } = driverCall(
      { type: 'rest_call', method: 'GET', path: '/' } as RestCall,
      { connectionParams: { endpoint: server.origin } },
    );
    expect((await driver.invoke(unrecorded)).output).toEqual({
      type: 'image',
      uri: null,
      mediaType: 'image/png',
      size: 5,
    });
  });
});

describe('a server is asked again when it says', () => {
  it.each(WAITS)('$title', ({ input, right }) => {
    expect(retryAfterMs(input, Date.parse('1994-11-06T08:49:00Z'))).toBe(right);
  });
});

it('an answer that is cut says so, and not that its server was not reached', async () => {
  const cut = createServer((request, response) => {
    if (request.url === '/begun')
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
    else request.socket.destroy();
  });
  const origin = `http://${await listening(cut)}`;
  const begun = await egress.fetch(`${origin}/begun`);
  await expect(begun.text()).rejects.toThrow(/^The answer of 127.* broke off before its end\.$/);
  await expect(egress.fetch(origin)).rejects.toThrow(/ended the connection before it answered/);
  cut.close();
});

// scrapy/scrapy#2321, netty/netty#10831
it('a redirect to letters that are not encoded is followed', async () => {
  const location = Buffer.from('/café/عز').toString('latin1');
  answer = (target) =>
    target === '/' ? { status: 302, headers: { location } } : { body: decodeURI(target) };
  expect(await call({})).toBe('/café/عز');
});

describe('a request is sent as its operation says', () => {
  it.each(SENDINGS)('$title', async (one) => {
    answer = { headers: { 'content-type': 'application/json' }, body: '{}' };
    const before = server.requests.length;
    const { operation, ...given } = one.input;
    const got = await outcome(call(operation, given));
    const { right } = one;
    if ('code' in right) {
      expect(got).toEqual({ code: right.code, words: expect.stringMatching(right.words) });
      expect(server.requests).toHaveLength(before);
      return;
    }
    expect(got).toEqual({ output: {} });
    const sent = server.requests.at(-1);
    if (sent === undefined) throw new Error('Nothing was sent.');
    if (right.target !== undefined) expect(sent.target).toBe(right.target);
    if (right.body !== undefined) expect(sent.body.toString()).toBe(right.body);
    for (const [name, value] of Object.entries(right.headers ?? {}))
      expect(sent.headers[name], name).toBe(value);
    if (right.form !== undefined)
      expect(await formIn(sent.body, String(sent.headers['content-type']))).toEqual(right.form);
  });
});

async function formIn(body: Buffer, contentType: string): Promise<[string, string][]> {
  const response = new Response(new Uint8Array(body), { headers: { 'content-type': contentType } });
  const fields: [string, string][] = [];
  for (const [name, value] of await response.formData()) {
    const text =
      typeof value === 'string' ? value : `${value.name}:${value.type}:${await value.text()}`;
    fields.push([name, text]);
  }
  return fields;
}

it('any value stays one part of a path, or is refused', () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(fc.constantFrom('.', '/', '\\', '%2e', '%', '25', '2F', '?', '#', ';', 'a')),
  );
  fc.assert(
    fc.property(value, (given) => {
      const text = Array.isArray(given) ? given.join('') : given;
      let path: string;
      try {
        path = renderTemplate('/a/{{v}}/b', { v: text as Json }, 'uri');
      } catch (error) {
        expect(error).toBeInstanceOf(PathFault);
        return;
      }
      const url = new URL(`http://here${path}`);
      expect(`${url.pathname}${url.search}${url.hash}`).toBe(path);
      const [, before, part = '', after, ...more] = path.split('/');
      expect([before, after, more]).toEqual(['a', 'b', []]);
      expect(part).not.toBe('');
      // Servers decode more than once.
      expect(path.replace(/%(25)+/g, '%')).not.toMatch(/(\/|%2F|%5C)(\.|%2e){1,2}(\/|%2F|%5C)/i);
      if (typeof text === 'string') expect(decodeURIComponent(part)).toBe(text);
    }),
    { seed: 39, numRuns: 400 },
  );
});

describe('styles, by a reader of the table in OpenAPI', () => {
  // Plain values that are no text of another kind.
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });
  const list = fc.array(text, { minLength: 1, maxLength: 4 });
  const object = fc.dictionary(text, text, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
  const styles = fc.constantFrom<[NonNullable<ParameterStyle['style']>, boolean]>(
    ['form', true],
    ['form', false],
    ['spaceDelimited', false],
    ['pipeDelimited', false],
    ['deepObject', true],
    ['json', false],
  );

  it('a query gives back the value that was written', () => {
    fc.assert(
      fc.property(styles, fc.oneof(text, list, object), ([style, explode], value) => {
        const query = queryPieces('p', value, { style, explode }).join('&');
        expect(readQuery(query, style, explode, value)).toEqual(value);
        // One value never becomes another parameter.
        if (typeof value === 'string')
          expect([...new URLSearchParams(query).keys()]).toEqual(['p']);
      }),
      { seed: 39, numRuns: 400 },
    );
  });

  it('a path gives back the value that was written, and stays one part', () => {
    const path = fc.constantFrom<'simple' | 'label' | 'matrix'>('simple', 'label', 'matrix');
    fc.assert(
      fc.property(path, fc.boolean(), fc.oneof(list, object), (style, explode, value) => {
        const written = pathText('p', value, { style, explode });
        expect(written).not.toMatch(/[/?#]/);
        expect(readPath(written, style, explode, Array.isArray(value))).toEqual(value);
      }),
      { seed: 39, numRuns: 400 },
    );
  });
});

const decoded = (part: string) => decodeURIComponent(part);
const pairsOf = (flat: string[]): JsonObject =>
  Object.fromEntries(
    flat.flatMap((key, at) => (at % 2 === 0 ? [[decoded(key), decoded(flat[at + 1] ?? '')]] : [])),
  );
const keyed = (parts: string[]): JsonObject =>
  Object.fromEntries(
    parts.map((part) => {
      const [key = '', value = ''] = part.split('=');
      return [decoded(key), decoded(value)];
    }),
  );

/** Reads by the shape that is expected, as a server that knows the document does. */
function readQuery(query: string, style: string, explode: boolean, like: Json): Json {
  const pieces = query.split('&').map((piece) => {
    const at = piece.indexOf('=');
    return [decoded(piece.slice(0, at)), piece.slice(at + 1)] as const;
  });
  const first = pieces[0]?.[1] ?? '';
  if (style === 'json') return JSON.parse(decoded(first)) as Json;
  if (typeof like === 'string') return decoded(first);
  if (style === 'deepObject') {
    const inner = pieces.map(([key, value]) => [key.slice(2, -1), decoded(value)] as const);
    return Array.isArray(like) ? inner.map(([, value]) => value) : Object.fromEntries(inner);
  }
  if (explode)
    return Array.isArray(like)
      ? pieces.map(([, value]) => decoded(value))
      : Object.fromEntries(pieces.map(([key, value]) => [key, decoded(value)]));
  const delimiter = { spaceDelimited: '%20', pipeDelimited: '%7C' }[style] ?? ',';
  return delimited(first, delimiter, like);
}

function delimited(written: string, delimiter: string, like: Json): Json {
  const parts = written.split(delimiter);
  // OpenAPI has no escape for a delimiter inside a value, so such a value is ambiguous by itself.
  if (JSON.stringify(like).includes(decoded(delimiter)) && delimiter !== ',') return like;
  return Array.isArray(like) ? parts.map(decoded) : pairsOf(parts);
}

function readPath(written: string, style: string, explode: boolean, isList: boolean): Json {
  if (style === 'simple') {
    const parts = written.split(',');
    return isList ? parts.map(decoded) : explode ? keyed(parts) : pairsOf(parts);
  }
  if (style === 'label') {
    const parts = written.slice(1).split(explode ? '.' : ',');
    return isList ? parts.map(decoded) : explode ? keyed(parts) : pairsOf(parts);
  }
  const parts = written.slice(1).split(';');
  if (explode) return isList ? parts.map((part) => decoded(part.slice(2))) : keyed(parts);
  const flat = (parts[0] ?? '').slice(2).split(',');
  return isList ? flat.map(decoded) : pairsOf(flat);
}
