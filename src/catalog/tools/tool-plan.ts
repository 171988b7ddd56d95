import { canonicalJson, type JsonObject } from '../../common/json.ts';
import type { Maybe } from '../../common/maybe.ts';
import { notFound, type Problem, problem } from '../../common/refusal.ts';
import { SYSTEM_USER_ID, type Viewer } from '../../users/user.ts';
import type { Secret } from '../secrets/secret.ts';
import { checkConnection } from '../services/connection.ts';
import type { StoredService } from '../services/service.ts';
import type { ToolTemplate } from '../templates/template.ts';
import { checkUsableTemplate } from '../templates/template.ts';
import { checkDescription, checkName, givenFields } from '../text-checks.ts';
import type { Operation } from './operation.ts';
import { checkMutating, checkOperationFits, mutatingByDefault } from './operation-checks.ts';
import { checkToolStructure, type Tool, type ToolStructure, UNCHECKED } from './tool.ts';
import { checkMoved, checkSecret, destination, nextScope, scopeOf } from './tool-secret.ts';

export interface CreateTool extends ToolStructure {
  readonly name: string;
  readonly description?: Maybe<string>;
  readonly serviceId: string;
  readonly connectionParams: JsonObject;
  readonly toolTemplateId?: Maybe<string>;
  readonly secretId?: Maybe<string>;
  readonly secretScope?: Maybe<string>;
  readonly shared?: Maybe<boolean>;
  readonly enabled?: Maybe<boolean>;
  readonly mutating?: Maybe<boolean>;
}

export interface UpdateTool extends ToolStructure {
  readonly id: string;
  readonly name?: Maybe<string>;
  readonly description?: Maybe<string>;
  readonly connectionParams?: Maybe<JsonObject>;
  /** null unbinds. */
  readonly secretId?: Maybe<string>;
  readonly secretScope?: Maybe<string>;
  readonly shared?: Maybe<boolean>;
  readonly enabled?: Maybe<boolean>;
  readonly mutating?: Maybe<boolean>;
}

/** What a Tool stands on, as the viewer sees it: null is absent or not visible. */
export interface ToolGround {
  readonly service: StoredService | null;
  readonly secret: Secret | null;
  readonly template: ToolTemplate | null;
  readonly mcpServerNames: readonly string[];
}

interface Plan {
  readonly problems: Problem[];
  readonly tool: Tool;
}

/** All problems of a new Tool, and the Tool as it will be once there are none (S4-TOOL-03 to 06, S4-SVC-12 to 14). */
export function planTool(
  viewer: Viewer,
  input: CreateTool,
  ground: ToolGround,
  { id, now }: { readonly id: string; readonly now: string },
): Plan {
  const { service, template } = ground;
  const fromTemplate = input.toolTemplateId != null;
  const structure: ToolStructure = fromTemplate ? (template ?? {}) : input;
  const { operation, inputSchema, outputSchema } = structure;
  const system = viewer.userId === SYSTEM_USER_ID;
  const mutating = input.mutating ?? (operation == null ? true : mutatingByDefault(operation));
  const scope =
    input.secretId == null
      ? null
      : scopeOf(service, input.connectionParams, input.secretScope ?? null);
  const problems = [
    ...checkName(input.name),
    ...checkDescription(input.description),
    ...(fromTemplate
      ? checkCopied(input, template)
      : checkToolStructure(input, system ? 'supplied' : 'none')),
    ...(service === null ? [notFound('Service', ['serviceId'])] : []),
    ...(service === null
      ? []
      : checkConnection(service, input.connectionParams, ground.mcpServerNames)),
    ...(service === null || operation == null
      ? []
      : checkOperationFits(operation, service.type, [
          fromTemplate ? 'toolTemplateId' : 'operation',
        ])),
    ...checkSecret({
      service,
      secret: ground.secret,
      secretId: input.secretId ?? null,
      ownerId: viewer.userId,
      scope,
      givenScope: input.secretScope ?? null,
    }),
    ...(operation == null ? [] : checkMutating(operation, mutating)),
  ];
  const tool: Tool = {
    ...UNCHECKED,
    id,
    ownerId: viewer.userId,
    name: input.name,
    description: input.description ?? null,
    serviceId: input.serviceId,
    connectionParams: input.connectionParams,
    // Missing ones are among the problems, and a plan with problems is never written.
    operation: operation as Operation,
    inputSchema: inputSchema ?? {},
    outputSchema: outputSchema ?? {},
    enabled: input.enabled ?? true,
    shared: input.shared ?? false,
    mutating,
    secretId: input.secretId ?? null,
    secretScope: scope,
    toolTemplateId: input.toolTemplateId ?? null,
    createdAt: now,
    updatedAt: now,
  };
  return { problems, tool };
}

function checkCopied(input: CreateTool, template: ToolTemplate | null): Problem[] {
  const given = (['operation', 'inputSchema', 'outputSchema'] as const)
    .filter((name) => input[name] != null)
    .map((name) =>
      problem('INVALID', [name], `${name} is copied from the template and can't be given as well.`),
    );
  return [...given, ...checkUsableTemplate('ToolTemplate', 'toolTemplateId', template)];
}

/** All problems of a change, and the Tool as it will be. Only what the change touches is judged again. */
export function planToolUpdate(
  viewer: Viewer,
  current: Tool,
  input: UpdateTool,
  ground: ToolGround & { readonly service: StoredService },
  now: string,
): Plan {
  const { service } = ground;
  const connectionParams = input.connectionParams ?? current.connectionParams;
  const operation = input.operation ?? current.operation;
  const inputSchema = input.inputSchema ?? current.inputSchema;
  const outputSchema = input.outputSchema ?? current.outputSchema;
  const secretId = input.secretId === undefined ? current.secretId : input.secretId;
  const moved =
    destination(service, connectionParams) !== destination(service, current.connectionParams);
  const rebound = secretId !== current.secretId;
  const scope = nextScope(service, current, {
    secretId,
    connectionParams,
    given: input.secretScope,
  });
  // Whoever said nothing gets what the operation suggests, so a new operation brings a new suggestion.
  const suggested =
    current.mutating === mutatingByDefault(current.operation)
      ? mutatingByDefault(operation)
      : current.mutating;
  const mutating = input.mutating ?? suggested;
  const system = current.ownerId === SYSTEM_USER_ID;
  const structureChanges =
    input.operation != null || input.inputSchema != null || input.outputSchema != null;
  const problems = [
    ...(input.name != null ? checkName(input.name) : []),
    ...checkDescription(input.description),
    ...checkImmutable(viewer, current, input),
    ...(structureChanges
      ? checkToolStructure({ operation, inputSchema, outputSchema }, system ? 'supplied' : 'none')
      : []),
    ...(input.operation != null ? checkOperationFits(operation, service.type) : []),
    ...(input.connectionParams != null
      ? checkConnection(service, connectionParams, ground.mcpServerNames)
      : []),
    ...checkMoved(current, input, moved),
    ...(rebound || input.secretScope !== undefined
      ? checkSecret({
          service,
          secret: ground.secret,
          secretId,
          ownerId: current.ownerId,
          scope,
          givenScope: input.secretScope ?? null,
        })
      : []),
    ...checkMutating(operation, mutating),
  ];
  const reconnects =
    moved || rebound || canonicalJson(connectionParams) !== canonicalJson(current.connectionParams);
  const tool: Tool = {
    ...current,
    ...(reconnects ? UNCHECKED : {}),
    name: input.name ?? current.name,
    description: input.description === undefined ? current.description : input.description,
    connectionParams,
    operation,
    inputSchema,
    outputSchema,
    enabled: input.enabled ?? current.enabled,
    shared: input.shared ?? current.shared,
    mutating,
    secretId,
    secretScope: scope,
    updatedAt: now,
  };
  return { problems, tool };
}

/** An admin may edit what the system owns, but not make its graph Tools run other Cypher over everybody's data. */
function checkImmutable(viewer: Viewer, current: Tool, input: UpdateTool): Problem[] {
  if (current.ownerId !== SYSTEM_USER_ID || viewer.userId === SYSTEM_USER_ID) return [];
  if (current.operation.type !== 'graph_query') return [];
  const fixed = givenFields(input).filter((name) =>
    ['operation', 'connectionParams', 'secretId', 'secretScope'].includes(name),
  );
  return fixed
    .filter(
      (name) =>
        canonicalJson(input[name as keyof UpdateTool]) !==
        canonicalJson(current[name as keyof Tool]),
    )
    .map((name) =>
      problem('IMMUTABLE', [name], `${name} of a graph Tool of the system ships with the product.`),
    );
}
