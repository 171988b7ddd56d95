import { type Clock, instant } from '../../common/clock.ts';
import type { NewId } from '../../common/id.ts';
import { appendEntries } from '../../outbox/entry.cypher.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import type { SettingsSource } from '../../settings/settings.projection.ts';
import { limitsOf, segmentIn } from '../segments/segmenter.job.ts';
import { tocChanged } from '../toc/toc.ts';
import { markWithdrawn, takeBack, type Versions } from './withdrawn-events.cypher.ts';

export interface WithdrawnEventsDeps {
  readonly clock: Clock;
  readonly newId: NewId;
  readonly settings: SettingsSource;
}

/**
 * Takes versions of turns that have left the screen out of the agent memory, with the lines that
 * rest on them, and takes back those that have returned.
 */
export async function settleEvents(
  deps: WithdrawnEventsDeps,
  tx: WriteTx,
  of: Omit<Versions, 'alternativeIds'>,
  versions: { readonly gone: readonly string[]; readonly back: readonly string[] },
): Promise<void> {
  if (versions.gone.length > 0) await markWithdrawn(tx, { ...of, alternativeIds: versions.gone });
  if (versions.back.length === 0) return;
  const events = await takeBack(tx, { ...of, alternativeIds: versions.back });
  if (events.length === 0) return;
  await segmentIn(tx, events, limitsOf(await deps.settings.current()), instant(deps.clock));
  await appendEntries(tx, [tocChanged(deps, 'segment')]);
}
