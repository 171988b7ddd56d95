import type { ModelTool } from '../../common/agent-call.ts';
import { isJsonObject, type JsonObject } from '../../common/json.ts';
import { nameForModel } from '../../processes/definition/agent-tool-name.ts';
import type { AgentTool, ProcessStep } from '../../processes/process.ts';
import type { ProcessSnapshot, ToolSnapshot } from '../run/snapshot.ts';

/** A tool of a step as the run's snapshot has it. */
export interface OfferedTool extends ModelTool {
  readonly target: ProcessStep['calls'];
  readonly targetName: string;
  /** Schema that the arguments have to fit, in full. */
  readonly schema: JsonObject;
  readonly permission: 'allow' | 'ask';
}

/** The part of a snapshot that the tools are read from. */
export interface ToolSource {
  findTool(id: string): ToolSnapshot | null;
  findProcess(id: string): ProcessSnapshot | null;
}

/**
 * The tools that the model of a step sees. Denied ones are left out, and those that the run's owner
 * could not use when the run was requested.
 */
export function offeredTools(
  { tools }: Pick<ProcessStep, 'tools'>,
  source: ToolSource,
): OfferedTool[] {
  return (tools ?? []).flatMap((tool) => {
    if (tool.permission === 'deny') return [];
    const found = 'toolId' in tool ? ofTool(tool, source) : ofProcess(tool, source);
    return found === null ? [] : [found];
  });
}

function ofTool(
  tool: Extract<AgentTool, { toolId: string }>,
  source: ToolSource,
): OfferedTool | null {
  const found = source.findTool(tool.toolId);
  if (found === null) return null;
  const target = { toolId: found.id };
  return offeredAs(tool, { ...found, schema: found.inputSchema, target }, () => found.mutating);
}

function ofProcess(
  tool: Extract<AgentTool, { processId: string }>,
  source: ToolSource,
): OfferedTool | null {
  const found = source.findProcess(tool.processId);
  if (found === null) return null;
  const target = { processId: found.id };
  return offeredAs(tool, { ...found, schema: contextSchemaOf(found), target }, () =>
    mayChange(found.id, source, new Set()),
  );
}

function offeredAs(
  tool: AgentTool,
  called: Pick<OfferedTool, 'schema' | 'target' | 'name'> & {
    readonly description?: string | null | undefined;
  },
  changesData: () => boolean,
): OfferedTool {
  const { name, schema, target } = called;
  const { parameters, dropped } = parametersOf(schema);
  const described = tool.description ?? called.description ?? name;
  return {
    name: nameForModel(tool, name),
    description: dropped === null ? described : `${described}\n${dropped}`,
    parameters,
    schema,
    target,
    targetName: name,
    permission:
      tool.permission === 'allow' || tool.permission === 'ask'
        ? tool.permission
        : changesData()
          ? 'ask'
          : 'allow',
  };
}

/** JSON Schema of the arguments of a Process as a tool. */
export function contextSchemaOf({
  contextSchema,
  initialContext,
}: {
  readonly contextSchema?: JsonObject | null | undefined;
  readonly initialContext: readonly string[];
}): JsonObject {
  return (
    contextSchema ?? {
      type: 'object',
      properties: Object.fromEntries(initialContext.map((name) => [name, {}])),
      required: [...initialContext],
      additionalProperties: false,
    }
  );
}

/**
 * Whether a Process calls a mutating Tool by itself. Tools that it offers ask where they are
 * called.
 */
function mayChange(processId: string, source: ToolSource, seen: Set<string>): boolean {
  if (seen.has(processId)) return false;
  seen.add(processId);
  const steps = source.findProcess(processId)?.steps ?? [];
  return steps.some(({ calls, execution }) => {
    if (execution.interactionMode === 'manual') return false;
    return 'toolId' in calls
      ? source.findTool(calls.toolId)?.mutating === true
      : mayChange(calls.processId, source, seen);
  });
}

// Both dialects refuse these at the top of a function's parameters.
const COMBINATORS = [
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'enum',
  'const',
] as const;

/**
 * A schema as parameters of a function: an object at the top, without combinators. `dropped` states
 * them in words; the arguments are validated by the full schema.
 */
export function parametersOf(schema: JsonObject): {
  readonly parameters: JsonObject;
  readonly dropped: string | null;
} {
  const { $schema: _, $id: __, ...rest } = schema;
  const kept: JsonObject = {};
  const dropped: JsonObject = {};
  for (const [key, value] of Object.entries(rest)) {
    if (COMBINATORS.some((name) => name === key)) dropped[key] = value;
    else kept[key] = value;
  }
  const properties = isJsonObject(kept['properties']) ? kept['properties'] : {};
  return {
    parameters: { ...kept, type: 'object', properties },
    dropped:
      Object.keys(dropped).length === 0
        ? null
        : `The arguments also have to fit ${JSON.stringify(dropped)}.`,
  };
}
