import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { parseBlobUri } from '../../src/common/blob-uri.ts';
import type { Json } from '../../src/common/json.ts';
import { blobKey, openBlobStore } from '../../src/platform/blobs/blob-store.ts';
import { cancelProcessRun, pauseProcessRun } from '../../src/runs/control/run-control.mutations.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { echoTool, step } from '../testkit/run-steps.ts';

// Continues as new after each page, or nearly.
const { engine, rest, ada, own } = await engineWorld({ continueAfterEvents: 15 });

/** Answers of `/{book}?cursor=c`, by book and cursor. */
const books = new Map<string, Record<string, Json>>();
const asked: string[] = [];
const held = new Map<string, Promise<void>>();
const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://books');
  const cursor = searchParams.get('cursor') ?? '';
  asked.push(`${pathname.slice(1)} ${cursor}`);
  await held.get(`${pathname.slice(1)} ${cursor}`);
  const page = books.get(pathname.slice(1))?.[cursor];
  response
    .writeHead(page === undefined ? 500 : 200, { 'content-type': 'application/json' })
    .end(JSON.stringify(page ?? {}));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const cursorsOf = (book: string) =>
  asked.flatMap((one) => (one.startsWith(`${book} `) ? [one.slice(book.length + 1)] : []));

const PAGES = { list: 'data.rows', next: 'data.next' };

/** A step that reads a book page by page. */
async function reading(book: string, pages: object = {}, output: object = {}, more: object = {}) {
  const tool = await echoTool(ada, origin, `/${book}`, {
    operation: { type: 'rest_call', method: 'GET', path: `/${book}`, query: { cursor: '{{q}}' } },
  });
  const execution = { pages: { ...PAGES, ...pages }, retry: { maximumAttempts: 1 }, ...more };
  return step('rows', tool.id, { q: '{item}' }, execution, output);
}

const page = (rows: Json, next: Json) => ({ data: { rows, next } });

describe('a step with pages', () => {
  it('gives the items of all pages to a forEach, and its history holds none', async () => {
    // Each page is 120 KB, so that the list is above the 256 KiB of a value in a history.
    const row = (n: number) => ({ n, pad: 'x'.repeat(30_000) });
    books.set('long', {
      '': page([row(0), row(1), row(2), row(3)], 'b'),
      b: page([row(4), row(5), row(6), row(7)], 3),
      '3': page([row(8), row(9)], null),
    });
    const echo = await echoTool(ada, rest.origin);
    const { run } = await own.runSteps(
      [await reading('long'), step('echoed', echo.id, { q: '{item.n}' }, { forEach: 'step.rows' })],
      '{{rows.length}}: {{#each echoed}}{{query.q}} {{/each}}',
    );
    expect(run).toMatchObject({ status: 'completed', output: '10: 0 1 2 3 4 5 6 7 8 9 ' });
    expect(cursorsOf('long')).toEqual(['', 'b', '3']);
    const { events } = await engine.temporal.client.workflow.getHandle(run.id).fetchHistory();
    expect(JSON.stringify(events).length).toBeLessThan(60_000);
  });

  it('begins with the cursor that it names, and ends where a page has none', async () => {
    books.set('numbers', { '0': page([], 1), '1': page(['a'], 2), '2': page(['b'], false) });
    const { run, of } = await own.runSteps(
      [await reading('numbers', { first: 0 })],
      '{{json rows}}',
    );
    expect(run.output).toBe('["a","b"]');
    expect(of('rows', 1).output).toEqual(page(['a'], 2));
  });

  it.each([
    ['more pages than may', 'many', { maxPages: 2 }, 'BUDGET_EXCEEDED', /more than 2 pages/],
    ['no list', 'none', {}, 'OUTPUT_INVALID', /no list at data\.rows/],
    ['a page that names itself', 'round', {}, 'OUTPUT_INVALID', /Page 1 .* names itself/],
    ['a long cursor', 'wide', {}, 'OUTPUT_INVALID', /more than 4096 bytes/],
  ])('fails with %s', async (_what, book, pages, code, message) => {
    books.set('many', { '': page([1], 'b'), b: page([2], 'c'), c: page([3], null) });
    books.set('none', { '': { data: { rows: 'text' } } });
    books.set('round', { '': page([1], 'b'), b: page([2], 'b') });
    books.set('wide', { '': page([1], 'c'.repeat(5_000)) });
    const { run } = await own.runSteps([await reading(book, pages)], '{{json rows}}');
    expect(run).toMatchObject({ status: 'failed', error: { code, stepId: 'rows' } });
    expect(run.error?.message).toMatch(message);
  });

  it('has its fallback where a page fails, and nothing of the pages before', async () => {
    books.set('torn', { '': page([1], 'gone') });
    const policy = { onFailure: 'fallback', fallback: ['none'] };
    const { run } = await own.runSteps([await reading('torn', {}, {}, policy)], '{{json rows}}');
    expect(run).toMatchObject({ status: 'completed', output: '["none"]' });
  });

  it('begins anew in a retry where only a part of its pages was read', async () => {
    books.set('part', { '': page([1], 'b'), b: page([2], null) });
    const { promise, resolve: release } = Promise.withResolvers<void>();
    held.set('part ', promise);
    const process = await own.createProcess({
      steps: [await reading('part')],
      outputTemplate: '{{json rows}}',
    });
    const { id } = await own.start(process);
    await expect.poll(() => cursorsOf('part')).toEqual(['']);
    await pauseProcessRun(engine.deps, ada.viewer, { id });
    release();
    // All records that there are of the step are completed.
    await expect
      .poll(async () => (await own.steps(id)).map(({ status }) => status))
      .toEqual(['completed']);
    await cancelProcessRun(engine.deps, ada.viewer, { id });
    await own.wait(id);
    const run = await own.wait(await own.retry(id));
    expect(run).toMatchObject({ status: 'completed', output: '[1,2]' });
    expect(cursorsOf('part')).toEqual(['', '', 'b']);
  });
});

describe('a forEach whose list is a file', () => {
  const listIn = async (file: string) => {
    const place = parseBlobUri(file);
    const { workspace, userId: ownerId } = ada.viewer;
    const { session = '', key = '' } = place ?? {};
    const blobs = openBlobStore(engine.blobs);
    const bytes = await blobs.get(blobKey({ workspace, ownerId, session, key }));
    return JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array()));
  };
  const outputOf = ({ output }: { readonly output: Json }) =>
    JSON.parse(String(output)) as { file: string; items: number };

  it('names it in its variable; a retry has its own, and calls no item again', async () => {
    const echo = await echoTool(ada, rest.origin);
    const flaky = await echoTool(ada, rest.origin, '/flaky', {
      operation: {
        type: 'rest_call',
        method: 'GET',
        path: '/flaky',
        query: { key: 'filed', fails: '1', at: '{{q}}' },
      },
    });
    const process = await own.createProcess({
      initialContext: ['list'],
      steps: [
        step('every', echo.id, { q: '{item}' }, { forEach: 'context.list' }, { asFile: true }),
        step('after', flaky.id, { q: '{step.every.file}' }, { retry: { maximumAttempts: 1 } }),
      ],
      outputTemplate: '{{json every}}',
    });
    const list = Array.from({ length: 12 }, (_, n) => `filed-${n}`);
    const calls = () =>
      rest.requests.flatMap(({ query }) => query.get('q')?.match(/^filed-\d+$/)?.[0] ?? []);
    const failed = await own.run(process, { list });
    expect(failed.status).toBe('failed');
    const run = await own.wait(await own.retry(failed.id));
    expect(run).toMatchObject({ status: 'completed', error: null });
    const { file, items } = outputOf(run);
    expect(items).toBe(list.length);
    expect(file).toContain(run.id);
    const results: { query: { q: string } }[] = await listIn(file);
    expect(results.map(({ query: { q } }) => q)).toEqual(list);
    expect(calls().sort()).toEqual([...list].sort());
    const sent = rest.requests.map(({ query }) => query.get('at'));
    expect(sent.filter((key) => key === file)).toHaveLength(1);
    expect(sent.filter((key) => key?.includes(failed.id))).toHaveLength(1);
  });

  it('is an empty list where there are no items', async () => {
    const echo = await echoTool(ada, rest.origin);
    const every = step('every', echo.id, { q: '{item}' }, { forEach: '[]' }, { asFile: true });
    const { run } = await own.runSteps([every], '{{json every}}');
    const { file, items } = outputOf(run);
    expect([items, await listIn(file)]).toEqual([0, []]);
  });
});
