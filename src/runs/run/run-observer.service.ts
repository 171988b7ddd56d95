import type { JsonObject } from '../../common/json.ts';
import type { RunObserver, RunRetry } from './ports.ts';

/**
 * One observer made of several, called in this order. Each implements only the methods it needs.
 */
export function observeRuns(parts: readonly Partial<RunObserver>[]): RunObserver {
  return {
    async supply(tx, viewer, at) {
      const supplied: JsonObject = {};
      for (const part of parts) {
        if (part.supply === undefined) continue;
        const found = await part.supply(tx, viewer, at);
        if (found === null) return null;
        Object.assign(supplied, found);
      }
      return supplied;
    },
    async findMessage(tx, viewer, alternativeId) {
      for (const part of parts) {
        const found = (await part.findMessage?.(tx, viewer, alternativeId)) ?? null;
        if (found !== null) return found;
      }
      return null;
    },
    async findFault(task, output) {
      for (const part of parts) {
        const fault = (await part.findFault?.(task, output)) ?? null;
        if (fault !== null) return fault;
      }
      return null;
    },
    async ended(tx, end) {
      for (const part of parts) await part.ended?.(tx, end);
    },
    async beginRetry(tx, viewer, old) {
      const retries: RunRetry[] = [];
      for (const part of parts)
        if (part.beginRetry !== undefined) retries.push(await part.beginRetry(tx, viewer, old));
      return {
        answersId: retries.find(({ answersId }) => answersId !== null)?.answersId ?? null,
        async started(run) {
          for (const retry of retries) await retry.started(run);
        },
      };
    },
  };
}
