import { instant } from '../../common/clock.ts';
import { Refusal } from '../../common/refusal.ts';
import { nameForModel } from '../../conversations/turn.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import type { Viewer } from '../../users/user.ts';
import type { MemoryGraphDeps } from '../deps.ts';
import { derivedId } from '../derived-id.service.ts';
import { bindEpisode } from '../episodes/episode.mutations.ts';
import { memoryGraphEntry } from '../memory-graph-entry.ts';
import { writeEntities, writeExtractedFacts } from './extraction.mutations.ts';
import { readExtraction } from './extraction.ts';
import { addEpisodeFacts, findIngest } from './ingest.cypher.ts';
import { withoutForgotten } from './without-forgotten.service.ts';

/** A fact that an agent read out of the message it answers. */
export interface RememberFact {
  /** Whole sentence. */
  readonly statement: string;
  /** Name of an entity; `user` and `I` are the owner. */
  readonly subject: string;
  readonly relation: string;
  readonly object: string;
  /** Days, YYYY-MM-DD. */
  readonly since: string | null;
  readonly until: string | null;
}

export interface RememberedFact {
  readonly factUuids: readonly string[];
  readonly entityUuids: readonly string[];
  readonly episodeUuid: string;
}

/**
 * Writes a fact with the message being answered as its evidence. Entities and known facts are
 * resolved as in an extraction, so the extraction of the same message repeats the fact instead of
 * adding another one. The uuids are derived, so a repeated call writes nothing more.
 * @throws Refusal INVALID where the fact is none; NOT_FOUND where the message is gone; STATE
 * where the user deleted it after the message
 */
export async function rememberFact(
  deps: MemoryGraphDeps,
  viewer: Viewer,
  {
    fact,
    alternativeId,
    runId,
  }: {
    readonly fact: RememberFact;
    /** The message that proves it; the caller has checked that it is the viewer's. */
    readonly alternativeId: string;
    readonly runId: string;
  },
): Promise<RememberedFact> {
  const extraction = extractionOf(fact, viewer);
  const bound = await bindEpisode(deps, alternativeId);
  if (bound === null) throw gone();
  const { entities } = extraction;
  // The embedding model is called before the transaction, so no lock waits for it.
  const embedded = await deps.embeddings.embed(entities.map(({ name }) => name));
  const { dedupSimilarityThreshold: threshold } = await deps.settings.current();
  return writeAndWake(deps, async (tx) => {
    // The same order of locks as in `applyExtraction`, which prevents deadlocks.
    await lockResources(tx, [viewer.userId, bound.conversationId]);
    const ingest = await findIngest(tx, alternativeId);
    if (ingest === null || ingest.ownerId !== viewer.userId) throw gone();
    const now = instant(deps.clock);
    const left = await withoutForgotten(tx, ingest, extraction);
    if (left.facts.length === 0 || left.entities.length < entities.length) throw forgotten();
    const place = { ingest, now, threshold, embedded };
    const { mentioned, uuidOf } = await writeEntities(tx, place, left, []);
    const factUuids = await writeExtractedFacts(tx, place, left, uuidOf);
    const { episodeUuid } = ingest;
    await addEpisodeFacts(tx, {
      episodeUuid,
      factUuids,
      mentions: mentioned.map((entityUuid) => ({
        entityUuid,
        uuid: derivedId('mention', episodeUuid, entityUuid),
      })),
      now,
      entry: memoryGraphEntry(deps, ingest, 'fact.remembered', {
        episodeUuid,
        alternativeId,
        runId,
        factUuids,
      }),
    });
    return { factUuids, entityUuids: mentioned, episodeUuid };
  });
}

function extractionOf(fact: RememberFact, { name }: Viewer) {
  const { statement, relation, since, until } = fact;
  const [source, target] = [fact.subject, fact.object].map((named) =>
    /^(i|me|user|the user)$/i.test(named.trim()) ? nameForModel('user', name) : named,
  );
  const memories = {
    entities: [source, target].map((named) => ({ name: named })),
    facts: [{ source, relation, target, fact: statement, valid_at: since, invalid_at: until }],
  };
  const extraction = readExtraction(JSON.stringify({ memories, resolution: null }));
  if (extraction.facts.length === 1) return extraction;
  const why = extraction.faults.join(' ') || 'It relates no two entities.';
  throw Refusal.of('INVALID', ['statement'], why);
}

function forgotten(): Refusal {
  const message = 'The user deleted this memory after the message.';
  return Refusal.of('STATE', ['statement'], message);
}

const gone = (): Refusal =>
  Refusal.of('NOT_FOUND', ['statement'], 'The message that proves it is gone.');
