import { attributed, holds, type LineProof, openEvidence, proveLine } from '../grips/line-proof.ts';
import { chooseLines } from './summary-lines.ts';

/** The parts of a version before its lines are known. */
export interface DraftBody {
  readonly title: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly place: string;
  readonly childNodeIds: readonly string[];
  readonly madeOf: string;
  /** Text to sum up. */
  readonly text: string;
  /** Text before it, for context only. */
  readonly textBefore: string;
  readonly keywords: readonly string[];
  /** Words of a segment that count for the keywords of others. */
  readonly terms: readonly string[];
  /** Texts that can prove a line, in the order they were said. */
  readonly sources: readonly Source[];
  /** Lines that may be chosen without a model: sentences of events, or lines of the children. */
  readonly candidates: readonly (readonly DraftLine[])[];
  /** There are few enough candidates to take them all, without a model. */
  readonly isShort: boolean;
  /** Lines asked of the model. */
  readonly count: number;
  /** When its parts are quiet, so that a model sums them up: Unix milliseconds. */
  readonly quietMs: number;
}

/** A text that can prove a line, with the anchors of the grips it gives. */
export interface Source {
  readonly text: string;
  readonly speakers: readonly string[];
  /** The text as a line of its own; null for an event. */
  readonly line: DraftLine | null;
  readonly anchors: readonly Anchor[];
}

/** A line of a version before it has grips. */
export interface DraftLine {
  readonly text: string;
  readonly support: number;
  readonly quotation: boolean;
  readonly speakers: readonly string[];
  readonly anchors: readonly Anchor[];
}
/** The events of a grip, and its excerpt. */
export interface Anchor {
  readonly excerpt: string;
  readonly sessionId: string;
  readonly eventIdStart: string;
  readonly eventIdEnd: string;
  readonly startKey: string;
  readonly endKey: string;
  readonly timestampMs: number;
}

/** Lines of one node at most (S2-TOC-01). */
export const LINES_MAX = 7;
/** Lines of a node with several parts at least, if its parts have as many. */
const LINES_MIN = 3;

/**
 * The lines of a model's answer that hold, each once, with the events that they rest on. Lines of
 * the children fill up too few.
 * @param threshold lowest support, from 0 to 1
 */
export function provenLines(
  lines: readonly string[],
  { sources, candidates, count, childNodeIds }: DraftBody,
  threshold: number,
): DraftLine[] {
  const isPeriod = childNodeIds.length > 0;
  const evidence = openEvidence(sources, isPeriod ? sources.length : undefined);
  const proven = lines.flatMap((line) => {
    const proof = proveLine(line, evidence);
    return holds(proof, threshold) ? [lineOf(proof, sources)] : [];
  });
  const chosen = chooseLines([proven], Math.min(LINES_MAX, count + 2));
  if (chosen.length === 0 || chosen.length >= LINES_MIN || childNodeIds.length < 2) return chosen;
  const known = new Set(chosen.map(({ text }) => text));
  const more = candidates.map((group) => group.filter(({ text }) => !known.has(text)));
  return chooseLines([chosen, ...more], LINES_MIN);
}

/** Lines chosen without a model: sentences of the events, or lines of the children. */
export function composedLines(
  { candidates, count: asked }: DraftBody,
  count: number = asked,
): DraftLine[] {
  return chooseLines(candidates, count);
}

function lineOf(proof: LineProof, sources: readonly Source[]): DraftLine {
  const rests = proof.rests.flatMap((index) => sources[index] ?? []);
  const [only] = rests;
  // A line of a child that is taken as it is keeps its proof.
  if (proof.quotation && only !== undefined && only.line !== null) return only.line;
  const { support, quotation, excerpt } = proof;
  const isOfEvents = rests.every(({ line }) => line === null);
  const anchors = rests.flatMap((source) => source.anchors);
  const speakers = [...new Set(rests.flatMap((source) => source.speakers))];
  return {
    text: attributed({ ...proof, speakers }),
    support,
    quotation,
    speakers,
    anchors: isOfEvents ? rangeOf(anchors, excerpt) : unique(anchors),
  };
}

/** One anchor from the first event to the last. All events are of one session, in order. */
function rangeOf(anchors: readonly Anchor[], excerpt: string): Anchor[] {
  const [first, last] = [anchors[0], anchors.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [{ ...first, eventIdEnd: last.eventIdEnd, endKey: last.endKey, excerpt }];
}

const unique = (anchors: readonly Anchor[]): Anchor[] => [
  ...new Map(
    anchors.map((one) => [`${one.startKey} ${one.endKey} ${one.excerpt}`, one] as const),
  ).values(),
];
