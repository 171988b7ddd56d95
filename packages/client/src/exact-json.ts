/**
 * Parses JSON from outside. A number whose digits a JavaScript number would change arrives as the
 * text of its digits: `{"id": 7615917337495251231}` gives `{id: '7615917337495251231'}`, and 1e400,
 * which has no number, gives '1e400'. All other numbers stay numbers: 2.50, 1e308,
 * 9007199254740991. Fractions below 2^53 stay numbers too, as close as a double comes
 * (docs/decisions/0096).
 * @throws SyntaxError as JSON.parse does
 */
export function parseJson(text: string): unknown {
  // Parsing first proves that the text is JSON. The scan below relies on it.
  const value: unknown = JSON.parse(text);
  if (!MAY_LOSE.test(text)) return value;
  const exact = withExactNumbers(text);
  return exact === null ? value : JSON.parse(exact);
}

/** A run of digits that a double may not hold, or an exponent that it may not hold. */
const MAY_LOSE = /[\d.]{16}|[eE][+-]?\d{3}/;
const TOKEN = /"|-?\d[\d.eE+-]*/g;

/** The JSON text with quotes around each number that would lose digits; null where none does. */
function withExactNumbers(text: string): string | null {
  const parts: string[] = [];
  let copied = 0;
  const tokens = new RegExp(TOKEN);
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    const [found] = token;
    if (found === '"') {
      tokens.lastIndex = endOfString(text, token.index);
    } else if (losesDigits(found)) {
      parts.push(text.slice(copied, token.index), '"', found, '"');
      copied = token.index + found.length;
    }
  }
  return parts.length === 0 ? null : [...parts, text.slice(copied)].join('');
}

/** The index after the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

const WHOLE = /^-?(?:0|[1-9]\d*)$/;

/**
 * Whether a JavaScript number changes the digits of this JSON number: a whole number beyond 2^53,
 * or a number that is too large or too small for a double.
 */
export function losesDigits(numeral: string): boolean {
  const number = Number(numeral);
  if (Number.isSafeInteger(number)) return number === 0 && digitsOf(numeral) !== '';
  if (Math.abs(number) < Number.MAX_SAFE_INTEGER) return false;
  if (WHOLE.test(numeral)) return String(number) !== numeral;
  return !Number.isFinite(number) || digitsOf(numeral) !== digitsOf(String(number));
}

/** A number as `parseJson` gives it: as a number, or as text where that would lose digits. */
export function exactNumber(numeral: string): number | string {
  return losesDigits(numeral) ? numeral : Number(numeral);
}

/** The significant digits of a JSON number: `-120.50e3` has `1205`. */
function digitsOf(numeral: string): string {
  const digits = (numeral.split(/[eE]/, 1)[0] ?? '').replaceAll(/[-+.]/g, '').replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/**
 * Whether this text is a whole number beyond 2^53, as `parseJson` keeps it. Schemas take such a
 * text where they want a number, and it stays text.
 */
export function isBigWholeNumber(text: string): boolean {
  return WHOLE.test(text) && !Number.isSafeInteger(Number(text));
}

/** Longer texts are no numbers that a person wrote, and slow to reckon with. */
const NUMERAL_CHARS_MAX = 400;
const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Whether this text is a number that `parseJson` keeps as text: a whole number beyond 2^53 or one
 * with a fraction, without an exponent. Schemas take it as a number and as text.
 */
export function isBigNumeral(text: string): boolean {
  // A double holds the digits of shorter numbers. Most texts end here.
  if (text.length < 16 || text.length > NUMERAL_CHARS_MAX) return false;
  return PLAIN.test(text) && losesDigits(text);
}
