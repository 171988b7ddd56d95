import { canonicalJson, type JsonObject } from '../../common/json.ts';
import type { Maybe } from '../../common/maybe.ts';
import type { McpServerVariables } from '../../common/mcp-server.ts';
import { notFound, type Problem, problem } from '../../common/refusal.ts';
import {
  checkMutating,
  checkOperationFits,
  mutatingByDefault,
  type Operation,
} from '../../operations/operation.ts';
import { SYSTEM_USER_ID, type Viewer } from '../../users/user.ts';
import { checkUnchanged, type Expected } from '../access.ts';
import type { Secret } from '../secrets/secret.ts';
import { checkConnection, checkServerVariable } from '../services/connection.ts';
import type { StoredService } from '../services/service.ts';
import { checkToolStructure, type ToolStructure } from '../templates/structure.ts';
import { checkUsableTemplate, type ToolTemplate } from '../templates/template.ts';
import { checkDescription, checkName, givenFields } from '../text-checks.ts';
import { type Tool, UNCHECKED } from './tool.ts';
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

export interface UpdateTool extends ToolStructure, Expected {
  readonly id: string;
  readonly name?: Maybe<string>;
  readonly description?: Maybe<string>;
  readonly connectionParams?: Maybe<JsonObject>;
  /** Absent: the Secret stays bound. Null unbinds it. */
  readonly secretId?: Maybe<string>;
  readonly secretScope?: Maybe<string>;
  readonly shared?: Maybe<boolean>;
  readonly enabled?: Maybe<boolean>;
  readonly mutating?: Maybe<boolean>;
}

/** The nodes that a Tool refers to, as the viewer sees them. Null: absent or not visible. */
export interface ToolReferences {
  readonly service: StoredService | null;
  readonly secret: Secret | null;
  readonly template: ToolTemplate | null;
  readonly mcpServers: McpServerVariables;
}

interface Plan {
  readonly problems: Problem[];
  readonly tool: Tool;
}

/**
 * Checks a new Tool and builds it (S4-TOOL-03 to 06, S4-SVC-12 to 14). The Tool is valid only if
 * there are no problems.
 */
export function planTool(
  viewer: Viewer,
  input: CreateTool,
  references: ToolReferences,
  { id, now }: { readonly id: string; readonly now: string },
): Plan {
  const { service, template } = references;
  const fromTemplate = input.toolTemplateId != null;
  const structure: ToolStructure = fromTemplate ? (template ?? {}) : input;
  const { operation, inputSchema, outputSchema } = structure;
  const isSystem = viewer.userId === SYSTEM_USER_ID;
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
      : checkToolStructure(input, isSystem ? 'supplied' : 'none')),
    ...(service === null ? [notFound('Service', ['serviceId'])] : []),
    ...(service === null
      ? []
      : checkConnection(service, input.connectionParams, references.mcpServers)),
    ...(service === null || operation == null
      ? []
      : checkOperationFits(operation, service.type, [
          fromTemplate ? 'toolTemplateId' : 'operation',
        ])),
    ...checkSecret({
      service,
      secret: references.secret,
      secretId: input.secretId ?? null,
      ownerId: viewer.userId,
      scope,
      givenScope: input.secretScope ?? null,
    }),
    ...(service === null
      ? []
      : checkServerVariable(service, input.connectionParams, scope, references.mcpServers)),
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
    // A missing operation is among the problems, and a plan with problems is never written.
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

/** Checks a change and builds the changed Tool. Checks only the fields that the change touches. */
export function planToolUpdate(
  viewer: Pick<Viewer, 'userId'>,
  current: Tool,
  input: UpdateTool,
  references: ToolReferences & {
    readonly service: StoredService;
    /** The connectionSchema that completes the current connectionParams. */
    readonly connectedBy: JsonObject;
  },
  now: string,
): Plan {
  const { service } = references;
  const connectionParams = input.connectionParams ?? current.connectionParams;
  const operation = input.operation ?? current.operation;
  const inputSchema = input.inputSchema ?? current.inputSchema;
  const outputSchema = input.outputSchema ?? current.outputSchema;
  const secretId = input.secretId === undefined ? current.secretId : input.secretId;
  // Later changes of the Service's defaults do not move the Tool; naming connectionParams again
  // does.
  const before = { ...service, connectionSchema: references.connectedBy };
  const after = input.connectionParams == null ? before : service;
  const moved =
    destination(after, connectionParams) !== destination(before, current.connectionParams);
  const secretChanges = secretId !== current.secretId;
  const scope = nextScope({ before, after }, current, {
    secretId,
    connectionParams,
    given: input.secretScope,
  });
  // A `mutating` equal to the old operation's default counts as not set: derive it again.
  const derived =
    current.mutating === mutatingByDefault(current.operation)
      ? mutatingByDefault(operation)
      : current.mutating;
  const mutating = input.mutating ?? derived;
  const isSystem = current.ownerId === SYSTEM_USER_ID;
  const structureChanges =
    input.operation != null || input.inputSchema != null || input.outputSchema != null;
  const problems = [
    ...checkUnchanged('Tool', current, input),
    ...(input.name != null ? checkName(input.name) : []),
    ...checkDescription(input.description),
    ...checkImmutable(viewer, current, input),
    ...(structureChanges
      ? checkToolStructure({ operation, inputSchema, outputSchema }, isSystem ? 'supplied' : 'none')
      : []),
    ...(input.operation != null ? checkOperationFits(operation, service.type) : []),
    ...(input.connectionParams != null
      ? checkConnection(service, connectionParams, references.mcpServers)
      : []),
    ...checkMoved(current, input, moved),
    ...(secretChanges || input.secretScope !== undefined
      ? checkSecret({
          service,
          secret: references.secret,
          secretId,
          ownerId: current.ownerId,
          scope,
          givenScope: input.secretScope ?? null,
        })
      : []),
    ...(secretChanges || input.secretScope !== undefined || input.connectionParams != null
      ? checkServerVariable(service, connectionParams, scope, references.mcpServers)
      : []),
    ...checkMutating(operation, mutating),
  ];
  const reconnects =
    moved ||
    secretChanges ||
    mcpToolOf(operation) !== mcpToolOf(current.operation) ||
    canonicalJson(connectionParams) !== canonicalJson(current.connectionParams);
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

/**
 * Checks a stored Tool by the rules of this version. What its Service and its Secret became since
 * it was written is no problem of the Tool.
 */
export function checkStoredTool(
  tool: Tool,
  {
    service,
    connectedBy,
    mcpServers,
  }: Pick<ToolReferences, 'mcpServers'> & {
    readonly service: StoredService;
    /** The connectionSchema that completes the connectionParams. */
    readonly connectedBy: JsonObject;
  },
): Problem[] {
  const { problems } = planToolUpdate(
    { userId: tool.ownerId },
    tool,
    { ...tool, secretId: undefined, secretScope: undefined },
    {
      // Naming connectionParams again would take the schema of today.
      service: { ...service, connectionSchema: connectedBy },
      ...{ connectedBy, secret: null, template: null, mcpServers },
    },
    tool.updatedAt,
  );
  return problems;
}

/**
 * An admin may edit the system's Tools. Other Cypher in a graph Tool of the system would run over
 * all users' data, so these fields are fixed.
 */
function checkImmutable(
  viewer: Pick<Viewer, 'userId'>,
  current: Tool,
  input: UpdateTool,
): Problem[] {
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

/** Its health is that of its name in the server's list. */
const mcpToolOf = (operation: Operation) => (operation.type === 'mcp_call' ? operation.tool : null);
