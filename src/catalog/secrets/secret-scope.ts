import type { JsonObject } from '../../common/json.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { isForbiddenHeader, isHeaderName } from '../services/header.ts';
import type { Protocol, ServiceType } from '../tools/operation.ts';

export interface ScopePlace {
  readonly type: ServiceType;
  readonly protocol: Protocol;
}

const HTTP_FORMS = ['bearer', 'header', 'query', 'basic'];

function formsOf({ type, protocol }: ScopePlace): readonly string[] {
  if (type === 'neo4j_graph') return ['password'];
  return protocol === 'stdio' ? ['env'] : HTTP_FORMS;
}

// Variables that make a program load code, choose other programs or trust other hosts. The MCP
// server belongs to the operator; a user must not control it through its environment.
const LOADER_VARIABLE =
  /^(NODE|NPM|BUN|DENO|LD|DYLD|PYTHON|PERL|RUBY|GEM|JAVA|_JAVA|JDK|BASH|GIT|SSL|OPENSSL|GLIBC|GCONV|MALLOC|DOTNET|COR|CORECLR|PHP|LUA|XDG|SSH|CURL|REQUESTS|UV|PIP)(_|[A-Z]*$)|^(PATH|ENV|IFS|SHELL|HOME|TMPDIR|TMP|TEMP|EDITOR|PAGER|BROWSER|USER|PWD|LANG|TZ|LOCPATH|.*_PROXY)$/i;

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
  if (!forms.includes(form)) {
    return [
      problem(
        'INVALID',
        path,
        `A Secret of this Service goes to one of: ${forms.map(formSyntax).join(', ')}.`,
      ),
    ];
  }
  const fault = nameFault(form, name);
  return fault === null ? [] : [problem('INVALID', path, fault)];
}

function formSyntax(form: string): string {
  return ['header', 'query', 'env'].includes(form) ? `${form}:<name>` : form;
}

function nameFault(form: string, name: string | null): string | null {
  if (form === 'header') {
    if (name === null || !isHeaderName(name)) return 'header: is followed by the name of a header.';
    return isForbiddenHeader(name) ? `The header ${name} belongs to the connection.` : null;
  }
  if (form === 'query')
    return name !== null && /^[A-Za-z0-9_.~-]{1,100}$/.test(name)
      ? null
      : 'query: is followed by a plain name.';
  if (form === 'env') {
    if (name === null || !/^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(name))
      return 'env: is followed by the name of a variable.';
    return LOADER_VARIABLE.test(name)
      ? `${name} changes how programs run and can't carry a Secret.`
      : null;
  }
  return name === null ? null : `${form} takes no name.`;
}
