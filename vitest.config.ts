import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SLOW_TESTS } from './stack/slow-tests.ts';

// graphql ships CommonJS and ES modules; Pothos and the tests have to meet in one of them, or
// printSchema refuses.
const graphql = fileURLToPath(new URL('node_modules/graphql/index.js', import.meta.url));
const alias = [{ find: /^graphql$/, replacement: graphql }];

/**
 * Neo4j throws away the plans of all statements when an index comes or goes. So these begin when
 * the tests in test/indexes have ended.
 */
const AFTER_INDEXES = new Set(['graph', 'temporal']);

/** A file of these stops servers and changes the process that it runs in. */
const ALONE = new Set(['native', 'installations', 'faults', 'clients', 'replay']);

/**
 * One project per kind of need; see CONTRIBUTING.md, Tests. The timeouts only end what hangs; a
 * busy machine is no fault.
 */
const project = (
  name: string,
  setup: string[],
  timeout: number,
  env: Record<string, string> = {},
  include: string[] = [`test/${name}/**/*.test.ts`],
) => ({
  resolve: { alias },
  test: {
    name,
    env,
    include,
    globalSetup: setup,
    testTimeout: timeout,
    hookTimeout: timeout * 2,
    expect: { poll: { timeout: timeout / 3, interval: 100 } },
    pool: 'forks' as const,
    setupFiles: ['test/testkit/tidy-process.ts'],
    // Files of one process share its modules: to load them takes half a second of each file.
    isolate: ALONE.has(name),
    sequence: { groupOrder: AFTER_INDEXES.has(name) ? 1 : 0 },
  },
});

/** For files that ask the running app. */
const ofTheApp = ({ resolve, test }: ReturnType<typeof project>) => ({
  resolve,
  test: { ...test, setupFiles: [...test.setupFiles, 'test/testkit/probes-first.ts'] },
});

/** A Neo4j that lives for a minute: its second compiler would take more time than it saves. */
const SHORT_LIVED_NEO4J = { JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' };

/** In a project, files with slow tests run first: at its end, one of them would run alone. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) =>
      SLOW_TESTS.some(([file]) => moduleId.endsWith(file));
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...byProject.values()].flatMap((all) => [
      ...all.filter(isSlow),
      ...all.filter((file) => !isSlow(file)),
    ]);
  }
}

export default defineConfig({
  test: {
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    reporters: ['default'],
    projects: [
      project('pure', [], 240_000),
      project('house', [], 480_000),
      project('replay', [], 120_000),
      project('clients', [], 480_000),
      // The edges that need the running app are tested in the pass of the api tests.
      project('foreign', [], 240_000, {}, ['test/foreign/*.test.ts']),
      project('native', [], 1_200_000, SHORT_LIVED_NEO4J),
      project('indexes', ['test/testkit/stack-setup.ts'], 300_000),
      project('graph', ['test/testkit/stack-setup.ts'], 300_000),
      project('temporal', ['test/testkit/stack-setup.ts'], 480_000),
      ofTheApp(
        project('api', ['test/testkit/app-setup.ts'], 480_000, {}, [
          'test/api/**/*.test.ts',
          'test/conformance/*.test.ts',
          'test/foreign/app/*.test.ts',
        ]),
      ),
      ofTheApp(project('browser', ['test/browser/setup.ts'], 240_000)),
      // `npm run faults` runs these two; `npm test` does not. A test that starts two installations
      // takes three minutes.
      project('installations', [], 1_200_000, SHORT_LIVED_NEO4J, [
        'test/faults/installations/*.test.ts',
      ]),
      project('faults', ['test/testkit/stack-setup.ts'], 480_000, {}, ['test/faults/*.test.ts']),
    ],
  },
});
