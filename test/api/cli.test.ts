import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aiden, aidenProcess } from '../testkit/aiden.ts';
import { client, freshName } from '../testkit/client.ts';
import { closing, listening } from '../testkit/listen.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

const folder = tempFolder('cli');
let rest: RestServer;
beforeAll(async () => {
  rest = await openRestServer();
});
afterAll(() => rest.close());

/** A bundle of one Service, one Tool and one Process of these names, and the file it lies in. */
async function bundleFile(path = '/echo'): Promise<{ file: string; name: string }> {
  const name = freshName('greeting');
  const file = join(folder, `${name}.yaml`);
  await writeFile(
    file,
    `aiden: 1
services:
  - name: service of ${name}
    type: rest_api
    protocol: http
    connectionSchema:
      { type: object, properties: { endpoint: { type: string } }, required: [endpoint] }
tools:
  - name: tool of ${name}
    service: service of ${name}
    connectionParams: { endpoint: "${rest.origin}" }
    operation: { type: rest_call, method: POST, path: "${path}", body: { hello: "{{who}}" } }
    inputSchema: { type: object, properties: { who: { type: string } }, required: [who] }
    outputSchema: {}
    mutating: false
processes:
  - name: ${name}
    initialContext: [who, extra]
    steps:
      - stepId: greet
        calls: { tool: tool of ${name} }
        inputs: { who: "{context.who}" }
        output: { variable: greeting }
      - stepId: again
        calls: { tool: tool of ${name} }
        inputs: { who: "{context.extra.name}" }
        output: { variable: second }
    outputTemplate: "{{greeting.body.hello}} and {{second.body.hello}}"
`,
  );
  return { file, name };
}

/** Applies such a bundle as this user; answers the name of its Process. */
async function applied(user: string, path?: string): Promise<string> {
  const { file, name } = await bundleFile(path);
  await aiden(user, ['apply', '-f', file]);
  return name;
}

describe('aiden', () => {
  it('lists its commands with --help, and says so for one it has not', async () => {
    const help = await aiden('ada', ['--help']);
    expect(help.code).toBe(0);
    const commands = 'run runs approvals apply validate export doctor secrets'.split(' ');
    for (const command of commands) expect(help.stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    const unknown = await aiden('ada', ['dance']);
    expect(unknown.code).not.toBe(0);
    expect(unknown.stderr).toContain("unknown command 'dance'");
  });

  it('names the remedy where no API answers, or address or token are not valid', async () => {
    const nobody = await aiden('ada', ['run', 'x'], { url: 'http://127.0.0.1:1' });
    expect(nobody).toMatchObject({ code: 1, stdout: '' });
    expect(nobody.stderr).toMatch(/No answer from http:\/\/127\.0\.0\.1:1.*npm start.*--url/s);
    expect(nobody.stderr).not.toContain('at ');
    for (const url of ['nonsense', 'ftp://127.0.0.1']) {
      const { code, stderr } = await aiden('ada', ['--url', url, 'run', 'x']);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`--url ${url} is no URL`)]);
    }
    // It assumes no identity beyond loopback, and takes no token that is not valid.
    const away = { env: { AIDEN_TOKEN: '' }, url: 'http://aiden.invalid' };
    expect((await aiden('', ['runs'], away)).stderr).not.toContain('signing in');
    const forged = await aiden('ada', ['--token', 'forged', 'run', 'x']);
    expect([forged.code, forged.stderr]).toEqual([1, expect.stringContaining('UNAUTHENTICATED')]);
  });

  it('says in one sentence that another server answers at --url', async () => {
    const other = createServer(({ url }, response) => {
      if (url?.startsWith('/graphql')) response.end(answer);
    });
    const url = `http://${await listening(other)}`;
    let answer = '';
    try {
      for (const text of [
        '{"ok":true}',
        '<html>Not here</html>',
        '[]',
        '"x"',
        '',
        '{"errors":7}',
      ]) {
        answer = text;
        const { code, stdout, stderr } = await aiden('ada', ['--url', url, 'run', 'x']);
        expect([code, stdout]).toEqual([1, '']);
        expect(stderr).toBe(
          `aiden: ${url} answered 200, but not as the API of Aiden does; name the API's ` +
            `origin with --url.\n`,
        );
      }
    } finally {
      await closing(other);
    }
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(
      await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
    );
    const printed = { code: 0, stdout: `${version}\n`, stderr: '' };
    expect(await aiden('ada', ['--version'])).toEqual(printed);
  });
});

describe('apply, validate and export', () => {
  it('apply creates once, and export gives a bundle that can be applied elsewhere', async () => {
    const [ada, bob] = [freshName('ada'), freshName('bob')];
    const { file, name } = await bundleFile();
    const dry = await aiden(ada, ['apply', '-f', file, '--dry-run']);
    expect(dry).toMatchObject({
      code: 0,
      stdout: '3 would be created, 0 would be updated, 0 unchanged\n',
    });
    expect((await aiden(ada, ['apply', '-f', file])).stdout).toBe(
      '3 created, 0 updated, 0 unchanged\n',
    );
    expect((await aiden(ada, ['apply', '-f', file])).stdout).toBe(
      '0 created, 0 updated, 3 unchanged\n',
    );
    const exported = await aiden(ada, ['export']);
    expect(exported.stdout).toContain(`name: ${name}`);
    const elsewhere = await aiden(bob, ['apply', '-f', '-'], { input: exported.stdout });
    expect(elsewhere).toMatchObject({ code: 0, stdout: '3 created, 0 updated, 0 unchanged\n' });
    const output = join(folder, 'exported.yaml');
    expect(await aiden(ada, ['export', '-o', output])).toMatchObject({ code: 0, stdout: '' });
    expect(await readFile(output, 'utf8')).toBe(exported.stdout);
  });

  it('validate lists every fault with its place, writes nothing and exits with 1', async () => {
    const ada = freshName('ada');
    const { file, name } = await bundleFile();
    expect(await aiden(ada, ['validate', '-f', file])).toMatchObject({
      code: 0,
      stdout: `${file} is valid\n`,
    });
    const broken = (await readFile(file, 'utf8'))
      .replace('{context.who}', '{context.nobody}')
      .replace('{{greeting.body.hello}}', '{{missing.body}}');
    const refused = await aiden(ada, ['validate', '-f', '-'], { input: broken });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('nothing was written');
    expect(refused.stderr).toMatch(/UNKNOWN_VARIABLE .*who/);
    expect(refused.stderr.match(/UNKNOWN_VARIABLE/g)).toHaveLength(2);
    const processes = await client(ada).one<{ nodes: object[] }>(
      'query ($query: String) { processes(query: $query) { nodes { id } } }',
      { query: name },
    );
    expect(processes.nodes).toEqual([]);
  });

  it('names a file that can not be read', async () => {
    const { code, stderr } = await aiden('ada', ['apply', '-f', join(folder, 'not-there.yaml')]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Can't read .*not-there\.yaml/);
  });
});

describe('run', () => {
  const ada = freshName('ada');
  let name = '';
  beforeAll(async () => {
    name = await applied(ada);
  });

  it('starts by name, prints each step as it goes and the output at the end', async () => {
    const context = ['--context', 'who=Grace', '-c', 'extra={"name":"Ada"}'];
    const { code, stdout, stderr } = await aiden(ada, ['run', name, ...context, '--watch']);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${name} v1 {2}[0-9a-f-]{36}$`, 'm'));
    expect(stdout).toMatch(/✔ .* greet /);
    expect(stdout.indexOf(' greet ')).toBeLessThan(stdout.indexOf(' again '));
    expect(stdout).toMatch(/✔ .* completed .*2 tool calls/);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('Grace and Ada');
    // No colours outside a terminal.
    expect(stdout).not.toContain('\u001b[');
  });

  it('without --watch prints the id alone, for scripts', async () => {
    const args = ['run', name, '-c', 'who=Grace', '-c', 'extra={}', '--key', freshName('key')];
    const first = await aiden(ada, args);
    expect(first.stdout).toMatch(/^[0-9a-f-]{36}\n$/);
    expect((await aiden(ada, args)).stdout).toBe(first.stdout);
  });

  it('exits with 1 and says why where the run failed', async () => {
    const name = await applied(ada, '/status/400');
    const context = ['-c', 'who=Grace', '-c', 'extra={}'];
    const { code, stdout } = await aiden(ada, ['run', name, ...context, '--watch']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✘ .* greet .*TOOL_FAILED/);
    expect(stdout).toContain('TOOL_FAILED at step greet');
  });

  it('lists missing variables of the context, and names a Process that is not there', async () => {
    const missing = await aiden(ada, ['run', name, '-c', 'other=1']);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('REQUIRED input.context.who');
    expect(missing.stderr).toContain('REQUIRED input.context.extra');
    expect(missing.stderr).toContain('UNKNOWN_VARIABLE input.context.other');
    const unknown = await aiden(ada, ['run', freshName('nothing')]);
    expect(unknown.stderr).toContain('No Process is called');
    const noPair = await aiden(ada, ['run', name, '-c', 'nonsense']);
    expect(noPair.stderr).toContain('key=value');
  });

  it('cancels the run on Ctrl-C and waits for its end', async () => {
    const name = await applied(ada, '/never');
    const { code, stdout, stderr } = await aidenProcess(
      ada,
      ['run', name, '-c', 'who=Grace', '-c', 'extra={}', '--watch'],
      { until: 'running' },
    );
    expect(stderr).toContain('Cancelling the run');
    expect(stdout).toContain('cancelled');
    expect(code).toBe(1);
  });
});

describe('runs', () => {
  it('are listed by Process and status, and one is shown with its steps', async () => {
    const ada = freshName('ada');
    const name = await applied(ada);
    expect((await aiden(ada, ['runs'])).stdout).toBe('No run fits.\n');
    const context = ['-c', 'who=Grace', '-c', 'extra={"name":"Ada"}'];
    const first = (await aiden(ada, ['run', name, ...context, '--watch'])).stdout;
    const id = /v1 {2}([0-9a-f-]{36})/.exec(first)?.[1] ?? '';
    const second = (await aiden(ada, ['run', name, ...context, '--watch'])).stdout;
    const list = await aiden(ada, ['runs', 'list', '--process', name, '--limit', '1']);
    expect(list.stdout).toMatch(new RegExp(`^✔ completed .*${name} v1\\n… and 1 more\\n$`));
    expect(second).toContain(/[0-9a-f-]{36}/.exec(list.stdout)?.[0] ?? 'none');
    expect((await aiden(ada, ['runs', '-s', 'failed'])).stdout).toBe('No run fits.\n');
    const shown = await aiden(ada, ['runs', 'show', id]);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(/✔ .* greet /);
    expect(shown.stdout.trimEnd().split('\n').at(-1)).toBe('Grace and Ada');
    const eve = await aiden(freshName('eve'), ['runs', 'show', id]);
    expect(eve).toMatchObject({ code: 1, stdout: '' });
    expect(eve.stderr).toContain('or it is not yours to see');
    const many = await aiden(ada, ['runs', '--limit', 'many']);
    expect(many.stderr).toContain('whole number from 1 to 200');
    expect((await aiden(ada, ['runs', '-s', 'done'])).stderr).toContain('Allowed choices');
  });
});

describe('approvals', () => {
  async function waiting(ada: string): Promise<{ runId: string; id: string }> {
    const { file, name } = await bundleFile();
    const yaml = (await readFile(file, 'utf8')).replace(
      '        output: { variable: greeting }',
      '        output: { variable: greeting }\n        execution: { interactionMode: manual }',
    );
    await aiden(ada, ['apply', '-f', '-'], { input: yaml });
    const run = await aiden(ada, ['run', name, '-c', 'who=Grace', '-c', 'extra={"name":"Ada"}']);
    const runId = run.stdout.trim();
    let id = '';
    await expect
      .poll(async () => {
        const { stdout } = await aiden(ada, ['approvals', '--run', runId]);
        id = stdout.split('\n')[0] ?? '';
        return stdout;
      })
      .toMatch(new RegExp(`greet of ${name} calls tool of ${name}\\n.*${runId}.*\\n[^]*Grace`));
    return { runId, id };
  }
  const finished = (ada: string, runId: string) =>
    expect.poll(async () => (await aiden(ada, ['runs', 'show', runId])).stdout);

  it('are listed, and approved with other inputs', async () => {
    const ada = freshName('ada');
    const { runId, id } = await waiting(ada);
    const node = 'query ($id: ID!) { node(id: $id) { __typename } }';
    expect(await client(ada).one(node, { id })).toEqual({ __typename: 'Approval' });
    const shown = await aiden(ada, ['runs', 'show', runId]);
    expect(shown.stdout).toMatch(/⏸ {11}greet .*waiting {2}decide it: aiden approvals/);
    const eve = await aiden(freshName('eve'), ['approvals', 'approve', id]);
    expect(eve).toMatchObject({ code: 1, stdout: '' });
    expect(eve.stderr).toContain('it is decided, or it is not yours');
    const odd = ['--inputs', '{"who":{"not":"text"}}'];
    const wrong = await aiden(ada, ['approvals', 'approve', id, ...odd]);
    expect(wrong.stderr).toContain('SCHEMA_VIOLATION input.inputs.who');
    const noJson = await aiden(ada, ['approvals', 'approve', id, '--inputs', 'Joan']);
    expect(noJson.stderr).toContain('--inputs is a JSON object');
    const done = await aiden(ada, ['approvals', 'approve', id, '-i', '{"who":"Joan"}', '-n', 'ok']);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toMatch(/^Approved greet of /);
    await finished(ada, runId).toContain('Joan and Ada');
    expect((await aiden(ada, ['approvals'])).stdout).toBe('No step waits for your decision.\n');
    expect((await aiden(ada, ['approvals', 'approve', id])).code).toBe(1);
  });

  it('are rejected with a reason, and the run ends', async () => {
    const ada = freshName('ada');
    const { runId, id } = await waiting(ada);
    expect((await aiden(ada, ['approvals', 'reject', id, '-n', 'not today'])).code).toBe(0);
    await finished(ada, runId).toMatch(/failed/);
    expect((await aiden(ada, ['approvals', 'reject', 'nonsense'])).code).toBe(1);
  });
});

describe('doctor', () => {
  it('is the admin dev on loopback without a token; prints versions, exits with 0', async () => {
    const { code, stdout, stderr } = await aidenProcess('', ['doctor'], {
      env: { AIDEN_TOKEN: '' },
    });
    expect(stderr).toContain('No --token: signing in to 127.0.0.1 as dev:dev:admin.');
    expect(stdout).toContain('you are dev (user, admin)');
    expect(stdout).toMatch(/✔ Node +version 24/);
    expect(stdout).toMatch(/✔ Neo4j +5\./);
    expect(stdout).toMatch(/✔ Temporal/);
    expect(stdout).toMatch(/✔ API +version \d/);
    expect(stdout).toMatch(/✔ Workers +\d+ for .*rest_call/);
    expect(code, stdout).toBe(0);
  });

  it('tells of the installation that --url names, and of no other', async () => {
    const named = ['doctor', '--url', process.env['AIDEN_TEST_URL'] ?? ''];
    const { code, stdout } = await aidenProcess('ada', named, {
      env: { NEO4J_URI: 'bolt://127.0.0.1:1', TEMPORAL_ADDRESS: '127.0.0.1:1' },
    });
    for (const part of ['API', 'Workers', 'Neo4j', 'Temporal', 'Events'])
      expect(stdout).toMatch(new RegExp(`✔ ${part}`));
    expect(stdout).not.toContain('✘');
    expect(code, stdout).toBe(0);
  });

  it('prints a remedy for each service that does not answer, and exits with 1', async () => {
    const { code, stdout } = await aidenProcess('ada', ['doctor'], {
      url: 'http://127.0.0.1:1',
      env: { NEO4J_URI: 'bolt://127.0.0.1:1', TEMPORAL_ADDRESS: '127.0.0.1:1' },
    });
    for (const part of ['Neo4j', 'Temporal', 'API'])
      expect(stdout).toMatch(new RegExp(`✘ ${part}`));
    expect(stdout).toContain('npm start');
    expect(code).toBe(1);
  });
});

describe('secrets rotate', () => {
  it('lists no token, since it opens the database, and refuses one', async () => {
    const help = await aiden('ada', ['secrets', 'rotate', '--help']);
    expect(help.stdout).not.toContain('--token');
    const { code, stderr } = await aiden('ada', ['--token', 'dev:ada', 'secrets', 'rotate']);
    expect(code).toBe(1);
    expect(stderr).toContain('leave out --token');
  });

  it('needs a key ring that can be read, and names the setting', async () => {
    const { code, stderr } = await aidenProcess('ada', ['secrets', 'rotate'], {
      env: { AIDEN_SECRET_KEYS: 'k1:short' },
    });
    expect(code).toBe(1);
    expect(stderr).toContain('AIDEN_SECRET_KEYS');
    expect(stderr).not.toContain('short');
  });
});
