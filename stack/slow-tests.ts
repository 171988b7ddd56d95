/**
 * Tests of more than 10 s on two cores that have nothing else to do: the file, words of the title,
 * and why they need the time. `npm test` names all others (stack/test.ts).
 */
export const SLOW_TESTS: readonly (readonly [file: string, title: string, reason: string])[] = [
  [
    'test/house/name-lookups.test.ts',
    'no object is asked for a name from outside',
    'it asks the type checker about all of the source',
  ],
  [
    'test/api/personal-data.test.ts',
    'leaves no node and no history',
    'a deletion begins a minute after its request, and waits for open runs',
  ],
  [
    'test/browser/making.test.ts',
    'makes a scheduled Process',
    'it is the whole way of a new author, with each click and each answer of the API',
  ],
  [
    'test/browser/console.test.ts',
    'makes a Process and talks by keyboard alone',
    'some hundred presses of Tab, each followed by a look at the focus, and two answers',
  ],
];
