import { entryOf } from '../../common/entry-of.ts';
import type { JsonObject } from '../../common/json.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import type { Protocol } from '../../operations/operation-type.ts';

/** URL schemes of an endpoint, by the Service's protocol. A stdio server has no endpoint. */
const SCHEMES_OF = {
  bolt: ['bolt:'],
  'bolt+s': ['bolt+s:'],
  // HTTP, also over TLS: the operator's model may be at either address (docs/decisions/0030).
  http: ['http:', 'https:'],
  https: ['https:'],
  sse: ['http:', 'https:'],
  stdio: [],
} as const satisfies Record<Protocol, readonly string[]>;

const DEFAULT_PORTS: Record<(typeof SCHEMES_OF)[Protocol][number], string> = {
  'http:': '80',
  'https:': '443',
  'bolt:': '7687',
  'bolt+s:': '7687',
};

const parse = (endpoint: string): URL | null => (URL.canParse(endpoint) ? new URL(endpoint) : null);

/**
 * The origin of an endpoint: `https://api.example.com`, `bolt://db.example.com:7688`. Equal origins
 * are equal texts. Null if the text is no URL of a supported scheme.
 */
export function originOf(endpoint: string): string | null {
  const url = parse(endpoint);
  const defaultPort = entryOf(DEFAULT_PORTS, url?.protocol ?? '');
  if (url === null || defaultPort === undefined || url.hostname === '') return null;
  const port = url.port === '' || url.port === defaultPort ? '' : `:${url.port}`;
  return `${url.protocol}//${url.hostname.toLowerCase().replace(/\.$/, '')}${port}`;
}

/**
 * The destination of a Tool's credentials: an origin, or a registered stdio server. A change of it
 * requires the Secret again (checkMoved).
 */
export function destinationOf(protocol: Protocol, connectionParams: JsonObject): string | null {
  if (protocol === 'stdio') return `stdio:${String(connectionParams['server'] ?? '')}`;
  const { endpoint } = connectionParams;
  return typeof endpoint === 'string' ? originOf(endpoint) : null;
}

/** Whether a Secret may be sent to a destination. An empty list allows every destination. */
export function allowsDestination(
  allowedOrigins: readonly string[],
  destination: string | null,
): boolean {
  return (
    allowedOrigins.length === 0 || (destination !== null && allowedOrigins.includes(destination))
  );
}

/** A registered stdio server, as `destinationOf` names it. */
const STDIO_SERVER = /^stdio:[^\s/]{1,200}$/;

/** Normalizes `allowedOrigins`, and reports entries that are no origin and no stdio server. */
export function readAllowedOrigins(origins: readonly string[]): {
  origins: string[];
  problems: Problem[];
} {
  const problems: Problem[] = [];
  if (origins.length > 100)
    problems.push(problem('INVALID', ['allowedOrigins'], 'At most 100 origins can be listed.'));
  const read = origins.slice(0, 100).map((text, index) => {
    if (STDIO_SERVER.test(text)) return text;
    const url = parse(text);
    const origin = originOf(text);
    const bare =
      url !== null &&
      ['', '/'].includes(url.pathname) &&
      url.search === '' &&
      url.hash === '' &&
      url.username === '';
    if (origin === null || !bare) {
      const message = 'An origin is a scheme, a host and maybe a port: https://api.example.com.';
      problems.push(problem('INVALID', ['allowedOrigins', index], message));
    }
    return origin ?? text;
  });
  return { origins: [...new Set(read)], problems };
}

/**
 * S4-SVC-03: the endpoint is a plain URL with a host, and its scheme belongs to the Service's
 * protocol.
 */
export function checkEndpoint(
  protocol: Protocol,
  endpoint: unknown,
  path: readonly string[],
): Problem[] {
  if (protocol === 'stdio') return [];
  if (endpoint === undefined || endpoint === null || endpoint === '')
    return [problem('REQUIRED', path, 'The connection needs an endpoint.')];
  const url = typeof endpoint === 'string' ? parse(endpoint) : null;
  if (url === null || url.hostname === '')
    return [problem('INVALID', path, 'The endpoint is no URL with a host.')];
  const problems: Problem[] = [];
  const schemes: readonly string[] = SCHEMES_OF[protocol];
  if (!schemes.includes(url.protocol)) {
    const wanted = schemes.map((scheme) => `${scheme}//`).join(' or ');
    problems.push(
      problem(
        'PROTOCOL_MISMATCH',
        path,
        `A ${protocol} Service needs an endpoint that starts with ${wanted}.`,
      ),
    );
  }
  if (url.username !== '' || url.password !== '')
    problems.push(
      problem('INVALID', path, 'Credentials do not belong into the endpoint; use a Secret.'),
    );
  if (url.search !== '' || url.hash !== '')
    problems.push(problem('INVALID', path, 'The endpoint has no query and no fragment.'));
  return problems;
}
