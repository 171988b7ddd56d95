import type { Job } from '../../jobs/job-definition.service.ts';
import { listGripsForAudit, listNodesForAudit, readGripTexts } from './grip.cypher.ts';
import { GRIP_EVENTS_MAX, holdsExcerpt } from './grip.ts';

const PER_STEP = 200;
const FAULTS_REPORTED_MAX = 5;

/**
 * Checks that every line of the tables of contents has a grip, and that the events of each grip
 * contain its excerpt (S2-GRIP-04). The job fails with the faults it finds; it changes nothing.
 */
export const agentMemoryAudit: Job = {
  name: 'memory-audit',
  cron: '@daily',
  describe:
    'Proves every line of the tables of contents by its grips, and every grip by its events.',
  async run({ graph }, { signal }) {
    const faults: string[] = [];
    let count = 0;
    const fault = (text: string) => {
      if (++count <= FAULTS_REPORTED_MAX) faults.push(text);
    };
    for (let after = { realm: '', gripId: '' }; !signal.aborted; ) {
      const grips = await graph.read(async (tx) => {
        const found = await listGripsForAudit(tx, after, PER_STEP);
        const ranges = found.map(({ realm, grip }) => ({ ...grip, realm }));
        const texts = await readGripTexts(tx, ranges, GRIP_EVENTS_MAX);
        found.forEach(({ grip }, index) => {
          if (!holdsExcerpt(grip.excerpt, texts[index] ?? []))
            fault(`${grip.gripId}: its events do not say its excerpt`);
        });
        return found;
      });
      const last = grips.at(-1);
      if (last === undefined) break;
      after = { realm: last.realm, gripId: last.grip.gripId };
    }
    for (let after = { store: '', nodeId: '' }; !signal.aborted; ) {
      const from = after;
      const nodes = await graph.read((tx) => listNodesForAudit(tx, from, PER_STEP));
      for (const { nodeId, bullets, missing } of nodes) {
        const bare = bullets.some(({ gripIds }) => gripIds.length === 0);
        if (bare) fault(`${nodeId}: a line has no grip`);
        if (missing.length > 0) fault(`${nodeId}: ${missing.length} of its grips are not there`);
      }
      const last = nodes.at(-1);
      if (last === undefined) break;
      after = { store: last.store, nodeId: last.nodeId };
    }
    if (count > 0) throw new Error(`${count} faults: ${faults.join('; ')}`);
  },
};
