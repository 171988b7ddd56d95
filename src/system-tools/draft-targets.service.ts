import { listToolsWith } from '../catalog/tools/tool.cypher.ts';
import { entryOf } from '../common/entry-of.ts';
import { isJsonObject, type JsonObject } from '../common/json.ts';
import { PAGE_MAX } from '../common/limits.ts';
import type { Page } from '../common/page.ts';
import type { ReadTx } from '../platform/neo4j/graph.ts';
import { listProcesses } from '../processes/process.cypher.ts';
import type { SketchTarget } from '../processes/sketch/sketch.ts';
import { SYSTEM_USER_ID, type Viewer } from '../users/user.ts';

/** A Tool or Process that a draft may call, with its id. */
export interface DraftTarget extends SketchTarget {
  readonly id: string;
}

/** Tools, and Processes, that are read at most; the viewer's own first. */
const PAGES_MAX = 5;
const NEARNESS = { own: 0, system: 1, other: 2 } as const;

/**
 * The enabled Tools and Processes that the viewer may use: own ones, the system's, then those that
 * other users share.
 */
export async function listDraftTargets(tx: ReadTx, viewer: Viewer): Promise<DraftTarget[]> {
  const tools = await allOf(async (page) => (await listToolsWith(tx, viewer, page)).page);
  const processes = await allOf((page) => listProcesses(tx, viewer, page));
  const ownerOf = ({ ownerId }: { readonly ownerId: string }): SketchTarget['owner'] =>
    ownerId === viewer.userId ? 'own' : ownerId === SYSTEM_USER_ID ? 'system' : 'other';
  const targets = [
    ...tools.map((tool): DraftTarget & { enabled: boolean } => ({
      ...{ id: tool.id, kind: 'tool', name: tool.name, description: tool.description ?? '' },
      ...{ inputSchema: tool.inputSchema, outputSchema: tool.outputSchema },
      ...{ owner: ownerOf(tool), enabled: tool.enabled },
    })),
    ...processes.map((process): DraftTarget & { enabled: boolean } => ({
      ...{ id: process.id, kind: 'process', name: process.name },
      ...{ description: process.description ?? '', outputSchema: {} },
      inputSchema: contextOf(process),
      ...{ owner: ownerOf(process), enabled: process.enabled },
    })),
  ];
  return targets
    .filter(({ enabled }) => enabled)
    .sort((a, b) => NEARNESS[a.owner] - NEARNESS[b.owner]);
}

interface Args {
  readonly first: number;
  readonly after?: string;
  readonly includeShared: boolean;
}

/** Own things first, so that those of others never push them out. */
async function allOf<T extends { readonly id: string }>(
  list: (args: Args) => Promise<Page<T>>,
): Promise<T[]> {
  const found = new Map<string, T>();
  for (const includeShared of [false, true]) {
    let after: string | undefined;
    for (let page = 0; page < PAGES_MAX; page++) {
      const { items, hasNextPage } = await list({
        ...{ first: PAGE_MAX, includeShared },
        ...(after === undefined ? {} : { after }),
      });
      for (const { item } of items) found.set(item.id, item);
      after = items.at(-1)?.cursor;
      if (!hasNextPage || after === undefined) break;
    }
  }
  return [...found.values()];
}

/** The initial context of a Process as the schema of its inputs. */
function contextOf({
  initialContext,
  contextSchema,
}: {
  readonly initialContext: readonly string[];
  readonly contextSchema?: JsonObject | null | undefined;
}): JsonObject {
  const typed = contextSchema?.['properties'];
  const known = isJsonObject(typed) ? typed : {};
  return {
    type: 'object',
    required: [...initialContext],
    properties: Object.fromEntries(
      initialContext.map((name) => [name, entryOf(known, name) ?? {}]),
    ),
  };
}
