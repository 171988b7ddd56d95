import { randomBytes } from 'node:crypto';
import { entryOf } from '../../common/entry-of.ts';
import type { Json, JsonObject } from '../../common/json.ts';
import { NO_USAGE, ToolFault } from '../../common/tool-fault.ts';
import { wellFormedJson } from '../../common/well-formed.ts';
import type { OperationOf } from '../../operations/operation.ts';
import type { ParameterStyle } from '../../operations/rest-call.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Egress } from '../egress/egress.ts';
import { checkUrl } from '../egress/request-rules.ts';
import { dottedWords, isDotted } from '../renderer/path-parts.ts';
import type { OwnerRenderer, Renderer } from '../renderer/renderer.ts';
import { withSentValues } from '../renderer/whole-leaf.ts';
import { type Credentials, endpointOf, httpCredentials } from './credentials.ts';
import type { DriverCall, DriverTarget, ToolDriver } from './driver.ts';
import { guarded, probed } from './guarded.ts';
import { httpFailure, retryAfterOf } from './http-failure.ts';
import { asText, headerText, pathText, queryPieces } from './parameter-styles.ts';
import { answerWords, readAnswer } from './rest-answer.ts';
import { itemsOf, type SentBody, writeBody } from './rest-body.ts';
import { sentInputs, templateInputs, withoutAbsent } from './template-inputs.ts';

type RestCall = OperationOf<'rest_call'>;

const USAGE = { ...NO_USAGE, toolCalls: 1 };

/**
 * Sends an HTTP request with templated path, query, headers, cookies and body; returns JSON, text
 * or a stored file (docs/decisions/0018, docs/decisions/0098). A status other than 2xx is
 * TOOL_FAILED, retryable as httpFailure decides. A JSON body that can't be parsed is
 * OUTPUT_INVALID.
 */
export function restDriver({
  egress,
  renderer,
  blobs,
}: {
  egress: Egress;
  renderer: Renderer;
  /** Absent: no file can be sent. */
  blobs?: BlobStore | undefined;
}): ToolDriver<'rest_call'> {
  return {
    type: 'rest_call',
    invoke: (call) =>
      guarded(call, async (redactor) => {
        const { operation, target, signal } = call;
        const credentials = httpCredentials(target);
        const { path, query, headers, cookies, body } = operation;
        const sources = [path, query ?? null, headers ?? null, cookies ?? null, body ?? null];
        // Half of a surrogate pair has no URI encoding.
        const data = wellFormedJson(templateInputs(sources, call.inputs)) as JsonObject;
        const templates = templatesOf(call, data, renderer);
        const url = await urlOf(target, operation, credentials, templates);
        const sentHeaders = await headersOf(operation, templates);
        const sent = await bodyOf(call, sentHeaders['content-type'] ?? null, { templates, blobs });
        const response = await egress.fetch(url, {
          method: operation.method,
          headers: {
            accept: 'application/json, text/*;q=0.9, */*;q=0.8',
            'idempotency-key': call.idempotencyKey,
            ...sentHeaders,
            ...(sent.contentType === null ? {} : { 'content-type': sent.contentType }),
            ...credentials.headers,
          },
          body: sent.body,
          signal,
          system: target.system,
        });
        if (!response.ok) {
          const answer = {
            status: response.status,
            // The status counts, also where the words can't be read.
            body: await answerWords(response).catch(() => ''),
            retryAfter: retryAfterOf((name) => response.headers.get(name)),
          };
          throw httpFailure(
            answer,
            `${operation.method} ${url.host}${url.pathname}`,
            redactor.text,
            USAGE,
          );
        }
        return { output: await readAnswer(response, call, url.host), usage: USAGE };
      }),
    probe: (target, signal) =>
      probed(target, signal, async (limit) => {
        const credentials = httpCredentials(target);
        const { method, path } = target.probe ?? { method: null, path: null };
        const url = path === null ? endpointOf(target) : probeUrl(target, path, credentials);
        const response = await egress.fetch(url, {
          method: method ?? 'GET',
          headers: credentials.headers,
          signal: limit,
          system: target.system,
        });
        await response.body?.cancel();
        // Only a path that was chosen for it says something by another status.
        const isHealthy = path === null ? response.status < 500 : response.ok;
        if (isHealthy) return { status: 'healthy', errorMessage: null };
        const asked = path === null ? 'The endpoint' : `${method ?? 'GET'} ${path}`;
        return { status: 'down', errorMessage: `${asked} answered ${response.status}.` };
      }),
    async close() {},
  };
}

/** The templates of one call, with its inputs. */
interface Templates {
  /** A value of the inputs, as it is sent. */
  valueOf(name: string): Json;
  /** Some inputs are shown as these texts. */
  path(source: string, shown: JsonObject): Promise<string>;
  /**
   * With each number as it is sent: as one of JavaScript's, or as `sentNumber`. A property whose
   * input was not given is left out.
   */
  json(source: Json): Promise<Json>;
}

function templatesOf(call: DriverCall, data: JsonObject, renderer: Renderer): Templates {
  const templates: OwnerRenderer = renderer.of(call.ownerId);
  const sent = sentInputs(call);
  return {
    valueOf: (name) => entryOf(sent ?? data, name) ?? null,
    path: (source, shown) => templates.renderPath(source, { ...data, ...shown }),
    async json(source) {
      const made = withoutAbsent(source, await templates.renderJson(source, data), call.inputs);
      return withSentValues(source, made, sent);
    },
  };
}

/** The endpoint with a path behind it. @throws ToolFault TOOL_FAILED where it is no URL of it */
function joinedUrl(target: DriverTarget, path: string) {
  const base = checkUrl(endpointOf(target));
  const [way = '', search = ''] = path.split(/\?(.*)/s);
  const start = `${base.origin}${base.pathname}`;
  const joined = way === '' ? start : `${start.replace(/\/$/, '')}/${way.replace(/^\//, '')}`;
  const url = URL.parse(joined);
  if (url === null || url.origin !== base.origin)
    throw new ToolFault('TOOL_FAILED', 'The endpoint and path make no valid URL.');
  return { url, base, search: new URLSearchParams(search) };
}

function probeUrl(target: DriverTarget, path: string, { query }: Credentials): URL {
  const { url, base, search } = joinedUrl(target, path);
  for (const source of [base.searchParams, search])
    for (const [name, value] of source) url.searchParams.append(name, value);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

async function urlOf(
  target: DriverTarget,
  { path, query, styles }: RestCall,
  credentials: Credentials,
  templates: Templates,
): Promise<URL> {
  const rendered = await pathOf(path, stylesIn(styles, 'path'), templates);
  const { url, base, search } = joinedUrl(target, rendered);
  const values = (await templates.json(query ?? {})) as JsonObject;
  const plain = new URLSearchParams();
  for (const source of [base.searchParams, search]) {
    for (const [name, value] of source) plain.append(name, value);
  }
  const written = stylesIn(styles, 'query');
  const styled: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const writing = written.get(name);
    if (writing === undefined) for (const one of itemsOf(value)) plain.append(name, asText(one));
    else if (!Object.hasOwn(credentials.query, name))
      styled.push(...queryPieces(name, value, writing));
  }
  for (const [name, value] of Object.entries(credentials.query)) plain.set(name, value);
  url.search = [plain.toString(), ...styled].filter((piece) => piece !== '').join('&');
  return url;
}

/**
 * Renders the path. The template encodes what it shows, so a variable with a style is shown as a
 * random word, which its written value replaces; a value without content is shown as null.
 * @throws ToolFault INPUT_INVALID where a value would lead to another resource
 */
async function pathOf(
  path: string,
  styles: ReadonlyMap<string, ParameterStyle>,
  templates: Templates,
): Promise<string> {
  const words = new Map<string, { readonly name: string; readonly text: string }>();
  const shown: JsonObject = {};
  for (const [name, writing] of styles) {
    const value = templates.valueOf(name);
    const isEmpty = pathText(name, value, { explode: false }) === '';
    const word = `w${randomBytes(12).toString('hex')}`;
    if (!isEmpty) words.set(word, { name, text: pathText(name, value, writing) });
    shown[name] = isEmpty ? null : word;
  }
  const rendered = await templates.path(path, shown);
  const [way = ''] = rendered.split(/[?#]/, 1);
  const parts = way.split('/').map((part) => {
    const [text, names] = withWords(part, words);
    if (isDotted(text)) throw new ToolFault('INPUT_INVALID', dottedWords(names));
    return text;
  });
  return `${parts.join('/')}${withWords(rendered.slice(way.length), words)[0]}`;
}

function withWords(
  text: string,
  words: ReadonlyMap<string, { readonly name: string; readonly text: string }>,
): readonly [text: string, names: readonly string[]] {
  const names: string[] = [];
  let written = text;
  for (const [word, { name, text: value }] of words) {
    if (!written.includes(word)) continue;
    written = written.replaceAll(word, () => value);
    names.push(name);
  }
  return [written, names];
}

function stylesIn(
  styles: RestCall['styles'],
  place: ParameterStyle['in'],
): ReadonlyMap<string, ParameterStyle> {
  const here = (styles ?? []).filter((one) => one.in === place);
  return new Map(here.map((one) => [one.name, one]));
}

/** Header names are in lower case. */
async function headersOf(
  { headers, cookies, styles }: RestCall,
  templates: Templates,
): Promise<Record<string, string>> {
  const values = (await templates.json(headers ?? {})) as JsonObject;
  const written = stylesIn(styles, 'header');
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const writing = written.get(name);
    if (value !== null)
      result[name.toLowerCase()] =
        writing === undefined ? asText(value) : headerText(value, writing);
  }
  const kept = (await templates.json(cookies ?? {})) as JsonObject;
  const cookieStyles = stylesIn(styles, 'cookie');
  const pairs = Object.entries(kept).flatMap(([name, value]) =>
    queryPieces(name, value, cookieStyles.get(name) ?? { explode: false }),
  );
  if (pairs.length > 0) {
    const own = result['cookie'];
    result['cookie'] = [...(own === undefined ? [] : [own]), ...pairs].join('; ');
  }
  for (const [name, value] of Object.entries(result)) checkSentHeader(name, value);
  return result;
}

/** HTTP has no form for these characters in a header. Line breaks are refused by the egress. */
function checkSentHeader(name: string, value: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those that others refuse
  const [odd] = value.match(/[^\u0020-\u007e\u0080-\u00ff\t\r\n\u0000]/u) ?? [];
  if (odd === undefined) return;
  throw new ToolFault(
    'INPUT_INVALID',
    `The header ${name} can not be sent with the character ${JSON.stringify(odd)}: a header ` +
      'holds letters of Latin-1 only. Encode the value, or send it in the body.',
  );
}

/** One reference and nothing else: `{{body}}`. */
const ONE_VALUE = /^\{\{\{?\s*([^{}\s]+)\s*\}?\}\}$/;

async function bodyOf(
  { operation, inputs, ownerId, workspace }: DriverCall<RestCall>,
  declared: string | null,
  { templates, blobs }: { readonly templates: Templates; readonly blobs: BlobStore | undefined },
): Promise<SentBody> {
  const { body, method, bodyKind, styles } = operation;
  const none = { body: null, contentType: null };
  if (body === null || body === undefined || method === 'GET' || method === 'HEAD') return none;
  const variable = typeof body === 'string' ? ONE_VALUE.exec(body)?.[1] : undefined;
  const name = variable?.replace(/^this\./, '').split('.')[0];
  // An input that was not given is no body; null is the JSON null.
  if (name !== undefined && name !== 'this' && !Object.hasOwn(inputs, name)) return none;
  return writeBody({
    value: await templates.json(body),
    kind: bodyKind ?? null,
    declared,
    isOneValue: variable !== undefined,
    styles: styles ?? [],
    blobs,
    reader: { ownerId, workspace },
  });
}
