import { keyOf } from '../../memory-graph/search/candidate.ts';
import { asksFor, type StatementOf } from '../../memory-graph/search/ended.ts';
import { wordsIn } from '../../text/words.ts';
import { type Called, onceEach } from './recall.ts';

/**
 * The things without statements that have ended: the turn that ended one stands in its place. Of an
 * Episode that says more, the rest stays. Of several that ended, those that were asked for count.
 * Other things that mostly repeat an ended statement are left out.
 * @param stated the statements of each Episode, by its uuid
 * @param asked stems of the question
 */
export function withoutEnded(
  called: readonly Called[],
  stated: ReadonlyMap<string, readonly StatementOf[]>,
  asked: readonly string[],
): Called[] {
  const ended = [...stated.values()].flat().flatMap(({ text, isOver }) => (isOver ? [text] : []));
  return onceEach(
    called.flatMap((one) => {
      const { thing } = one;
      // A line of the table of contents or an event that quotes it, too.
      if (thing.kind !== 'episode') {
        if (ended.some((text) => repeats(thing.text, text))) return [];
        return { ...one, thing: { ...thing, text: without(thing.text, ended) } };
      }
      const statements = stated.get(thing.uuid) ?? [];
      const over = statements.filter(({ isOver }) => isOver);
      if (over.length === 0) return [one];
      const fitting = over.filter((statement) => asksFor(asked, statement));
      const later = (fitting.length > 0 ? fitting : over).flatMap(
        ({ text: corrects, endedBy }): Called[] => {
          if (endedBy === null) return [];
          const { uuid, text, speaker } = endedBy;
          const key = keyOf({ kind: 'episode', uuid });
          return [
            { ...one, thing: { ...thing, key, uuid, text, speaker, window: null }, corrects },
          ];
        },
      );
      const text = without(
        thing.text,
        over.map((statement) => statement.text),
      );
      const holds = over.length < statements.length && /\p{L}/u.test(text);
      return holds ? [...later, { ...one, thing: { ...thing, text } }] : later;
    }),
  );
}

const JOINING = 'and|but|und|aber|y|pero';
// After the label of a speaker and a quotation mark.
const JOINED_BEFORE = new RegExp(`^((?:[^"“:]{1,60}: )?["“]?)[ ,;]*(?:(?:${JOINING}) )?`, 'iu');
const JOINED_AFTER = new RegExp(`(?:[ ,;]+(?:${JOINING}))?[ ,;]*(["”]?) ?$`, 'iu');

/** A text without these parts of it, and without the words that joined them to the rest. */
function without(text: string, parts: readonly string[]): string {
  const left = parts.reduce((rest, part) => rest.replace(part, ' '), text);
  if (left === text) return text;
  // Long runs of spaces and commas would take the next pattern a time with their square.
  const short = left.replace(/\s+/g, ' ').replace(/(?:[,;] ?){2,}/g, ', ');
  return short.replace(JOINED_BEFORE, '$1').replace(JOINED_AFTER, '$1');
}

/** The share of the words of a text that has to be the statement's. */
const REPEATED_SHARE = 0.5;

function repeats(text: string, statement: string): boolean {
  const [said, stated] = [wordsIn(text), wordsIn(statement)];
  return (
    stated.length >= said.length * REPEATED_SHARE &&
    ` ${said.join(' ')} `.includes(` ${stated.join(' ')} `)
  );
}
