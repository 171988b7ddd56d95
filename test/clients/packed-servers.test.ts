import { expect, it } from 'vitest';
import { installInto, packPackage, useIn } from '../../stack/packages.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

it.each([
  ['local-llm', 'Ada lives in Turin. 512'],
  ['gguf-llm', 'Ada does.'],
])('%s, packed and installed in a plain project, answers a request', async (name, answer) => {
  const project = tempFolder(name);
  await installInto(project, name, await packPackage(name, project));
  expect(await useIn(project, name)).toBe(answer);
});
