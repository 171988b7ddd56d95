import { execFile, spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { MemoryRefused, memoryOf, openClient } from '../../packages/client/src/live/index.ts';
import { freshName, client as signsIn, type TestClient } from '../testkit/client.ts';
import { mcpClients } from '../testkit/mcp-client.ts';
import { eventually } from '../testkit/outbox.ts';

// Programs that use Aiden as a user's memory: an MCP host, the client library, Python.

const ada = () => signsIn(freshName('ada'));

const connects = mcpClients();

async function hosts(user: TestClient, name = 'an editor') {
  const host = await connects(user, {}, name);
  const call = async (tool: string, args: Record<string, unknown>) => {
    const answer = await host.callTool({ name: tool, arguments: args });
    const [first] = answer.content as Array<{ text: string }>;
    return { isError: answer.isError === true, text: first?.text ?? '', json: answer };
  };
  return { call, host };
}

const remembered = 'query { conversations { nodes { id title turns { nodes { id } } } } }';
interface Remembered {
  readonly conversations: {
    readonly nodes: ReadonlyArray<{ readonly title: string; readonly turns: { nodes: object[] } }>;
  };
}

describe('an MCP host', () => {
  it('remembers for its user, and another host of the user finds it', async () => {
    const user = ada();
    const editor = await hosts(user);
    const other = await hosts(user, 'a terminal');
    const { tools } = await editor.host.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['remember', 'search_memory', 'forget']);
    const text = 'We deploy quota-relay on Fridays only.';
    expect(await editor.call('remember', { text })).toMatchObject({ isError: false });
    await eventually('the other host finds it', async () =>
      (await other.call('search_memory', { query: 'When is quota-relay deployed?' })).text.includes(
        text,
      ),
    );
    const stranger = await hosts(ada());
    const theirs = await stranger.call('search_memory', { query: 'When is quota-relay deployed?' });
    expect(theirs.text).not.toContain('quota-relay on');
  });

  it('keeps it in one conversation of the month, also for calls at once', async () => {
    const user = ada();
    const editor = await hosts(user);
    const texts = ['My tea is oolong.', 'My desk stands by the window.', 'My bike is a Gazelle.'];
    await Promise.all(texts.map((text) => editor.call('remember', { text })));
    const { conversations } = await user.query<Remembered>(remembered);
    expect(conversations.nodes).toMatchObject([
      { title: expect.stringMatching(/^Remembered by an editor, \d{4}-\d{2}$/) },
    ]);
    expect(conversations.nodes[0]?.turns.nodes).toHaveLength(3);
  });

  it('gets all problems of its arguments in words, and nothing is written', async () => {
    const user = ada();
    const editor = await hosts(user);
    const late = await editor.call('remember', { text: 5, saidAt: 'yesterday' });
    expect(late).toMatchObject({ isError: true });
    expect(late.text).toContain('text');
    expect(late.text).toContain('saidAt');
    expect((await editor.call('remember', { text: '  ' })).text).toContain('text');
    expect((await editor.call('search_memory', {})).text).toContain('query');
    expect((await editor.call('forget', { uuid: 'none' })).isError).toBe(true);
    const { conversations } = await user.query<Remembered>(remembered);
    expect(conversations.nodes.flatMap(({ turns }) => turns.nodes)).toEqual([]);
  });
});

describe('the client library', () => {
  it('adds, searches and forgets', async () => {
    const user = ada();
    const [url, token] = [new URL(user.url).origin, user.authorization.replace('Bearer ', '')];
    const client = openClient({ url, token });
    const memory = memoryOf(client);
    const key = { idempotencyKey: 'one', saidAt: '2026-03-04T10:00:00Z' };
    const first = await memory.add('My dentist is Karin Dahl.', key);
    expect(await memory.add('My dentist is Karin Dahl.', key)).toEqual(first);
    await eventually('it is found', async () => {
      const asked = { limit: 3, kinds: ['EPISODE'] as const };
      const [hit] = (await memory.search('Who is my dentist?', asked)).hits;
      return hit?.text.includes('Karin Dahl') === true && hit.at?.startsWith('2026-03-04') === true;
    });
    expect(await memory.search('Who repairs my bike?')).toMatchObject({
      answerable: false,
      reason: expect.any(String),
      hits: [],
    });
    await expect(memory.add('')).rejects.toThrow(MemoryRefused);
    await expect(memory.forget('none')).rejects.toThrow(MemoryRefused);
    client.close();
  });
});

describe('the Python package', () => {
  const isHere = spawnSync('python3', ['--version']).status === 0;
  it.skipIf(!isHere)('gives the problems of a refusal', async () => {
    const user = ada();
    const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
    const env = {
      ...process.env,
      AIDEN_URL: new URL(user.url).origin,
      AIDEN_TOKEN: user.authorization.replace('Bearer ', ''),
      PYTHONPATH: at('packages/aiden-memory-python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
    };
    const python = async (...args: string[]) =>
      (await promisify(execFile)('python3', args, { env })).stdout;
    const refused = [
      'import os',
      'from aiden_memory import Memory, MemoryRefused',
      "memory = Memory(os.environ['AIDEN_URL'], os.environ['AIDEN_TOKEN'])",
      'for call in (lambda: memory.add(""), lambda: memory.forget("none")):',
      '  try: call()',
      '  except MemoryRefused as error: print([(p.code, p.path) for p in error.problems])',
    ];
    const lines = (await python('-c', refused.join('\n'))).trim().split('\n');
    expect(lines).toEqual([
      "[('REQUIRED', ['input', 'text'])]",
      "[('NOT_FOUND', ['input', 'uuid'])]",
    ]);
  });
});
