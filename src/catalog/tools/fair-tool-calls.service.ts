import { FairPlaces } from '../../common/fair-places.ts';
import type { ToolCalls } from '../deps.ts';

// Each call may start a child process (stdio) or hold a connection for a minute.
const PLACES = { places: 16, placesPerOwner: 4, waiting: 200, waitingPerOwner: 20 };

/**
 * Bounds the calls that users make outside runs (testTool, importMcpTools), in all and per user.
 * Health checks are not among them.
 * @throws NoPlace where too many wait
 */
export function fairToolCalls(calls: ToolCalls): ToolCalls {
  const places = new FairPlaces(PLACES);
  return {
    probe: (type, target, signal) => calls.probe(type, target, signal),
    invoke: (call) => places.run(call.ownerId, () => calls.invoke(call)),
    listMcpTools: (target, signal, ownerId) =>
      places.run(ownerId, () => calls.listMcpTools(target, signal, ownerId)),
  };
}
