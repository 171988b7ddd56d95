import type { Job } from '../../jobs/job-definition.service.ts';
import { checkpointKey } from '../events/key.ts';
import { countIngested, listIngested } from '../segments/segment.cypher.ts';
import { hasIngested } from '../segments/segmenter.job.ts';
import { realmOfStore } from '../store.ts';
import { indexEvents } from './event-search.cypher.ts';

const ENTRIES_PER_STEP = 5;

/**
 * Adds ingested events to the full-text index (S2-OUT-01, IndexEvent). It reads the outbox from its
 * checkpoint, in order. After a crash it repeats only the uncommitted step (S2-OUT-03, S2-OUT-04).
 */
export const indexer: Job = {
  name: 'indexer',
  cron: '@hourly',
  describe: 'Lets events be found by their words.',
  isQuiet: true,
  watch: { everySeconds: 60, isDue: (deps) => hasIngested(deps, 'indexer') },
  backlog: ({ graph }) => graph.read((tx) => countIngested(tx, checkpointKey('indexer'))),
  async run({ graph }, jobRun) {
    for (let seq = Number(jobRun.checkpoint ?? 0); !jobRun.signal.aborted; ) {
      const from = seq;
      const entries = await graph.read((tx) => listIngested(tx, from, ENTRIES_PER_STEP));
      const last = entries.at(-1);
      if (last === undefined) return;
      const events = entries.flatMap(({ ingested: { store, events: ingested } }) =>
        ingested.map(([eventId]) => ({ realm: realmOfStore(store), eventId })),
      );
      await graph.write(async (tx) => {
        await indexEvents(tx, events);
        await jobRun.progressIn(tx, { checkpoint: String(last.seq) });
      });
      seq = last.seq;
    }
  },
};
