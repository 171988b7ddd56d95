import type { JsonObject } from '../../common/json.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { isForbiddenHeader, isHeaderName } from '../../operations/header.ts';
import type { ServiceType } from '../../operations/operation.ts';
import type { Protocol } from '../../operations/operation-type.ts';

export interface ScopePlace {
  readonly type: ServiceType;
  readonly protocol: Protocol;
}

/** The operator's file says which variables may carry a Secret (`checkServerVariable`). */
export const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;
const HTTP_FORMS = ['bearer', 'header', 'query', 'basic'];

function formsOf({ type, protocol }: ScopePlace): readonly string[] {
  if (type === 'neo4j_graph') return ['password'];
  return protocol === 'stdio' ? ['env'] : HTTP_FORMS;
}

/**
 * Where a bound Secret's value goes if the Tool names no scope. Null for stdio: there the Tool must
 * name one.
 */
export function defaultSecretScope(place: ScopePlace, connectionParams: JsonObject): string | null {
  if (place.type === 'neo4j_graph') return 'password';
  if (place.protocol === 'stdio') return null;
  if (place.type === 'llm_provider' && isAnthropic(connectionParams)) return 'header:x-api-key';
  return 'bearer';
}

/** `connectionParams.api` decides; if it is absent, the host (docs/decisions/0018). */
export function isAnthropic({ api, endpoint }: JsonObject): boolean {
  if (typeof api === 'string') return api === 'anthropic';
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return false;
  return /(^|\.)anthropic\.com$/i.test(new URL(endpoint).hostname);
}

/**
 * Valid scopes: `bearer`, `basic`, `header:<name>`, `query:<name>` over HTTP; `env:<NAME>` for
 * stdio; `password` for Neo4j.
 */
export function checkSecretScope(
  scope: string,
  place: ScopePlace,
  path: readonly string[] = ['secretScope'],
): Problem[] {
  const at = scope.indexOf(':');
  const form = at < 0 ? scope : scope.slice(0, at);
  const name = at < 0 ? null : scope.slice(at + 1);
  const forms = formsOf(place);
  if (!forms.includes(form))
    return [
      problem(
        'INVALID',
        path,
        `A Secret of this Service goes to one of: ${forms.map(formSyntax).join(', ')}.`,
      ),
    ];
  const fault = nameFault(form, name);
  return fault === null ? [] : [problem('INVALID', path, fault)];
}

const formSyntax = (form: string): string =>
  ['header', 'query', 'env'].includes(form) ? `${form}:<name>` : form;

function nameFault(form: string, name: string | null): string | null {
  if (form === 'header') {
    if (name === null || !isHeaderName(name)) return 'header: is followed by the name of a header.';
    return isForbiddenHeader(name) ? `The header ${name} belongs to the connection.` : null;
  }
  if (form === 'query')
    return name !== null && /^[A-Za-z0-9_.~-]{1,100}$/.test(name)
      ? null
      : 'query: is followed by a plain name.';
  if (form === 'env')
    return name !== null && ENV_NAME.test(name)
      ? null
      : 'env: is followed by the name of a variable.';
  return name === null ? null : `${form} takes no name.`;
}
