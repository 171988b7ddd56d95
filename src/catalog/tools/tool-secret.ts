import type { JsonObject } from '../../common/json.ts';
import type { Maybe } from '../../common/maybe.ts';
import { notFound, type Problem, problem } from '../../common/refusal.ts';
import type { Secret } from '../secrets/secret.ts';
import { checkSecretScope, defaultSecretScope } from '../secrets/secret-scope.ts';
import { completeConnection } from '../services/connection.ts';
import { destinationOf } from '../services/endpoint.ts';
import type { StoredService } from '../services/service.ts';
import type { Tool } from './tool.ts';

/** Destination of the Secret of a Tool with these connectionParams. */
export function destination(service: StoredService, connectionParams: JsonObject): string | null {
  return destinationOf(
    service.protocol,
    completeConnection(service.connectionSchema, connectionParams),
  );
}

/**
 * A Tool that moves to another destination needs `secretId` again: the caller must be allowed to
 * send the Secret there.
 */
export function checkMoved(
  current: Tool,
  input: { readonly secretId?: Maybe<string> },
  moved: boolean,
): Problem[] {
  if (!moved || current.secretId === null || input.secretId !== undefined) return [];
  return [
    problem(
      'SECRET_REQUIRED',
      ['secretId'],
      'This moves the Tool to another place. Name secretId again if its Secret may go there, ' +
        'or null to go without.',
    ),
  ];
}

/** The given scope, or the default scope of the Service. */
export function scopeOf(
  service: StoredService | null,
  connectionParams: JsonObject,
  given: string | null,
): string | null {
  if (given !== null || service === null) return given;
  return defaultSecretScope(
    service,
    completeConnection(service.connectionSchema, connectionParams),
  );
}

/** The scope after a change. A default scope follows the connection; a chosen scope stays. */
export function nextScope(
  { before, after }: { readonly before: StoredService; readonly after: StoredService },
  current: Tool,
  next: { secretId: string | null; connectionParams: JsonObject; given: Maybe<string> },
): string | null {
  if (next.secretId === null) return null;
  if (next.given != null) return next.given;
  const wasDefault = current.secretScope === scopeOf(before, current.connectionParams, null);
  const keeps = current.secretId !== null && !wasDefault && next.given === undefined;
  return keeps ? current.secretScope : scopeOf(after, next.connectionParams, null);
}

/**
 * Checks the binding of a Secret (S4-SVC-12, S4-SVC-14, S4-TOOL-10): given if required, of the
 * Tool's owner, with a valid scope.
 */
export function checkSecret(given: {
  readonly service: StoredService | null;
  readonly secret: Secret | null;
  readonly secretId: string | null;
  readonly ownerId: string;
  readonly scope: string | null;
  readonly givenScope: string | null;
}): Problem[] {
  const { service, secret, secretId, ownerId, scope, givenScope } = given;
  if (secretId === null)
    return [
      ...(service?.requiresSecret === true
        ? [problem('SECRET_REQUIRED', ['secretId'], 'This Service requires a Secret.')]
        : []),
      ...(givenScope !== null
        ? [problem('INVALID', ['secretScope'], 'secretScope goes with a secretId.')]
        : []),
    ];
  if (secret === null) return [notFound('Secret', ['secretId'])];
  const problems: Problem[] = [];
  if (secret.ownerId !== ownerId)
    problems.push(
      problem('SECRET_OWNER', ['secretId'], 'A Tool uses a Secret of its own owner only.'),
    );
  if (service !== null && scope === null)
    problems.push(
      problem('REQUIRED', ['secretScope'], 'Say which variable gets the Secret: env:<NAME>.'),
    );
  return service === null || scope === null
    ? problems
    : [...problems, ...checkSecretScope(scope, service)];
}
