import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CHECKOUT } from './source.ts';

const ROOMS = ['schema', 'src', 'workflows', 'activities', 'cli', 'console', 'packages', 'stack'];

/**
 * A cut by a number of characters: `.slice(0, 200)`, `.slice(-TEXT_CHARS_MAX)`, and
 * `${name.slice(0, 50)}` in a message.
 */
const CUT =
  /\.(?:slice|substring|substr)\((?:0, *|-)(?:[\d_]{3,}|[\w.]*(?:CHARS|[cC]hars)\w*)(?: - 1)?\)|(?<=\$\{[\w.]+)\.(?:slice|substring)\(0, \d\d\)(?=\})/g;
/**
 * Texts of ours that hold no characters beyond ASCII, and texts that are made well formed at once.
 */
const OURS =
  /toISOString\(\)\s*$|digest\('(?:hex|base64url)'\)\s*$|instantOf\(\w+\)\s*$|\bhex\s*$|\bdigest\s*$|sha\([^)]*\)+\s*$/;
const MENDED = /^\s*\.(?:toWellFormed\(\)|replace\(\/\[\\uD800-\\uDBFF\]\$\/)/;
/**
 * Lists, ASCII by their pattern, and texts that are only searched. Add a place only for such a
 * reason.
 */
const KNOWN: readonly string[] = [
  ...'src/call-graph/call-file.ts src/catalog/services/endpoint.ts'.split(' '),
  ...'src/platform/drivers/http-failure.ts'.split(' '),
  ...'src/processes/definition/definition.ts'.split(' '),
  ...'src/platform/blobs/blob-store.ts cli/commands/memory.ts'.split(' '),
  ...'packages/gguf-llm/src/runtime.ts packages/local-llm/src/language.ts'.split(' '),
  ...'packages/local-llm/src/rank.ts packages/local-llm/src/schema-values.ts'.split(' '),
  ...'packages/local-llm/src/source.ts src/platform/drivers/thoughts.ts'.split(' '),
  ...'stack/test.ts stack/containers/installation.ts'.split(' '),
];
/** The files of a room, not parsed: this looks at texts only. */
function sourcesOf(room: string): { path: string; text: string }[] {
  return readdirSync(join(CHECKOUT, room), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/node_modules|\bdist\b/.test(path))
    .map((path) => {
      const text = readFileSync(join(CHECKOUT, room, path), 'utf8');
      return { path: `${room}/${path}`, text };
    });
}

const HOME = 'src/common/well-formed.ts';

it('texts are cut by firstChars, lastChars or withEllipsis, never inside a character', () => {
  const cuts = ROOMS.flatMap(sourcesOf)
    .filter(({ path }) => path !== HOME && !path.startsWith('src/own-graph/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(CUT)]
        .filter(({ index }) => !OURS.test(text.slice(Math.max(0, index - 200), index)))
        .filter(({ index, 0: cut }) => !MENDED.test(text.slice(index + cut.length)))
        .map(({ index }) => `${path}:${text.slice(0, index).split('\n').length}`),
    );
  const unknown = cuts.filter((cut) => !KNOWN.includes(cut.replace(/:\d+$/, '')));
  expect(unknown).toEqual([]);
  // A place that cuts no more leaves the list.
  expect(KNOWN.filter((path) => !cuts.some((cut) => cut.startsWith(`${path}:`)))).toEqual([]);
});
