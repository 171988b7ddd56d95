import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { client, freshName } from '../testkit/client.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { runWorld } from '../testkit/run-world.ts';

// The client preset of GraphQL Code Generator, as a frontend uses it: test/testkit/typed-screens is
// the project.

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

let project: string;
let rest: RestServer;
beforeAll(async () => {
  rest = await openRestServer();
  project = await mkdtemp(join(tmpdir(), 'aiden-typed-'));
  await cp(join(CHECKOUT, 'test/testkit/typed-screens'), project, { recursive: true });
  await cp(join(CHECKOUT, 'schema/schema.graphql'), join(project, 'schema.graphql'));
  await symlink(join(CHECKOUT, 'node_modules'), join(project, 'node_modules'));
});
afterAll(async () => {
  await rest.close();
  await rm(project, { recursive: true, force: true });
});

const runs = async (path: string, ...args: string[]) => {
  const bin = join(CHECKOUT, 'node_modules', path);
  const { stdout } = await run(process.execPath, [bin, ...args], { cwd: project }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${path} failed: ${error.stdout}${error.stderr}`);
    },
  );
  return stdout;
};

it('types the documents of several screens under strict TypeScript, and runs them', async () => {
  await runs('@graphql-codegen/cli/esm/bin.js', '--config', 'codegen.json');
  // The screens hold errors that the types find: `@ts-expect-error` fails without one.
  expect(await runs('typescript/bin/tsc', '--project', '.')).toBe('');

  const ada = client(freshName('ada'));
  const world = await runWorld(ada, rest);
  const name = freshName('typed');
  await world.createsProcess([{ stepId: 'greet' }], { name });
  const tool = await ada.one<{ service: { id: string } }>(
    'query ($id: ID!) { tool(id: $id) { service { id } } }',
    { id: world.toolId },
  );
  const args = [ada.url, ada.authorization, tool.service.id, rest.origin];
  const { stdout } = await run(process.execPath, ['src/main.ts', ...args], { cwd: project });
  expect(JSON.parse(stdout)).toEqual({
    created: 'Read the time',
    errors: [],
    total: 1,
    rows: [{ name, version: 1, calls: ['POST /echo'] }],
  });
});
