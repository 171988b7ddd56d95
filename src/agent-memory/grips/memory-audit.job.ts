import { instant } from '../../common/clock.ts';
import type { JobDeps } from '../../jobs/deps.ts';
import type { Job } from '../../jobs/job-definition.service.ts';
import { appendEntries } from '../../outbox/entry.cypher.ts';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { findUsers } from '../../users/user.cypher.ts';
import type { StoredEvent } from '../events/event.cypher.ts';
import { ownerOfStore, realmOfStore } from '../store.ts';
import { levelOf, TOC_LEVELS, tocChanged } from '../toc/toc.ts';
import {
  findGrips,
  listGripsForAudit,
  listNodesForAudit,
  readGripEvents,
  remakeNodes,
} from './grip.cypher.ts';
import { GRIP_EVENTS_MAX, holdsExcerpt } from './grip.ts';
import { checkLine } from './line-check.ts';
import { holds } from './line-proof.ts';

const PER_STEP = 200;
/** Nodes of one step. Each of their lines reads the events of its grips. */
const NODES_PER_STEP = 20;
const FAULTS_REPORTED_MAX = 5;

/**
 * Checks that the events of each grip contain its excerpt, and that every line of the tables of
 * contents has grips whose events support it (S2-GRIP-04). A node with a line that does not hold is
 * queued for a new summary, and so is one without a summary. The job fails with the faults it
 * finds.
 */
export const agentMemoryAudit: Job = {
  name: 'memory-audit',
  cron: '@daily',
  describe:
    'Proves every line of the tables of contents by its grips, and every grip by its events; ' +
    'a node that fails is summed up again.',
  async run(deps, { signal }) {
    const faults: string[] = [];
    let count = 0;
    const fault = (text: string) => {
      if (++count <= FAULTS_REPORTED_MAX) faults.push(text);
    };
    await auditGrips(deps, signal, fault);
    await auditNodes(deps, signal, fault);
    if (count > 0) throw new Error(`${count} faults: ${faults.join('; ')}`);
  },
};

type Report = (fault: string) => void;

async function auditGrips({ graph }: JobDeps, signal: AbortSignal, report: Report): Promise<void> {
  for (let after = { realm: '', gripId: '' }; !signal.aborted; ) {
    const from = after;
    const grips = await graph.read(async (tx) => {
      const found = await listGripsForAudit(tx, from, PER_STEP);
      const ranges = found.map(({ realm, grip }) => ({ ...grip, realm }));
      const events = await readGripEvents(tx, ranges, GRIP_EVENTS_MAX);
      found.forEach(({ grip }, index) => {
        const texts = (events[index] ?? []).map(({ text }) => text);
        if (!holdsExcerpt(grip.excerpt, texts))
          report(`${grip.gripId}: its events do not say its excerpt`);
      });
      return found;
    });
    const last = grips.at(-1);
    if (last === undefined) return;
    after = { realm: last.realm, gripId: last.grip.gripId };
  }
}

async function auditNodes(deps: JobDeps, signal: AbortSignal, report: Report): Promise<void> {
  const { graph, settings } = deps;
  const { lineSupportThreshold } = await settings.current();
  for (let after = { store: '', nodeId: '' }; !signal.aborted; ) {
    const from = after;
    const { nodes, wrong } = await graph.read(async (tx) => {
      const found = await listNodesForAudit(tx, from, NODES_PER_STEP);
      return { nodes: found, wrong: await findWrong(tx, found, lineSupportThreshold) };
    });
    for (const { nodeId, why } of wrong) report(`${nodeId}: ${why}`);
    const unsummarised = nodes.filter(({ state }) => state === 'unsummarised').map(placeOf);
    const again = [...wrong, ...unsummarised];
    if (again.length > 0) {
      const levels = new Set(again.map(({ nodeId }) => levelOf(nodeId)));
      await graph.write(async (tx) => {
        await remakeNodes(tx, again, instant(deps.clock));
        const changed = TOC_LEVELS.filter((level) => levels.has(level));
        await appendEntries(
          tx,
          changed.map((level) => tocChanged(deps, level)),
        );
      });
      deps.wake();
    }
    const last = nodes.at(-1);
    if (last === undefined) return;
    after = { store: last.store, nodeId: last.nodeId };
  }
}

const placeOf = ({ store, nodeId, startMs }: Audited) => ({
  store,
  nodeId,
  startMs,
  level: levelOf(nodeId) ?? ('segment' as const),
});

type Audited = Awaited<ReturnType<typeof listNodesForAudit>>[number];

/** The nodes with a line that does not hold, and why. */
async function findWrong(tx: ReadTx, nodes: readonly Audited[], threshold: number) {
  const events = await readEventsOf(tx, nodes);
  const owners = await findUsers(tx, [...new Set(nodes.map(({ store }) => ownerOfStore(store)))]);
  const names = new Map(owners.map(({ id, name }) => [id, name]));
  return nodes.flatMap((node) => {
    const { store, bullets, missing } = node;
    const at = placeOf(node);
    if (bullets.some(({ gripIds }) => gripIds.length === 0))
      return [{ ...at, why: 'a line has no grip' }];
    if (missing.length > 0) return [{ ...at, why: `${missing.length} of its grips are not there` }];
    const isWrong = bullets.some((bullet) => {
      const said = bullet.gripIds.flatMap((id) => events.get(`${realmOfStore(store)} ${id}`) ?? []);
      return !holds(checkLine(bullet, said, names.get(ownerOfStore(store)) ?? null), threshold);
    });
    return isWrong ? [{ ...at, why: 'its events do not support a line' }] : [];
  });
}

/** The events of all grips of nodes, by realm and id of the grip. */
async function readEventsOf(
  tx: ReadTx,
  nodes: readonly Audited[],
): Promise<ReadonlyMap<string, readonly StoredEvent[]>> {
  const read = new Map<string, readonly StoredEvent[]>();
  for (const [realm, those] of Map.groupBy(nodes, ({ store }) => realmOfStore(store))) {
    const ids = those.flatMap(({ bullets }) => bullets.flatMap(({ gripIds }) => gripIds));
    const grips = await findGrips(tx, realm, [...new Set(ids)]);
    const ranges = grips.map((grip) => ({ ...grip, realm }));
    const events = await readGripEvents(tx, ranges, GRIP_EVENTS_MAX);
    for (const [index, { gripId }] of grips.entries())
      read.set(`${realm} ${gripId}`, events[index] ?? []);
  }
  return read;
}
