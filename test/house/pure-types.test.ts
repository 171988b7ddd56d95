import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { roleOf } from './rooms.ts';
import { CHECKOUT, readSources } from './source.ts';

// tsconfig.pure.json knows neither process, nor the DOM, nor timers, so a pure file that asks the
// world does not compile. It compiles everything, which takes minutes on a machine that does other
// things too.
const COMPILE = { timeout: 600_000 };

// The suffixes of docs/ARCHITECTURE.md decide, so the two lists are equal.
it('checks every pure file and every workflow without process, DOM and timers', COMPILE, () => {
  const file = join(CHECKOUT, 'tsconfig.pure.json');
  const config = ts.parseJsonConfigFileContent(
    ts.readConfigFile(file, ts.sys.readFile).config,
    ts.sys,
    CHECKOUT,
  );
  const checked = config.fileNames.map((name) => name.slice(CHECKOUT.length));
  const pure = readSources()
    .map(({ path }) => path)
    .filter((path) => ['pure', 'workflows'].includes(roleOf(path)));
  expect(checked.filter((path) => !path.startsWith('types/')).sort()).toEqual(pure.sort());

  const program = ts.createProgram(config.fileNames, config.options);
  const worldly = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.includes('/@types/node/'));
  expect(worldly.length, 'something pure imports types that bring in Node').toBe(0);
  const faults = ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file: at, messageText }) =>
        `${at?.fileName.slice(CHECKOUT.length)}: ` +
        `${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  expect(faults).toEqual([]);
});
