import { instant } from '../../common/clock.ts';
import { type Problem, problem, Refusal, refuse } from '../../common/refusal.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import type { Viewer } from '../../users/user.ts';
import { foundToWrite } from '../access.ts';
import { type CatalogDeps, catalogEntry } from '../deps.ts';
import { findSecrets } from '../secrets/secret.cypher.ts';
import { findServicesOfTools, findStoredServices } from '../services/service.cypher.ts';
import { findToolTemplates } from '../templates/template.cypher.ts';
import { counted, givenFields } from '../text-checks.ts';
import { settleMayChangeOfTool } from './may-change.cypher.ts';
import { mayChange } from './may-change.ts';
import {
  countRunningCalls,
  countToolUses,
  deleteToolNode,
  findConnectedBy,
  findTools,
  insertTools,
  updateToolNode,
} from './tool.cypher.ts';
import type { Tool } from './tool.ts';
import { probeSoon } from './tool-health.service.ts';
import {
  type CreateTool,
  planTool,
  planToolUpdate,
  type ToolReferences,
  type UpdateTool,
} from './tool-plan.ts';

/**
 * Creates a Tool and probes it in the background (S4-TOOL-03).
 * @throws Refusal NOT_FOUND, REQUIRED, INVALID, STATE, TYPE_MISMATCH, PROTOCOL_MISMATCH,
 * SCHEMA_INVALID, SCHEMA_VIOLATION, UNKNOWN_VARIABLE, TEMPLATE_INVALID, SECRET_REQUIRED,
 * SECRET_OWNER
 */
export async function createTool(
  deps: CatalogDeps,
  viewer: Viewer,
  input: CreateTool,
): Promise<Tool> {
  const tool = await writeAndWake(deps, (tx) => createToolIn(tx, deps, viewer, input));
  probeSoon(deps, [tool.id]);
  return tool;
}

/**
 * createTool inside the caller's transaction (bundles). The caller wakes the relay and probes the
 * Tool after the commit.
 */
export async function createToolIn(
  tx: WriteTx,
  deps: CatalogDeps,
  viewer: Viewer,
  input: CreateTool,
): Promise<Tool> {
  const [tool] = await createToolsIn(tx, deps, viewer, [input]);
  if (tool === undefined) throw new Error('One input makes one Tool.');
  return tool;
}

/** Creates several Tools of one Service and Secret; all or none. */
export async function createToolsIn(
  tx: WriteTx,
  deps: CatalogDeps,
  viewer: Viewer,
  inputs: readonly CreateTool[],
): Promise<Tool[]> {
  const [first] = inputs;
  if (first === undefined) return [];
  const references = await lockReferences(tx, deps, viewer, first);
  const now = instant(deps.clock);
  const plans = inputs.map((input) =>
    planTool(viewer, input, references, { id: deps.newId(), now }),
  );
  refuse(inputs.length === 1 ? (plans[0]?.problems ?? []) : mergeProblems(plans));
  const tools = plans.map(({ tool }) => tool);
  await insertTools(
    tx,
    tools,
    tools.map((tool) =>
      catalogEntry(deps, viewer, 'tool.created', tool, {
        name: tool.name,
        serviceId: tool.serviceId,
      }),
    ),
  );
  return tools;
}

const SHARED_FIELDS = ['serviceId', 'connectionParams', 'secretId', 'secretScope'];

/**
 * Reports a problem of the shared fields once. A problem of one Tool starts with the Tool's name.
 */
function mergeProblems(
  plans: readonly { readonly problems: Problem[]; readonly tool: Tool }[],
): Problem[] {
  const all = plans.flatMap(({ problems, tool }) =>
    problems.flatMap((found) =>
      SHARED_FIELDS.includes(found.path[0] ?? '') ? [found] : named(tool.name, [found]),
    ),
  );
  return [...new Map(all.map((found) => [JSON.stringify(found), found])).values()];
}

/** Problems of one Tool among others, with its name. */
export function named(name: string, problems: readonly Problem[]): Problem[] {
  return problems.map((found) => ({ ...found, message: `${name}: ${found.message}` }));
}

/**
 * Locks and reads the nodes that the Tool will refer to. Until the commit, no other transaction can
 * delete, un-share or change them.
 */
async function lockReferences(
  tx: WriteTx,
  deps: CatalogDeps,
  viewer: Viewer,
  input: Pick<CreateTool, 'serviceId' | 'secretId' | 'toolTemplateId'>,
): Promise<ToolReferences> {
  const { serviceId, secretId, toolTemplateId } = input;
  await lockResources(tx, [serviceId, secretId, toolTemplateId]);
  const [service] = await findStoredServices(tx, viewer, [serviceId]);
  const [secret] = secretId == null ? [] : await findSecrets(tx, viewer, [secretId]);
  const [template] =
    toolTemplateId == null ? [] : await findToolTemplates(tx, viewer, [toolTemplateId]);
  return {
    service: service ?? null,
    secret: secret ?? null,
    template: template ?? null,
    mcpServers: deps.mcpServers,
  };
}

/** A Tool as it is stored, and as it would be stored. */
export interface ToolChange {
  readonly current: Tool;
  readonly next: Tool;
}

/**
 * Checks the steps that call a Tool against its change. Steps are of a room that imports this one.
 */
export type CheckCallers = (tx: ReadTx, viewer: Viewer, change: ToolChange) => Promise<Problem[]>;

/**
 * Changes a Tool (S4-TOOL-07, S4-TOOL-09, S4-TOOL-10). Probes it in the background if its
 * connection changed.
 * @throws Refusal as createTool, and FORBIDDEN, IMMUTABLE, IN_USE
 */
export async function updateTool(
  deps: CatalogDeps,
  viewer: Viewer,
  input: UpdateTool,
  checkCallers?: CheckCallers,
): Promise<Tool> {
  const tool = await writeAndWake(deps, (tx) =>
    updateToolIn(tx, deps, viewer, input, checkCallers),
  );
  if (tool.lastHealthCheck === null) probeSoon(deps, [tool.id]);
  return tool;
}

export async function updateToolIn(
  tx: WriteTx,
  deps: CatalogDeps,
  viewer: Viewer,
  input: UpdateTool,
  checkCallers: CheckCallers = async () => [],
): Promise<Tool> {
  const known = foundToWrite(await findTools(tx, viewer, [input.id]), viewer, 'Tool');
  await lockResources(tx, [input.id, known.serviceId, known.secretId, input.secretId]);
  const { problems, current, next: tool } = await planToolChange(tx, deps, viewer, input);
  refuse([...problems, ...(await checkCallers(tx, viewer, { current, next: tool }))]);
  const facts = { changed: givenFields(input), enabled: tool.enabled, shared: tool.shared };
  const reconnects = input.connectionParams != null;
  const entry = catalogEntry(deps, viewer, 'tool.updated', tool, facts);
  await updateToolNode(tx, tool, reconnects, entry);
  if (mayChange(tool) !== mayChange(current)) await settleMayChangeOfTool(tx, tool.id);
  return tool;
}

/**
 * Reads a Tool and plans its change, with all problems but those of the steps that call it.
 * @throws Refusal NOT_FOUND, FORBIDDEN
 */
export async function planToolChange(
  tx: ReadTx,
  deps: Pick<CatalogDeps, 'clock' | 'mcpServers'>,
  viewer: Viewer,
  input: UpdateTool,
): Promise<ToolChange & { readonly problems: Problem[] }> {
  const current = foundToWrite(await findTools(tx, viewer, [input.id]), viewer, 'Tool');
  const [service] = await findServicesOfTools(tx, viewer, [current.serviceId]);
  if (service === undefined) throw new Error(`The Service of Tool ${current.id} is not there.`);
  const secretId = input.secretId === undefined ? current.secretId : input.secretId;
  const [secret] = secretId === null ? [] : await findSecrets(tx, viewer, [secretId]);
  const references = {
    service,
    connectedBy: await findConnectedBy(tx, current.id),
    secret: secret ?? null,
    template: null,
    mcpServers: deps.mcpServers,
  };
  const { problems, tool } = planToolUpdate(
    viewer,
    current,
    input,
    references,
    instant(deps.clock),
  );
  const uses =
    current.shared && input.shared === false ? await countToolUses(tx, current.id) : null;
  if (uses !== null && uses.needShared > 0)
    problems.push(
      problem(
        'IN_USE',
        ['shared'],
        `This Tool is called by ${counted(uses.needShared, 'Process')} that need it shared. ` +
          'Disable it to stop them.',
      ),
    );
  return { current, next: tool, problems };
}

/**
 * Deletes a Tool that no step uses (S4-TOOL-08). Returns the id. @throws Refusal NOT_FOUND,
 * FORBIDDEN, IN_USE
 */
export async function deleteTool(
  deps: CatalogDeps,
  viewer: Viewer,
  input: { readonly id: string },
): Promise<string> {
  await writeAndWake(deps, async (tx) => {
    // Writing a step that calls the Tool takes the same lock, so the counts stay true until the
    // commit.
    await lockResources(tx, [input.id]);
    const current = foundToWrite(await findTools(tx, viewer, [input.id]), viewer, 'Tool');
    const { steps } = await countToolUses(tx, input.id);
    if (steps > 0)
      throw Refusal.of(
        'IN_USE',
        ['id'],
        `This Tool is called by ${counted(steps, 'step')} of Processes.`,
      );
    const running = await countRunningCalls(tx, input.id);
    if (running > 0)
      throw Refusal.of(
        'IN_USE',
        ['id'],
        `This Tool is being called by ${counted(running, 'step')} of runs.`,
      );
    await deleteToolNode(
      tx,
      input.id,
      catalogEntry(deps, viewer, 'tool.deleted', current, { name: current.name }),
    );
  });
  return input.id;
}
