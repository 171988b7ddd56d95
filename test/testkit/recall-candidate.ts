import type { RecallCandidate } from '../../src/working-memory/recall/recall.ts';

/** A turn of the user that recall found, with its text as its id. */
export const turn = (text: string, more: Partial<RecallCandidate> = {}): RecallCandidate => ({
  kind: 'episode',
  id: text,
  text,
  before: null,
  speaker: 'user',
  score: 1,
  gripIds: [],
  ...more,
});
