import { hashesIn } from '../common/hashes-in.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { leaveToReaders } from '../platform/neo4j/leave-to-readers.ts';
import { subjectOf } from './delete-user.service.ts';
import { listTextsAfter, TEXT_HOLDERS } from './owned.cypher.ts';

/** How each `ci-blob://…` begins, also where its slashes are escaped. */
const WORD = 'ci-blob';
/** The rest of the URI of an upload, with slashes escaped several times. */
const REST_CHARS = 160;
/** The pause after a statement as a multiple of its time. */
const PAUSE_SHARE = 1;

/**
 * The hashes in all `ci-blob://…` of a user's records and of the records that others share. Runs
 * one statement per kind of record. Does not read payloads in the blob store or the event log.
 * @returns null where the signal ended the look
 */
export async function findNamedHashes(
  graph: Graph,
  userId: string,
  signal: AbortSignal,
): Promise<Set<string> | null> {
  const subject = await subjectOf(graph, userId);
  const named = new Set<string>();
  for (const match of TEXT_HOLDERS) {
    if (signal.aborted) return null;
    const startedMs = performance.now();
    const after = { word: WORD, chars: REST_CHARS };
    const texts = await graph.read((tx) => listTextsAfter(tx, match, subject, after));
    for (const text of texts) for (const hash of hashesIn(text)) named.add(hash);
    await leaveToReaders({ startedMs, share: PAUSE_SHARE }, signal);
  }
  return named;
}
