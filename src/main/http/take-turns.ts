import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { RequestContext } from '../../../schema/context.ts';
import { FairPlaces, type PlaceLimits } from '../../common/fair-places.ts';
import { inShortTurn } from '../../platform/short-turn.ts';

/**
 * Queries and mutations that run at once. More of them would end no sooner: they would share two or
 * four cores and the connections to Neo4j, which Workers and jobs need too.
 */
export const TURNS: PlaceLimits = {
  places: 16,
  placesPerOwner: 8,
  waiting: 10_000,
  waitingPerOwner: 1_000,
};

/**
 * An operation that takes longer waits for something else than the graph, such as a tested Tool.
 */
const TURN_MS_MAX = 2_000;

/**
 * Runs few queries and mutations of one user at once, over HTTP and WebSocket, and serves users in
 * turn. A user whose requests fill the queue gets RATE_LIMITED.
 */
export function takeTurns(limits: PlaceLimits): Plugin<RequestContext> {
  const turns = new FairPlaces(limits);
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const owner = args.contextValue.viewer?.userId ?? 'anonymous';
      setExecuteFn(async (given) => {
        try {
          return await inShortTurn(turns, owner, TURN_MS_MAX, async () => executeFn(given));
        } catch (error) {
          // Thrown, it would close the WebSocket of all the other operations.
          const originalError = error as Error;
          return { errors: [new GraphQLError(originalError.message, { originalError })] };
        }
      });
    },
  };
}
