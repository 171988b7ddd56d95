const isOfWord = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}_]/u.test(sign);

/** The places at which a text has the wanted words whole: not as a part of a longer word. */
export function* wholeWordsAt(text: string, wanted: string): Generator<number> {
  if (wanted === '') return;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const [before, after] = [text[at - 1], text[at + wanted.length]];
    const opens = !(isOfWord(before) && isOfWord(wanted[0]));
    const ends = !(isOfWord(after) && isOfWord(wanted.at(-1)));
    if (opens && ends) yield at;
  }
}
