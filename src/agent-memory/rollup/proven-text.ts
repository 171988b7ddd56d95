import {
  attributed,
  type EvidenceText,
  holds,
  openEvidence,
  proveLine,
} from '../grips/line-proof.ts';
import { linesOf } from './summary-lines.ts';

/** Lines of a text that are checked; the rest of a longer text is left out. */
const LINES_MAX = 2_000;

/**
 * The sentences of a text that its material supports (docs/decisions/0027). A quotation gets the
 * name of its speaker. Empty if there is none.
 * @param threshold lowest support, from 0 to 1
 */
export function provenText(
  text: string,
  material: readonly EvidenceText[],
  threshold: number,
): string {
  const evidence = openEvidence(material, material.length);
  const lines = linesOf(text, LINES_MAX).flatMap((line) => {
    const proof = proveLine(line, evidence);
    if (!holds(proof, threshold)) return [];
    const isNamed = proof.quotation && proof.speakers.length > 0;
    return [{ text: isNamed ? attributed(proof) : line, isNamed }];
  });
  return lines.map((line) => line.text).join(lines.some(({ isNamed }) => isNamed) ? '\n' : ' ');
}
