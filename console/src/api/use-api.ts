import { createContext, useContext } from 'react';
import type { Client as AidenClient } from '../../../packages/client/src/live/client.ts';

const Live = createContext<AidenClient | null>(null);
export const LiveProvider = Live.Provider;

/** The client library's connection of the signed-in user. */
export function useLive(): AidenClient {
  const live = useContext(Live);
  if (live === null) throw new Error('LiveProvider is missing above this component.');
  return live;
}
