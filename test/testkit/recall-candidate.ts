import type { Candidate } from '../../src/memory-graph/search/candidate.ts';

/** A turn of the user that recall found, with its text as its id. */
export const turn = (
  text: string,
  { before = null, ...more }: Partial<Candidate> & { readonly before?: string | null } = {},
): Candidate => ({
  kind: 'episode',
  uuid: text,
  text,
  window: before === null ? text : `${before}\n${text}`,
  method: 'words',
  speaker: 'user',
  score: 1,
  ...more,
});
