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
    'it is the whole way of a new author, each control reached by Tab and looked at for its ring',
  ],
  [
    'test/browser/axe.test.ts',
    'has nothing serious for axe on',
    'axe looks at each element of a screen, three times, once it is drawn',
  ],
  [
    'test/browser/working.test.ts',
    'tries a text that is not saved',
    'two runs, each until its end, and a leave that asks',
  ],
  [
    'test/native/native-stack.test.ts',
    'are all known: Temporal listens on no other',
    'it starts a Neo4j and a Temporal, and calls each of their ports',
  ],
  [
    'test/indexes/search-relevance.test.ts',
    'a default search shows the answering turn',
    'a talk is stored turn by turn and embedded first',
  ],
  [
    'test/graph/blob-sweep.test.ts',
    'an old upload stays',
    'it stores one of everything that can name a blob',
  ],
  [
    'test/graph/personal-data.test.ts',
    'leaves nothing of the user in the database',
    'it makes one of everything that a user can own, and looks for all of it afterwards',
  ],
  [
    'test/temporal/lost-tries.test.ts',
    'an activity whose tries end their process',
    'a process ends twice, and Temporal notices each end',
  ],
  [
    'test/browser/console.test.ts',
    'talks by keyboard alone',
    'two answers, and a look at the focus at each press of Tab',
  ],
  [
    'test/browser/console.test.ts',
    'marks what follows a dropped version',
    'three messages and an edit, each with its answer',
  ],
  [
    'test/browser/sign-in.test.ts',
    'signs in at an OpenID provider',
    'tokens are renewed and end by the clock',
  ],
  ['test/api/start.test.ts', 'runs the tour', 'it starts and stops a whole product'],
  [
    'test/clients/packed-servers.test.ts',
    'packed and installed in a plain project',
    'npm packs and installs, and a model is loaded',
  ],
  [
    'test/temporal/rolling-upgrade.test.ts',
    'Workers of an older and a newer build',
    'Workers of two builds start and stop three times, with runs between',
  ],
  [
    'test/temporal/conversations.test.ts',
    'a worker that is killed while an answer streams',
    'Temporal misses the heartbeat of the lost call after its limit of time',
  ],
  [
    'test/temporal/payload-encryption.test.ts',
    'fail the workflow task',
    'Temporal tries a failed workflow task again after ten seconds',
  ],
  [
    'test/temporal/payload-encryption.test.ts',
    'let a step wait for the missing key',
    'the step is tried again in its own time, once the key is back',
  ],
  [
    'test/graph/drivers-graph-query.test.ts',
    'gives up after 10 s',
    'the product waits for ten seconds',
  ],
  [
    'test/graph/relay.test.ts',
    "while Neo4j's clock is set forward",
    'a lease has to run out twice',
  ],
];
