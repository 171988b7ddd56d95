import { z } from 'zod';
import type { Json } from '../common/json.ts';
import { type Problem, problem } from '../common/refusal.ts';
import { checkTemplate } from '../expressions/template.ts';
import { checkHeaders } from './header.ts';
import {
  jsonObject,
  type Path,
  type Reading,
  readTexts,
  together,
  typeOfOperation,
} from './operation-type.ts';

const STYLES_MAX = 500;

/** Where a parameter with a style of its own stands: `form` is a field of a form's body. */
export const PARAMETER_PLACES = ['path', 'query', 'header', 'cookie', 'form'] as const;

/** How a parameter is written, by the names of OpenAPI; `json` is its JSON text. */
export const PARAMETER_STYLES = [
  'simple',
  'label',
  'matrix',
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'deepObject',
  'json',
] as const;

/** How one parameter of a rest_call is written where the usual way is not right. */
export const ParameterStyle = z.object({
  in: z.enum(PARAMETER_PLACES),
  /** A variable of the path, or a key of query, headers, cookies or the form's body. */
  name: z.string().min(1),
  /** Absent: `simple` in path and header, `form` elsewhere. */
  style: z.enum(PARAMETER_STYLES).nullish(),
  /** Whether each item or property is a parameter of its own. Absent: true for `form` only. */
  explode: z.boolean().nullish(),
  /** Whether characters such as `/` and `:` stay as they are in a query or form. Absent: false. */
  allowReserved: z.boolean().nullish(),
});
export type ParameterStyle = z.infer<typeof ParameterStyle>;

export const BODY_KINDS = ['json', 'form', 'multipart', 'text', 'binary'] as const;
export type BodyKind = (typeof BODY_KINDS)[number];

/** A call without side effects that says whether the operation would work. */
export const RestProbe = z.object({
  /** Absent: GET. */
  method: z.enum(['GET', 'HEAD']).nullish(),
  /** Below the endpoint, without templates. */
  path: z.string(),
});
export type RestProbe = z.infer<typeof RestProbe>;

const RestCall = z.object({
  type: z.literal('rest_call'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']),
  /** Handlebars template, appended to the endpoint; rendered values are URI-encoded. */
  path: z.string(),
  query: jsonObject.nullish(),
  headers: jsonObject.nullish(),
  cookies: jsonObject.nullish(),
  body: z.custom<Json>((value) => value !== undefined).nullish(),
  /** How the body is sent. Absent: by the body and its Content-Type. */
  bodyKind: z.enum(BODY_KINDS).nullish(),
  styles: z.array(ParameterStyle).max(STYLES_MAX).nullish(),
  /** How its health is checked. Absent: by a GET of the endpoint. */
  probe: RestProbe.nullish(),
});
type RestCall = z.infer<typeof RestCall>;

export const restCall = typeOfOperation({
  schema: RestCall,
  serviceType: 'rest_api',
  protocols: ['http', 'https'],
  inputField: 'restCall',
  mutatesByDefault: ({ method }) => method !== 'GET' && method !== 'HEAD',
  healthTells: ({ probe }) => (probe == null ? 'answer' : 'call'),
  read: (operation, path) =>
    together(
      readPath(operation.path, [...path, 'path']),
      ...(['query', 'headers', 'cookies', 'body'] as const).map((field) =>
        readTexts(operation[field] ?? null, [...path, field]),
      ),
      {
        problems: [
          ...checkHeaders(operation.headers ?? {}, [...path, 'headers']),
          ...checkStyles(operation, [...path, 'styles']),
          ...checkBodyFits(operation, [...path, 'body']),
          ...checkProbe(operation.probe, [...path, 'probe', 'path']),
        ],
        uses: [],
      },
    ),
});

/** The path is appended to the endpoint, so it must not be able to change the host. */
function readPath(source: string, path: Path): Reading {
  const problems: Problem[] = [];
  if (/^\/\/|^[\\@:]|^[a-z][a-z0-9+.-]*:/i.test(source))
    problems.push(
      problem(
        'INVALID',
        path,
        'The path starts below the endpoint, as in /items/{{id}}; it names no host.',
      ),
    );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would end the request line
  if (/[\u0000-\u001f\u007f\\]/.test(source))
    problems.push(problem('INVALID', path, 'The path has no control characters or backslashes.'));
  // Outside of tags: {{#if}} opens a block.
  if (source.replace(/\{\{[^}]*\}?\}\}/g, '').includes('#'))
    problems.push(
      problem(
        'INVALID',
        path,
        'The path has no #: what follows it is never sent. Write %23 for the character.',
      ),
    );
  return together({ problems, uses: [] }, readTexts(source, path));
}

/** A probe is sent without inputs. */
function checkProbe(probe: RestCall['probe'], path: Path): Problem[] {
  if (probe == null) return [];
  const { problems } = readPath(probe.path, path);
  if (!probe.path.includes('{{')) return [...problems];
  const message = 'A probe has no inputs. Give a path without templates that answers with 2xx.';
  return [...problems, problem('INVALID', path, message)];
}

/** HTTP gives the body of a GET or HEAD no meaning, and it can not be sent. */
function checkBodyFits({ method, body }: RestCall, path: Path): Problem[] {
  if (body == null || (method !== 'GET' && method !== 'HEAD')) return [];
  const message = `A ${method} has no body. Give the values in query, or choose another method.`;
  return [problem('INVALID', path, message)];
}

const STYLES_OF = {
  path: ['simple', 'label', 'matrix', 'json'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'json'],
  header: ['simple', 'json'],
  cookie: ['form', 'json'],
  form: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'json'],
} as const satisfies Record<ParameterStyle['in'], readonly NonNullable<ParameterStyle['style']>[]>;

/** A style belongs to a parameter that the operation has, and to its place. */
function checkStyles(
  { path: template, query, headers, cookies, styles }: RestCall,
  path: Path,
): Problem[] {
  const named: Record<ParameterStyle['in'], readonly string[] | null> = {
    path: checkTemplate(template, []).variables,
    query: Object.keys(query ?? {}),
    header: Object.keys(headers ?? {}),
    cookie: Object.keys(cookies ?? {}),
    // The fields of a form are in the value of its body.
    form: null,
  };
  return (styles ?? []).flatMap(({ in: place, name, style }, index) => {
    const at = [...path, String(index)];
    const problems: Problem[] = [];
    if (named[place]?.includes(name) === false)
      problems.push(problem('NOT_FOUND', [...at, 'name'], `${name} is no ${PLACE_NAMES[place]}.`));
    const known: readonly string[] = STYLES_OF[place];
    if (style != null && !known.includes(style)) {
      const message = `The style ${style} is none of this place; it has ${known.join(', ')}.`;
      problems.push(problem('INVALID', [...at, 'style'], message));
    }
    return problems;
  });
}

const PLACE_NAMES = {
  path: 'variable of the path',
  query: 'key of query',
  header: 'key of headers',
  cookie: 'key of cookies',
  form: 'field of the form',
} as const satisfies Record<ParameterStyle['in'], string>;
