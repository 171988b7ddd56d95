import { ToolFault } from '../../common/tool-fault.ts';
import type { DriverTarget } from './driver.ts';

/** The parts of an HTTP request that carry a Secret. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** All texts that must be redacted. */
  readonly secrets: readonly string[];
}

const NONE: Credentials = { headers: {}, query: {}, secrets: [] };

/**
 * Places the Secret by its scope: `bearer`, `header:<name>`, `query:<name>` or `basic` (the value
 * is `user:password`, or the password of connectionParams.username).
 * @throws ToolFault SECRET_UNAVAILABLE for a scope that HTTP does not support
 */
export function httpCredentials(
  { secret, connectionParams }: DriverTarget,
  usual = 'bearer',
): Credentials {
  if (secret === null) return NONE;
  const { value } = secret;
  const scope = secret.scope ?? usual;
  const [kind = '', name = ''] = scope.split(/:(.*)/s);
  const secrets = [value];
  if (scope === 'bearer')
    return { headers: { authorization: `Bearer ${value}` }, query: {}, secrets };
  if (kind === 'header' && name !== '')
    return { headers: { [name.toLowerCase()]: value }, query: {}, secrets };
  if (kind === 'query' && name !== '') return { headers: {}, query: { [name]: value }, secrets };
  if (scope === 'basic') {
    const username = connectionParams['username'];
    const pair = typeof username === 'string' ? `${username}:${value}` : value;
    const headers = { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
    return { headers, query: {}, secrets: [value, pair] };
  }
  throw new ToolFault(
    'SECRET_UNAVAILABLE',
    `A Secret with the scope ${scope} can not be sent over HTTP.`,
  );
}

type Params = Pick<DriverTarget, 'connectionParams'>;

/**
 * Returns connectionParams.endpoint.
 * @throws ToolFault TOOL_FAILED when it is missing
 */
export function endpointOf({ connectionParams }: Params): string {
  const endpoint = connectionParams['endpoint'];
  if (typeof endpoint === 'string' && endpoint !== '') return endpoint;
  throw new ToolFault('TOOL_FAILED', 'The Tool has no connectionParams.endpoint to call.');
}

export function textParam({ connectionParams }: Params, name: string): string | null {
  const value = connectionParams[name];
  return typeof value === 'string' ? value : null;
}

export function numberParam({ connectionParams }: DriverTarget, name: string): number | null {
  const value = connectionParams[name];
  return typeof value === 'number' ? value : null;
}
