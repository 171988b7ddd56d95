import { createHash } from 'node:crypto';
import { instant } from '../../common/clock.ts';
import type { JobDeps } from '../../jobs/deps.ts';
import type { Job } from '../../jobs/job-definition.service.ts';
import { appendEntries } from '../../outbox/entry.cypher.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import type { Settings } from '../../settings/settings.ts';
import { checkpointKey, eventKey } from '../events/key.ts';
import { realmOfStore } from '../store.ts';
import { segmentNodeId, tocChanged } from '../toc/toc.ts';
import {
  countIngested,
  findSegmentedEvents,
  listIngested,
  loadSegmentation,
  type SessionWindow,
  type StoredSegment,
  saveSegments,
} from './segment.cypher.ts';
import { recut, type SegmentedEvent, type SegmentLimits } from './segment.ts';

const ENTRIES_PER_STEP = 20;
const EVENTS_PER_STEP = 2_000;

/** Whether events were ingested that this job has not read. */
export async function hasIngested({ graph }: JobDeps, job: string): Promise<boolean> {
  return (await graph.read((tx) => countIngested(tx, checkpointKey(job)))) > 0;
}

/**
 * Cuts ingested events into segments (S2-SEG-02, S2-SEG-03, S2-OUT-03). It reads the outbox from
 * its checkpoint. Segments and new checkpoint are one transaction, so a crash repeats no committed
 * step (S2-OUT-04, S2-KEY-03).
 */
export const segmenter: Job = {
  name: 'segmenter',
  cron: '@hourly',
  describe: 'Cuts what was ingested into segments of a conversation.',
  isQuiet: true,
  watch: { everySeconds: 60, isDue: (deps) => hasIngested(deps, 'segmenter') },
  backlog: ({ graph }) => graph.read((tx) => countIngested(tx, checkpointKey('segmenter'))),
  async run(deps, jobRun) {
    let seq = Number(jobRun.checkpoint ?? 0);
    while (!jobRun.signal.aborted) {
      const entries = await deps.graph.read((tx) => listIngested(tx, seq, ENTRIES_PER_STEP));
      if (entries.length === 0) return;
      // Limit the events of a step, and so the size of its transaction.
      const step: typeof entries = [];
      for (let events = 0; step.length < entries.length && events < EVENTS_PER_STEP; ) {
        const next = entries[step.length];
        if (next === undefined) break;
        step.push(next);
        events += next.ingested.events.length;
      }
      const limits = limitsOf(await deps.settings.current());
      const last = step.at(-1)?.seq ?? seq;
      await writeAndWake(deps, async (tx) => {
        // This comes first because it locks the job's record. Otherwise retention could delete
        // events after they were read, and they would be cut into segments again.
        await jobRun.progressIn(tx, { checkpoint: String(last) });
        const added = step.flatMap(({ ingested: { store, events } }) =>
          events.map(([eventId]) => ({ realm: realmOfStore(store), eventId })),
        );
        await segmentIn(tx, added, limits, instant(deps.clock));
        await appendEntries(tx, [tocChanged(deps, 'segment')]);
      });
      seq = last;
    }
  },
};

export function limitsOf({
  segmentGapMinutes,
  segmentMaxTokens,
}: Pick<Settings, 'segmentGapMinutes' | 'segmentMaxTokens'>): SegmentLimits {
  return { gapMs: segmentGapMinutes * 60_000, maxTokens: segmentMaxTokens };
}

/**
 * Node id of the segment that begins with this event; its suffix is from the SHA-256 of the key.
 */
export function nodeOfSegment(startKey: string, startMs: number): string {
  const suffix = createHash('sha256').update(startKey).digest('hex').slice(0, 8);
  return segmentNodeId(startMs, suffix);
}

/** Updates the segments of the sessions of new events, in the caller's transaction. */
export async function segmentIn(
  tx: WriteTx,
  added: readonly { readonly realm: string; readonly eventId: string }[],
  limits: SegmentLimits,
  now: string,
): Promise<void> {
  const events = await findSegmentedEvents(tx, added);
  const bySession = Map.groupBy(events, ({ store, sessionId }) =>
    JSON.stringify([store, sessionId]),
  );
  const changed: StoredSegment[] = [];
  const dissolved: { store: string; startKey: string; nodeId: string; ms: number }[] = [];
  let open = [...bySession.values()].map((news) => ({ news, window: windowOf(news) }));
  for (let beyond = 2; open.length > 0; beyond *= 8) {
    const loaded = await loadSegmentation(
      tx,
      open.map(({ window }) => window),
      beyond,
    );
    const again: typeof open = [];
    open.forEach(({ news, window }, index) => {
      const { known = [], events: all = [], hasMore = false } = loaded[index] ?? {};
      const keys = new Set(news.map(({ key }) => key));
      const cut = recut(known, all, keys, limits);
      if (cut.isOpen && hasMore) {
        again.push({ news, window });
        return;
      }
      const { store, sessionId } = window;
      for (const span of cut.changed)
        changed.push({
          ...span,
          store,
          sessionId,
          nodeId: nodeOfSegment(span.startKey, span.startMs),
        });
      for (const startKey of cut.dissolved) {
        const ms = eventKey.fromText(startKey)?.timestampMs ?? 0;
        dissolved.push({ store, startKey, nodeId: nodeOfSegment(startKey, ms), ms });
      }
    });
    open = again;
  }
  await saveSegments(tx, { changed, dissolved, now });
}

function windowOf(
  news: readonly (SegmentedEvent & { store: string; sessionId: string })[],
): SessionWindow {
  const keys = news.map(({ key }) => key).sort();
  const { store, sessionId } = news[0] ?? { store: '', sessionId: '' };
  return { store, sessionId, firstKey: keys[0] ?? '', lastKey: keys.at(-1) ?? '' };
}
