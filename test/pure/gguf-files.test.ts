import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fetchModel } from '../../packages/gguf-llm/src/fetch-model.ts';
import { checkGguf } from '../../packages/gguf-llm/src/gguf-file.ts';
import { modelNameOf, parseModelSource } from '../../packages/gguf-llm/src/model-source.ts';
import { openModelHub } from '../testkit/model-hub.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

const folder = tempFolder('gguf');

const MODEL = Buffer.concat([Buffer.from('GGUF\u0003\0\0\0'), Buffer.alloc(300_000, 'weights ')]);
const AT = 'acme/small-gguf/resolve/main';
let count = 0;
const fresh = () => join(folder, `cache-${++count}`);

function source(text: string) {
  const parsed = parseModelSource(text);
  if (parsed.kind !== 'hf') throw new Error('This is no file of a hub.');
  return parsed;
}

const fetches = (
  url: string,
  { file = 'small.gguf', cache = fresh(), token = null as string | null, say = (_: string) => {} },
) => fetchModel({ url, token }, source(`hf:acme/small-gguf:${file}`), cache, say);

describe('the source of a model', () => {
  it('is a file, or a file of a hub at a revision', () => {
    expect(parseModelSource('gguf:/models/a b.gguf')).toEqual({
      kind: 'gguf',
      path: '/models/a b.gguf',
    });
    expect(parseModelSource('hf:acme/small-gguf:q4/small.gguf')).toEqual({
      kind: 'hf',
      repository: 'acme/small-gguf',
      revision: 'main',
      file: 'q4/small.gguf',
    });
    expect(source('hf:acme/small@v1:s.gguf').revision).toBe('v1');
    expect(modelNameOf(parseModelSource('gguf:/x/small-q4-00001-of-00002.gguf'))).toBe('small-q4');
  });

  it.each(['small.gguf', 'hf:small.gguf', 'hf:a/b:../../x.gguf', 'hf:a/b:model.bin', 'gguf:', ''])(
    'is not "%s"',
    (text) => expect(() => parseModelSource(text)).toThrow('gguf:/path/model.gguf'),
  );
});

describe('a model of a hub', () => {
  it('is fetched once, with progress, and resumes where it broke off', async () => {
    const hub = await openModelHub({ [`${AT}/small.gguf`]: MODEL });
    const cache = fresh();
    const said: string[] = [];
    hub.breakOffAfter(100_000, 50_000);
    const fetched = () => fetches(hub.url, { cache, say: (line) => void said.push(line) });
    const path = await fetched();
    expect(await readFile(path)).toEqual(MODEL);
    expect(path.startsWith(cache)).toBe(true);
    const ranges = hub.requests
      .filter(({ method, path: asked }) => method === 'GET' && asked.startsWith('/cdn/'))
      .map(({ headers }) => Number(/\d+/.exec(headers.range ?? '0')?.[0]));
    expect(ranges).toHaveLength(3);
    expect(ranges[0]).toBe(0);
    expect(ranges[1]).toBeGreaterThan(0);
    expect(ranges[2]).toBeGreaterThan(ranges[1] ?? 0);
    expect(said.join('\n')).toMatch(/Fetching small\.gguf[\s\S]* % of small\.gguf[\s\S]*SHA-256/);

    const asked = hub.requests.length;
    expect(await fetched()).toBe(path);
    expect(hub.requests).toHaveLength(asked);
    await hub.close();
  });

  it('is fetched in all its parts', async () => {
    const parts = {
      [`${AT}/m-00001-of-00002.gguf`]: MODEL,
      [`${AT}/m-00002-of-00002.gguf`]: MODEL,
    };
    const hub = await openModelHub(parts);
    const first = await fetches(hub.url, { file: 'm-00001-of-00002.gguf' });
    expect(first.endsWith('m-00001-of-00002.gguf')).toBe(true);
    expect(await readFile(first.replace('00001-of', '00002-of'))).toEqual(MODEL);
    await hub.close();
  });

  it('is thrown away when its SHA-256 differs, and says so', async () => {
    const hub = await openModelHub({ [`${AT}/small.gguf`]: MODEL }, { sha256: '0'.repeat(64) });
    const cache = fresh();
    const fetched = fetches(hub.url, { cache });
    await expect(fetched).rejects.toThrow('its SHA-256 is not that of the hub');
    const path = join(cache, 'models', 'acme--small-gguf', 'main', 'small.gguf');
    await expect(checkGguf(path)).rejects.toThrow('There is no file');
    await expect(checkGguf(`${path}.part`)).rejects.toThrow('There is no file');
    await hub.close();
  });

  it('is no longer than the hub said, whatever comes', async () => {
    const more = Buffer.alloc(2_000_000, 'more');
    const hub = await openModelHub({ [`${AT}/small.gguf`]: MODEL }, { more });
    const cache = fresh();
    const fetched = fetches(hub.url, { cache });
    await expect(fetched).rejects.toThrow(`longer than the ${MODEL.length} bytes of the hub`);
    const path = join(cache, 'models', 'acme--small-gguf', 'main', 'small.gguf');
    expect((await readFile(`${path}.part`)).length).toBe(0);
    expect(hub.requests.filter(({ method }) => method === 'GET').length).toBeLessThan(3);
    await hub.close();
  });

  it('names the remedy where the hub refuses, has no such file, or does not answer', async () => {
    const hub = await openModelHub({ [`${AT}/small.gguf`]: MODEL }, { token: 'hf_1' });
    const ask = (url: string, token: string | null, file?: string) =>
      fetches(url, { token, ...(file === undefined ? {} : { file }) });
    await expect(ask(hub.url, null)).rejects.toThrow('AIDEN_HUB_TOKEN');
    await expect(ask(hub.url, 'hf_1', 'other.gguf')).rejects.toThrow('check owner, name and file');
    expect(await ask(hub.url, 'hf_1')).toContain('small.gguf');
    await hub.close();
    await expect(ask(hub.url, 'hf_1')).rejects.toThrow('AIDEN_HUB_URL');
    const silent = await openModelHub({ [`${AT}/small.gguf`]: MODEL }, { sha256: null });
    await expect(ask(silent.url, null)).rejects.toThrow('gives no SHA-256');
    await silent.close();
  });
});

describe('a file that is no model', () => {
  it.each([
    ['<html>Not found</html>', 'a web page'],
    ['version https://git-lfs.example/spec/v1\n', 'git lfs'],
    ['PK\u0003\u0004zipped', 'a zip archive'],
    ['', 'something else or damaged'],
  ])('is named by its kind: %j', async (content, message) => {
    const path = join(folder, `bad-${++count}.gguf`);
    await writeFile(path, content);
    await expect(checkGguf(path)).rejects.toThrow(message);
  });

  it('may be a folder, or not there', async () => {
    const path = join(folder, 'a-folder.gguf');
    await mkdir(path);
    await expect(checkGguf(path)).rejects.toThrow('is a folder');
    await expect(checkGguf(join(folder, 'none.gguf'))).rejects.toThrow('There is no file');
  });
});
