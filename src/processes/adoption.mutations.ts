import { instant } from '../common/clock.ts';
import { found, notFound, type Problem, problem, Refusal, refuse } from '../common/refusal.ts';
import { ownerEntry, ownerFor } from '../outbox/entry.ts';
import { writeAndWake } from '../outbox/write-and-wake.mutations.ts';
import { lockResources } from '../platform/neo4j/lock.ts';
import { SYSTEM_USER_ID, type Viewer } from '../users/user.ts';
import {
  deleteAdoption,
  lockAdoptedNames,
  mergeAdoption,
  type ProcessAdoption,
} from './adoption.cypher.ts';
import { listChatProcesses } from './chat-process.cypher.ts';
import { isNameForModel, legalName } from './definition/agent-tool-name.ts';
import { listExposedProcesses } from './exposed-process.cypher.ts';
import { findProcesses } from './process.cypher.ts';
import type { ProcessDeps } from './process.mutations.ts';
import type { Process } from './process.ts';

/** Processes of other users that one user can take over. */
export const ADOPTIONS_PER_USER_MAX = 100;
/** Own tools and models whose names are compared. */
const NAMES_MAX = 1_000;

/**
 * Takes a Process of another user over by a name, as a tool at /mcp and a model at /v1, with its
 * texts as they are now. Again for the same Process: renews name and texts.
 * @throws Refusal NOT_FOUND; INVALID for a Process that is the viewer's or the system's, or is
 * neither exposed nor answers messages; INVALID and TAKEN for the name; CONFLICT for another
 * version; STATE beyond ADOPTIONS_PER_USER_MAX
 */
export async function adoptProcess(
  deps: ProcessDeps,
  viewer: Viewer,
  input: {
    readonly processId: string;
    readonly name: string;
    readonly version?: number | null | undefined;
  },
): Promise<ProcessAdoption> {
  const { processId, name } = input;
  const { userId: ownerId } = viewer;
  return writeAndWake(deps, async (tx) => {
    await lockResources(tx, [processId]);
    const process = found(await findProcesses(tx, viewer, [processId]), 'Process', ['processId']);
    const adopted = await lockAdoptedNames(tx, ownerId);
    const others = adopted.filter((one) => one.processId !== processId);
    const exposed = await listExposedProcesses(tx, viewer, NAMES_MAX);
    const chats = await listChatProcesses(tx, viewer, { reference: null, limit: NAMES_MAX });
    const taken = new Set([
      ...others.map((one) => one.name),
      ...[...exposed, ...chats].filter(({ id }) => id !== processId).flatMap(namesOf),
    ]);
    refuse([
      ...checkOffered(viewer, process),
      ...checkName(name, taken),
      ...(input.version == null || input.version === process.version
        ? []
        : [
            problem(
              'CONFLICT',
              ['version'],
              `This Process is at version ${process.version} by now; read it again and decide ` +
                'anew.',
            ),
          ]),
      ...(others.length < ADOPTIONS_PER_USER_MAX
        ? []
        : [
            problem(
              'STATE',
              [],
              `You have taken over ${others.length} Processes; ${ADOPTIONS_PER_USER_MAX} is ` +
                'the most. Drop one first.',
            ),
          ]),
    ]);
    const { version, description, initialContext, contextSchema } = process;
    const written = await mergeAdoption(tx, {
      id: deps.newId(),
      now: instant(deps.clock),
      adoption: {
        ownerId,
        processId,
        name,
        version,
        description: description ?? null,
        initialContext: [...initialContext],
        contextSchema: contextSchema == null ? null : JSON.stringify(contextSchema),
      },
      entry: adoptionEntry(deps, viewer, 'process_adoption.created', { processId, name, version }),
    });
    if (written === null) throw new Refusal([notFound('Process', ['processId'])]);
    return written;
  });
}

/**
 * Gives up a Process that the viewer took over. @returns the id of the Process
 * @throws Refusal NOT_FOUND
 */
export async function dropProcess(
  deps: ProcessDeps,
  viewer: Viewer,
  { processId }: { readonly processId: string },
): Promise<string> {
  const entry = adoptionEntry(deps, viewer, 'process_adoption.deleted', { processId });
  const wasThere = await deps.graph.write((tx) =>
    deleteAdoption(tx, { ownerId: viewer.userId, processId, entry }),
  );
  if (!wasThere)
    throw Refusal.of('NOT_FOUND', ['processId'], 'You have not taken over this Process.');
  deps.wake();
  return processId;
}

const adoptionEntry = (deps: ProcessDeps, viewer: Viewer, kind: string, payload: object) =>
  ownerEntry(deps, ownerFor(viewer), kind, { ...payload, by: viewer.userId });

/** A tool's name, and the model's. */
const namesOf = ({ name }: { readonly name: string }): string[] => [name, legalName(name)];

function checkOffered(viewer: Viewer, process: Process): Problem[] {
  const { ownerId, exposeAsTool, initialContext } = process;
  const invalid = (message: string) => [problem('INVALID', ['processId'], message)];
  if (ownerId === viewer.userId || ownerId === SYSTEM_USER_ID)
    return invalid('Only Processes of other users are taken over; this one has its own name.');
  if (exposeAsTool || initialContext.includes('messages')) return [];
  return invalid('Its author does not expose it as a tool, and it does not answer messages.');
}

function checkName(name: string, taken: ReadonlySet<string>): Problem[] {
  if (!isNameForModel(name))
    return [
      problem('INVALID', ['name'], 'A name has letters, digits, _ and -, and 64 of them at most.'),
    ];
  if (!taken.has(name)) return [];
  return [problem('TAKEN', ['name'], `You have a tool or model "${name}" already.`)];
}
