import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installInto, packPackage, useIn } from '../../stack/packages.ts';

it.each([
  ['local-llm', 'Ada lives in Turin. 512'],
  ['gguf-llm', 'Ada does.'],
])('%s, packed and installed in a plain project, answers a request', async (name, answer) => {
  const project = await mkdtemp(join(tmpdir(), `aiden-${name}-`));
  try {
    await installInto(project, name, await packPackage(name, project));
    expect(await useIn(project, name)).toBe(answer);
  } finally {
    await rm(project, { recursive: true, force: true });
  }
});
