import type { MemoryEvent } from '../events/event.ts';
import { speakerOf, spokenPart } from '../events/speaker.ts';
import type { TocBullet } from '../toc/toc.ts';
import { type LineProof, openEvidence, proveLine, splitLine } from './line-proof.ts';

/**
 * Proves a stored line by the events of its grips; null if they have no word of it.
 * @param ownerName name of the user whose memory it is; null if there is no such user
 */
export function checkLine(
  { text, speakers }: Pick<TocBullet, 'text' | 'speakers'>,
  events: readonly Pick<MemoryEvent, 'text' | 'role' | 'metadata'>[],
  ownerName: string | null,
): LineProof | null {
  const texts = events
    .filter((event) => event.text.trim() !== '')
    .map((event) => ({ text: spokenPart(event), speakers: [speakerOf(event, ownerName)] }));
  // A line of a period may rest on events of several conversations.
  const evidence = openEvidence(texts, texts.length);
  // A user may have another name now than when the line was written.
  return proveLine(splitLine(text, speakers).text, evidence);
}
