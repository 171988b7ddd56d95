import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aiden } from '../testkit/aiden.ts';
import { client, freshName } from '../testkit/client.ts';
import { eventually } from '../testkit/outbox.ts';
import { tells } from '../testkit/talk-world.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

const folder = tempFolder('memory');

const memory = (user: string, args: readonly string[], input = '') =>
  aiden(user, ['memory', ...args], { input });

it('a transcript is imported once, line by line, and browsed down to its words', async () => {
  const ada = freshName('ada');
  const at = (minute: number) => `2024-01-15T09:0${minute}:00.000Z`;
  const said = (minute: number, role: string, content: unknown) => ({
    ...{ type: role, sessionId: 's', timestamp: at(minute) },
    message: { role, content },
  });
  const lines = [
    said(0, 'user', 'Read the config file'),
    said(1, 'assistant', [{ type: 'text', text: 'It is empty.' }]),
    { session_id: 's', timestamp: at(2), event_type: 'SessionEnd', role: 'System', text: '' },
  ].map((line) => JSON.stringify(line));
  const file = join(folder, 'talk.jsonl');
  const dance = { session_id: 's', timestamp: at(3), event_type: 'Dance', role: 'User', text: 'x' };
  const bad = JSON.stringify(dance);
  await writeFile(file, [...lines, 'no json', bad].join('\n'));
  const first = await memory(ada, ['import', file]);
  expect(first.stdout).toBe(`${file}: 3 new, 0 known\n`);
  expect(first.code).toBe(1);
  expect(first.stderr).toContain(`${file}:4 is no JSON`);
  expect(first.stderr).toContain(`${file}:5 INVALID eventType`);
  await writeFile(file, lines.join('\n'));
  expect(await memory(ada, ['import', file])).toEqual({
    code: 0,
    stdout: `${file}: 0 new, 3 known\n`,
    stderr: '',
  });
  expect((await memory(ada, ['import', join(folder, 'none')])).stderr).toContain("Can't read");

  const api = client(ada);
  await eventually(
    'it is summed up',
    async () => (await api.one<unknown[]>('{ tocRoot { nodeId } }')).length > 0,
  );
  const asked = await eventually('it is found', async () => {
    const found = await memory(ada, ['ask', 'config', 'file']);
    return found.stdout.includes('user: Read the config file') && found;
  });
  expect(asked.stdout).toContain('toc:day:2024-01-15');
  expect((await memory(freshName('bob'), ['ask', 'config'])).stdout).toContain('Nothing that is');
  const walked = await memory(ada, ['browse'], '1\n1\n1\n1\n1\nu\nq\n');
  expect(walked.code).toBe(0);
  for (const shown of [
    '2024',
    'January 2024',
    'Jan 15-21',
    'Monday, January 15, 2024',
    '09:00-09:02',
    '09:00 user: Read the config file',
    '(session_end)',
  ])
    expect(walked.stdout).toContain(shown);
  expect((await memory(ada, ['browse', 'toc:day:1999-01-01'])).stderr).toContain(
    'Nothing is remembered',
  );
  expect((await memory(freshName('bob'), ['browse'])).stdout).toContain(
    'Nothing is remembered yet.',
  );
});

it('finds an entity, lists everything that goes with it, and forgets it after a yes', async () => {
  const ada = freshName('ada');
  const api = client(ada);
  await tells(api, 'Mara Quist lives in Lisbon.');
  await expect
    .poll(async () => (await memory(ada, ['find', 'Mara', 'Quist', 'lives'])).stdout)
    .toMatch(/Mara Quist {2}Entity:.*Fact:|Fact:.*Mara Quist {2}Entity:/s);
  const { stdout } = await memory(ada, ['find', 'Mara', 'Quist', 'lives']);
  const [, entityId = ''] = /Mara Quist {2}(Entity:\S+)/.exec(stdout) ?? [];
  const [, factId = ''] = /(Fact:\S+)/.exec(stdout) ?? [];

  const declined = await memory(ada, ['forget', factId], 'n\n');
  expect(declined.stdout).toMatch(/Goes with it: 1 fact.*Forget it\? \[y\/N\]/s);
  expect(declined).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was') });
  expect((await memory(ada, ['forget', factId])).code).toBe(1);
  const forgotten = await memory(ada, ['forget', factId], 'y\n');
  expect(forgotten.stdout).toContain('Forgotten.');
  expect(forgotten.code).toBe(0);

  const foreign = await memory(freshName('bob'), ['forget', entityId, '--yes']);
  expect(foreign.stderr).toContain('You have no entity and no fact with the id');
  const sure = await memory(ada, ['forget', entityId, '--yes']);
  expect(sure.stdout).not.toContain('[y/N]');
  expect(sure.stdout).toContain('Forgotten.');
  const entities = await api.one<{ nodes: { name: string }[] }>(
    '{ entities(query: "Mara Quist") { nodes { name } } }',
  );
  expect(entities.nodes.map(({ name }) => name)).not.toContain('Mara Quist');
});
