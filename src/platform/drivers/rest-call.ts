import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { NO_USAGE, ToolFault } from '../../common/tool-fault.ts';
import type { Egress } from '../egress/egress.ts';
import { checkUrl } from '../egress/request-rules.ts';
import type { OwnerRenderer, Renderer } from '../renderer/renderer.ts';
import { type Credentials, endpointOf, httpCredentials } from './credentials.ts';
import type { DriverCall, DriverTarget, ToolDriver } from './driver.ts';
import { guarded, probed } from './guarded.ts';
import { httpFailure } from './http-failure.ts';
import { templateInputs } from './template-inputs.ts';

type RestCall = Extract<DriverCall['operation'], { type: 'rest_call' }>;

const USAGE = { ...NO_USAGE, toolCalls: 1 };

/**
 * Sends an HTTP request with templated path, query, headers and body; returns JSON or text
 * (docs/decisions/0018). A status other than 2xx is TOOL_FAILED, retryable as httpFailure decides.
 * A JSON body that can't be parsed is OUTPUT_INVALID.
 */
export function restDriver({
  egress,
  renderer,
}: {
  egress: Egress;
  renderer: Renderer;
}): ToolDriver<'rest_call'> {
  return {
    type: 'rest_call',
    invoke: (call) =>
      guarded(call, async (redactor) => {
        const { operation, target, signal } = call;
        const credentials = httpCredentials(target);
        const data = templateInputs(
          [
            operation.path,
            operation.query ?? null,
            operation.headers ?? null,
            operation.body ?? null,
          ],
          call.inputs,
        );
        const templates = renderer.of(call.ownerId);
        const url = await urlOf(target, operation, data, credentials, templates);
        const { body, contentType } = await bodyOf(operation, data, templates);
        const headers = {
          accept: 'application/json, text/*;q=0.9, */*;q=0.8',
          'idempotency-key': call.idempotencyKey,
          ...(contentType === null ? {} : { 'content-type': contentType }),
          ...(await headersOf(operation.headers, data, templates)),
          ...credentials.headers,
        };
        const response = await egress.fetch(url, {
          method: operation.method,
          headers,
          body,
          signal,
          system: target.system,
        });
        const text = await response.text();
        if (!response.ok) {
          const answer = {
            status: response.status,
            body: text,
            retryAfter: response.headers.get('retry-after'),
          };
          throw httpFailure(
            answer,
            `${operation.method} ${url.host}${url.pathname}`,
            redactor.text,
            USAGE,
          );
        }
        return {
          output: parsed(text, response.headers.get('content-type') ?? '', url),
          usage: USAGE,
        };
      }),
    probe: (target, signal) =>
      probed(target, signal, async (limit) => {
        const { headers } = httpCredentials(target);
        const response = await egress.fetch(endpointOf(target), {
          headers,
          signal: limit,
          system: target.system,
        });
        await response.body?.cancel();
        if (response.status < 500) return { status: 'healthy', errorMessage: null };
        return { status: 'down', errorMessage: `The endpoint answered ${response.status}.` };
      }),
    async close() {},
  };
}

async function urlOf(
  target: DriverTarget,
  { path, query }: RestCall,
  data: JsonObject,
  credentials: Credentials,
  templates: OwnerRenderer,
): Promise<URL> {
  const base = checkUrl(endpointOf(target));
  const rendered = await templates.renderPath(path, data);
  const [way = '', search] = rendered.split(/\?(.*)/s);
  // A rendered ".." would leave the author's path. The URL parser reads %2e%2e as dots too.
  if (way.split(/[/\\]/).some((part) => /^(\.|%2e){1,2}$/i.test(part))) {
    throw new ToolFault('INPUT_INVALID', 'A path may not have "." or ".." as a part.');
  }
  const start = `${base.origin}${base.pathname}`;
  const joined = way === '' ? start : `${start.replace(/\/$/, '')}/${way.replace(/^\//, '')}`;
  const url = URL.parse(joined);
  if (url === null || url.origin !== base.origin) {
    throw new ToolFault('TOOL_FAILED', 'The endpoint and path make no valid URL.');
  }
  const values = (await templates.renderJson(query ?? {}, data)) as JsonObject;
  for (const source of [base.searchParams, new URLSearchParams(search ?? '')]) {
    for (const [name, value] of source) url.searchParams.append(name, value);
  }
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null) url.searchParams.append(name, asText(one));
    }
  }
  for (const [name, value] of Object.entries(credentials.query)) url.searchParams.set(name, value);
  return url;
}

async function headersOf(
  headers: JsonObject | null | undefined,
  data: JsonObject,
  templates: OwnerRenderer,
): Promise<Record<string, string>> {
  const values = (await templates.renderJson(headers ?? {}, data)) as JsonObject;
  const given = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), asText(value)]));
}

/** Text is sent as text; other values as JSON, or as a form if the headers say so. */
async function bodyOf(
  { body, headers, method }: RestCall,
  data: JsonObject,
  templates: OwnerRenderer,
): Promise<{ body: string | null; contentType: string | null }> {
  if (body === null || body === undefined || method === 'GET' || method === 'HEAD')
    return { body: null, contentType: null };
  const value = await templates.renderJson(body, data);
  const said = Object.entries(headers ?? {}).find(
    ([name]) => name.toLowerCase() === 'content-type',
  )?.[1];
  if (typeof said === 'string' && said.includes('x-www-form-urlencoded') && isJsonObject(value)) {
    const fields = Object.entries(value).filter(([, field]) => field !== null);
    const form = new URLSearchParams(fields.map(([name, field]) => [name, asText(field)]));
    return { body: form.toString(), contentType: null };
  }
  if (typeof value === 'string') return { body: value, contentType: 'text/plain; charset=utf-8' };
  return { body: JSON.stringify(value), contentType: 'application/json' };
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function parsed(text: string, contentType: string, url: URL): Json {
  if (text === '') return null;
  if (!/\bjson\b|\+json/i.test(contentType)) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new ToolFault(
      'OUTPUT_INVALID',
      `${url.host} called its answer JSON, but it can not be read as such.`,
      { usage: USAGE },
    );
  }
}
