import type { JsonObject } from '../../common/json.ts';
import { notFound, type Problem, problem } from '../../common/refusal.ts';
import type { Viewer } from '../../users/user.ts';
import type { CatalogDeps } from '../deps.ts';
import { findSealedSecret, findSecrets } from '../secrets/secret.cypher.ts';
import { checkConnection } from '../services/connection.ts';
import { findStoredServices } from '../services/service.cypher.ts';
import type { StoredService } from '../services/service.ts';

/** Maximum Tools of one import. A larger source needs several imports. */
export const IMPORTED_TOOLS_MAX = 200;

/** The Service that Tools are imported for, and the connection of those Tools. */
export interface ImportInput {
  readonly serviceId: string;
  readonly connectionParams: JsonObject;
  readonly secretId?: string | null | undefined;
}

export function sharedFields({ serviceId, connectionParams, secretId }: ImportInput) {
  return { serviceId, connectionParams, secretId };
}

/** The items with the wanted names; without wanted names, all. */
export function choose<T>(
  all: readonly T[],
  wanted: readonly string[] | null,
  field: string,
  nameOf: (item: T) => string,
): { chosen: readonly T[]; problems: Problem[] } {
  const problems = (wanted ?? []).flatMap((name, index) =>
    all.some((item) => nameOf(item) === name)
      ? []
      : [
          problem(
            'NOT_FOUND',
            [field, index],
            `There is no ${name}. There are: ${all.map(nameOf).slice(0, 50).join(', ')}.`,
          ),
        ],
  );
  const chosen = wanted === null ? all : all.filter((item) => wanted.includes(nameOf(item)));
  if (chosen.length === 0 && problems.length === 0)
    problems.push(problem('INVALID', [field], 'There is nothing to import.'));
  if (chosen.length > IMPORTED_TOOLS_MAX)
    problems.push(
      problem(
        'INVALID',
        [field],
        `At most ${IMPORTED_TOOLS_MAX} Tools are made at once; name those you want.`,
      ),
    );
  return { chosen, problems };
}

/** The Service and the sealed Secret; null for each that the viewer may not use. */
export function readSource(
  deps: CatalogDeps,
  viewer: Viewer,
  { serviceId, secretId }: ImportInput,
) {
  return deps.graph.read(async (tx) => {
    const [found] = await findStoredServices(tx, viewer, [serviceId]);
    const [foundSecret] = secretId == null ? [] : await findSecrets(tx, viewer, [secretId]);
    return {
      service: found ?? null,
      secret: foundSecret === undefined ? null : await findSealedSecret(tx, foundSecret.id),
    };
  });
}

/** Checks before the call to the server. createTool repeats them in the transaction. */
export function checkSource(
  deps: CatalogDeps,
  input: ImportInput,
  type: 'mcp_server' | 'rest_api',
  service: StoredService | null,
  hasSecret: boolean,
): Problem[] {
  const secretProblems =
    input.secretId != null && !hasSecret ? [notFound('Secret', ['secretId'])] : [];
  if (service === null) return [notFound('Service', ['serviceId']), ...secretProblems];
  const problems = [
    ...secretProblems,
    ...checkConnection(service, input.connectionParams, deps.mcpServers),
  ];
  if (service.type !== type)
    problems.push(
      problem(
        'TYPE_MISMATCH',
        ['serviceId'],
        (type === 'mcp_server'
          ? 'MCP tools come from an mcp_server'
          : 'The operations of an OpenAPI document belong to a rest_api') +
          ` Service, and this one is ${service.type}.`,
      ),
    );
  if (!service.enabled)
    problems.push(problem('DISABLED', ['serviceId'], 'This Service is disabled.'));
  if (service.requiresSecret && input.secretId == null)
    problems.push(problem('SECRET_REQUIRED', ['secretId'], 'This Service requires a Secret.'));
  return problems;
}
