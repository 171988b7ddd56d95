import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { roleOf } from './rooms.ts';
import { CHECKOUT, readSources } from './source.ts';

// tsconfig.pure.json knows neither process, nor the DOM, nor timers, so a pure file that asks the
// world does not compile. `npm run typecheck` compiles it.
const file = join(CHECKOUT, 'tsconfig.pure.json');
const config = ts.parseJsonConfigFileContent(
  ts.readConfigFile(file, ts.sys.readFile).config,
  ts.sys,
  CHECKOUT,
);

// The suffixes of docs/ARCHITECTURE.md decide, so the two lists are equal.
it('every pure file and every workflow is compiled without process, DOM and timers', () => {
  const checked = config.fileNames.map((name) => name.slice(CHECKOUT.length));
  const pure = readSources()
    .map(({ path }) => path)
    .filter((path) => ['pure', 'workflows'].includes(roleOf(path)));
  expect(checked.filter((path) => !path.startsWith('types/')).sort()).toEqual(pure.sort());
});

it('nothing pure imports types that bring in Node', () => {
  const worldly = ts
    .createProgram(config.fileNames, config.options)
    .getSourceFiles()
    .filter(({ fileName }) => fileName.includes('/@types/node/'));
  expect(worldly.length).toBe(0);
});
