import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { roomsOf } from './rooms.ts';
import { CHECKOUT, readSources } from './source.ts';

// tsconfig.pure.json knows neither process, nor the DOM, nor timers, so a pure file that asks the world does not compile.
// It compiles everything, which takes minutes on a machine that does other things too.
const COMPILE = { timeout: 600_000 };

// A file leaves its list only by standing under "exclude", where a review sees it.
it('checks every pure file and every workflow without process, DOM and timers', COMPILE, () => {
  const file = join(CHECKOUT, 'tsconfig.pure.json');
  const config = ts.parseJsonConfigFileContent(
    ts.readConfigFile(file, ts.sys.readFile).config,
    ts.sys,
    CHECKOUT,
  );
  const checked = new Set(config.fileNames.map((name) => name.slice(CHECKOUT.length)));
  const rooms = roomsOf(readSources());
  const pure = [...rooms].filter(
    ([, room]) => room === 'pure' || room === 'common' || room === 'workflows',
  );
  expect(pure.filter(([path]) => !checked.has(path)).map(([path]) => path)).toEqual([]);
  const others = [...checked].filter(
    (path) =>
      rooms.has(path) && !['pure', 'common', 'workflows', 'client'].includes(rooms.get(path) ?? ''),
  );
  expect(
    others,
    'these ask the world; node test/house/write-pure-list.ts lists them under exclude',
  ).toEqual([]);

  const program = ts.createProgram(config.fileNames, config.options);
  const worldly = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.includes('/@types/node/'));
  expect(worldly.length, 'something pure imports types that bring in Node').toBe(0);
  const faults = ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file: at, messageText }) =>
        `${at?.fileName.slice(CHECKOUT.length)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  expect(faults).toEqual([]);
});
