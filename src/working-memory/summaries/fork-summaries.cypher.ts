import { z } from 'zod';
import { CREATE_ENTRIES, entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { contentParams, createContent, type NewContent } from '../content.cypher.ts';
import { ForkedEpisode, type SummaryCopy } from './fork-summaries.ts';
import { SUMMARIES_OF, toSummaryRecords } from './summary.cypher.ts';
import type { SummaryRecord } from './summary.ts';

const FIND = cypher`
  // findForkedSummaries
  MATCH (fork:Conversation {id: $conversationId})
    -[:FORKED_FROM]->(c:Conversation {ownerId: fork.ownerId})
  WHERE fork.summariesCopiedAt IS NULL AND NOT EXISTS { (fork)-[:HAS_SUMMARY]->() }
  CALL (fork) {
    MATCH (fork)-[:HAS_TURN]->(t:ConversationTurn)-[:HAS_ALTERNATIVE]->(a:Alternative)
    WHERE a.copiedFromId IS NOT NULL
    OPTIONAL MATCH (:Alternative {id: a.copiedFromId})-[:HAS_CONTENT]->(original:Episodic)
    OPTIONAL MATCH (a)-[:HAS_CONTENT]->(own:Episodic)
    RETURN collect({turnId: t.id, from: original.uuid, to: own.uuid}) AS episodes
  }
  ${SUMMARIES_OF}
  RETURN episodes, summaries
`;

const ForkRow = z.object({ episodes: z.array(ForkedEpisode) });

/**
 * The Summaries of the conversation that this one was forked from, and the copied Episodes. Null
 * unless it is a fork that has no Summaries and has copied none.
 */
export async function findForkedSummaries(
  tx: ReadTx,
  conversationId: string,
): Promise<{ readonly episodes: ForkedEpisode[]; readonly summaries: SummaryRecord[] } | null> {
  const [row] = await tx.run(FIND, { conversationId });
  if (row === undefined) return null;
  const { episodes } = parseRow(ForkRow, row, `Conversation ${conversationId}`);
  return { episodes, summaries: toSummaryRecords(row['summaries']) };
}

const COPY = cypher`
  // copySummaries
  MATCH (c:Conversation {id: $conversationId})
  SET c.summariesCopiedAt = datetime($now)
  WITH c
  CALL (c) {
    UNWIND $copies AS copy
    MATCH (from:Summary {id: copy.fromId})-[:CREATED_BY_PROCESS]->(process:Process)
    MATCH (upTo:ConversationTurn {id: copy.coversUpToId, conversationId: c.id})
    CREATE (holder:Summary:Resource {id: copy.id, compressionLevel: copy.compressionLevel,
      tokenCount: from.tokenCount, createdAt: from.createdAt})
    CREATE (c)-[:HAS_SUMMARY]->(holder), (holder)-[:COVERS_UP_TO]->(upTo),
      (holder)-[:CREATED_BY_PROCESS]->(process), (holder)-[:COPIED_FROM]->(from)
    WITH holder, copy, copy.content AS content
    CALL (holder, copy) {
      UNWIND range(0, size(copy.sources) - 1) AS index
      MATCH (source:Episodic {uuid: copy.sources[index]})
      CREATE (holder)-[:SUMMARIZES {order: index + 1}]->(source)
    }
    ${createContent('SummaryEpisode')}
    CALL (ep, content) {
      MATCH (:Episodic {uuid: content.fromEpisode})-[m:MENTIONS]->(e:Entity)
      CREATE (ep)-[mention:MENTIONS]->(e)
      SET mention = properties(m), mention.uuid = randomUUID(), mention.group_id = ep.group_id
    }
  }
  WITH 1 AS done
  ${CREATE_ENTRIES}
`;

/** Inserts the Summaries of a fork, once, in one statement. The caller holds its lock. */
export async function copySummaries(
  tx: WriteTx,
  insert: {
    readonly conversationId: string;
    readonly copies: readonly (SummaryCopy & { readonly id: string; readonly bound: NewContent })[];
    readonly now: string;
    readonly entries: readonly OutboxEntry[];
  },
): Promise<void> {
  const { conversationId, now, entries } = insert;
  await tx.run(COPY, {
    conversationId,
    now,
    copies: insert.copies.map(({ bound, fromEpisode, ...copy }) => ({
      ...copy,
      content: { ...contentParams(bound), fromEpisode },
    })),
    entries: entryParams(entries),
  });
}
