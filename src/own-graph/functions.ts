/** A function of values that a query may call. */
export interface ValueFunction {
  /** As the database spells it. */
  readonly name: string;
  readonly args: readonly [min: number, max: number];
  /** Whether it is also allowed in the value of a list comprehension: it builds no new text. */
  readonly small: boolean;
  /**
   * Maximum length of its texts; null: the limits of all functions. A longer one fails the query.
   */
  readonly charsMax: number | null;
}

/** Maximum length of a text that is read as a number or time: 250,000 digits take seconds. */
export const PARSED_TEXT_CHARS_MAX = 400;
/** Maximum length of a text that `split` takes, since its result has many times its size. */
export const SPLIT_TEXT_CHARS_MAX = 16_000;

const list = (
  names: string,
  args: ValueFunction['args'],
  { small = false, charsMax = null }: Partial<ValueFunction> = {},
): ValueFunction[] => names.split(' ').map((name) => ({ name, args, small, charsMax }));

const PARSED = { charsMax: PARSED_TEXT_CHARS_MAX };

/**
 * Functions whose arguments and result are values, by their name in lower case. Left out are those
 * that multiply their input (`replace`, `reduce`), read graphs (`nodes`, `startNode`, `properties`)
 * or cannot be stopped (regular expressions).
 */
export const VALUE_FUNCTIONS: ReadonlyMap<string, ValueFunction> = new Map(
  [
    ...list('toInteger toFloat toBoolean', [1, 1], { ...PARSED, small: true }),
    ...list('abs ceil floor sign sqrt', [1, 1], { small: true }),
    ...list('round', [1, 2], { small: true }),
    ...list('toString toLower toUpper trim ltrim rtrim', [1, 1]),
    ...list('left right', [2, 2]),
    ...list('split', [2, 2], { charsMax: SPLIT_TEXT_CHARS_MAX }),
    ...list('substring', [2, 3]),
    ...list('date datetime localdatetime time localtime', [0, 1], PARSED),
    ...list('duration', [1, 1], PARSED),
    ...list('duration.between duration.inDays duration.inSeconds duration.inMonths', [2, 2]),
    ...list('date.truncate datetime.truncate', [2, 2]),
  ].map((known) => [known.name.toLowerCase(), known]),
);

/** Functions that the compiler knows one by one. */
const OTHER_FUNCTIONS = [
  ...['count', 'collect', 'sum', 'avg', 'min', 'max'],
  ...['coalesce', 'size', 'head', 'last', 'tail', 'reverse', 'range', 'type'],
] as const;

export const AGGREGATIONS: ReadonlySet<string> = new Set([
  ...['count', 'collect', 'sum', 'avg', 'min', 'max'],
]);

export const FUNCTION_NAMES = [
  ...OTHER_FUNCTIONS,
  ...[...VALUE_FUNCTIONS.values()].map(({ name }) => name),
].sort();
