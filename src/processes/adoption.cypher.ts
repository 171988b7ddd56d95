import { z } from 'zod';
import type { PageArgs } from '../common/page.ts';
import { textOrNull } from '../common/stored.ts';
import { CREATE_ENTRIES, entryParams } from '../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { listing, listPage } from '../platform/neo4j/list-page.ts';
import { countOf, parseRow } from '../platform/neo4j/row.ts';
import { readAll } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';

/** A Process of another user that a user has taken over as a tool (docs/decisions/0094). */
const ProcessAdoption = z.object({
  id: z.string(),
  ownerId: z.string(),
  processId: z.string(),
  /** Name of the tool and of the model. */
  name: z.string(),
  version: z.int(),
  /** Texts as the user has seen them. */
  description: textOrNull,
  createdAt: z.string(),
});
export type ProcessAdoption = z.infer<typeof ProcessAdoption>;

const toAdoption = (row: unknown): ProcessAdoption =>
  parseRow(ProcessAdoption, row, 'ProcessAdoption');

const ADOPTION = `n {.id, .ownerId, .processId, .name, .version, .description,
    createdAt: toString(n.createdAt)}`;

const LOCK = cypher`
  // lockAdoptions
  MATCH (u:User {id: $ownerId})
  SET u.adoptionsLock = true
  REMOVE u.adoptionsLock
`;
const NAMES = cypher`
  // findAdoptedNames
  MATCH (n:ProcessAdoption {ownerId: $ownerId})
  RETURN n.name AS name, n.processId AS processId
`;
const NameRow = z.object({ name: z.string(), processId: z.string() });

/** The names of the user's adoptions. Until the commit no other transaction adds one. */
export async function lockAdoptedNames(
  tx: WriteTx,
  ownerId: string,
): Promise<z.infer<typeof NameRow>[]> {
  await tx.run(LOCK, { ownerId });
  return readAll(tx, NAMES, { ownerId }, (row) => parseRow(NameRow, row, 'ProcessAdoption'));
}

const MERGE = cypher`
  // mergeAdoption
  MATCH (owner:User {id: $adoption.ownerId}), (process:Process {id: $adoption.processId})
  MERGE (n:ProcessAdoption {key: $key})
  ON CREATE SET n:Resource, n.id = $id, n.createdAt = datetime($now)
  SET n += $adoption
  MERGE (n)-[:OWNED_BY]->(owner)
  MERGE (n)-[:ADOPTS]->(process)
  WITH n
  CALL () { ${CREATE_ENTRIES} }
  RETURN ${ADOPTION} AS adoption
`;

/** Writes an adoption, or renews the one of the same Process. Null where the Process is gone. */
export async function mergeAdoption(
  tx: WriteTx,
  input: {
    readonly id: string;
    readonly now: string;
    readonly adoption: Omit<ProcessAdoption, 'id' | 'createdAt'> & {
      readonly initialContext: readonly string[];
      readonly contextSchema: string | null;
    };
    readonly entry: OutboxEntry;
  },
): Promise<ProcessAdoption | null> {
  const { entry, ...params } = input;
  const { ownerId, processId } = params.adoption;
  const key = `${ownerId}/${processId}`;
  const [row] = await tx.run(MERGE, { ...params, key, entries: entryParams([entry]) });
  return row === undefined ? null : toAdoption(row['adoption']);
}

const DELETE = cypher`
  // deleteAdoption
  MATCH (n:ProcessAdoption {key: $ownerId + '/' + $processId})
  DETACH DELETE n
  WITH count(*) AS deleted
  CALL (deleted) {
    WITH deleted WHERE deleted > 0
    ${CREATE_ENTRIES}
  }
  RETURN deleted
`;

/** @returns whether there was one */
export async function deleteAdoption(
  tx: WriteTx,
  input: { readonly ownerId: string; readonly processId: string; readonly entry: OutboxEntry },
): Promise<boolean> {
  const { entry, ...which } = input;
  return countOf(await tx.run(DELETE, { ...which, entries: entryParams([entry]) }), 'deleted') > 0;
}

const FIND = cypher`
  // findAdoptions
  MATCH (n:ProcessAdoption) WHERE n.id IN $ids AND n.ownerId = $viewerId
  RETURN ${ADOPTION} AS adoption
`;

/** The viewer's adoptions with these ids, in any order. */
export const findAdoptions = async (tx: ReadTx, viewerId: string, ids: readonly string[]) =>
  (await tx.run(FIND, { ids, viewerId })).map(({ adoption }) => toAdoption(adoption));

const FIND_OF = cypher`
  // findAdoptionsOf
  UNWIND $processIds AS processId
  MATCH (n:ProcessAdoption {key: $viewerId + '/' + processId})
  RETURN ${ADOPTION} AS adoption
`;

/** The viewer's adoptions of these Processes, in any order. */
export const findAdoptionsOf = (tx: ReadTx, viewerId: string, processIds: readonly string[]) =>
  readAll(tx, FIND_OF, { viewerId, processIds }, ({ adoption }) => toAdoption(adoption));

const ADOPTIONS = listing({
  name: 'listAdoptions',
  match: 'MATCH (n:ProcessAdoption) WHERE n.ownerId = $viewerId',
  order: [
    { cypher: 'n.name', type: 'text', order: 'ascending' },
    { cypher: 'n.id', type: 'text', order: 'ascending' },
  ],
  item: ADOPTION,
});

/** The viewer's adoptions, by name. */
export const listAdoptions = (tx: ReadTx, viewerId: string, page: PageArgs) =>
  listPage(tx, ADOPTIONS, page, { viewerId }, toAdoption);
