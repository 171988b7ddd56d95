import { readdir, stat } from 'node:fs/promises';
import { Context } from '@temporalio/activity';
import { describe, expect, it } from 'vitest';
import { openTemporal } from '../../src/platform/temporal/client.ts';
import { loadWorkflowBundle } from '../../src/platform/temporal/workflow-bundle.ts';
import { fleetWorld } from '../testkit/fleet-world.ts';
import { eventually, newId } from '../testkit/outbox.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

const { temporal, settings, source, opens, starts } = fleetWorld();

/**
 * Workers on queues of their own, with one activity that takes its time and notes its calls.
 */
async function fleet(size: number, drainMs?: number) {
  const queue = `test-${newId()}`;
  const seen = { started: 0, ended: 0, cancelled: 0, atOnce: 0, atOnceMost: 0 };
  const work = async (ms: number) => {
    seen.started += 1;
    seen.atOnce += 1;
    seen.atOnceMost = Math.max(seen.atOnceMost, seen.atOnce);
    const { cancellationSignal } = Context.current();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      cancellationSignal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    seen.atOnce -= 1;
    if (cancellationSignal.aborted) seen.cancelled += 1;
    else seen.ended += 1;
    return 'done';
  };
  const open = () => opens(queue, work, { size, ...(drainMs === undefined ? {} : { drainMs }) });
  const start = (ms: number) => starts(queue, ms);
  return { open, start, seen };
}

describe('the Temporal workers of a process', () => {
  it('execute at most as many steps at once as their pool has Workers (S4-WRK-04)', async () => {
    const { open, start, seen } = await fleet(2);
    const opened = await open();
    const handles = await Promise.all(Array.from({ length: 6 }, () => start(150)));
    expect(await Promise.all(handles.map((handle) => handle.result()))).toEqual(
      Array(6).fill('done'),
    );
    expect(seen.atOnceMost).toBe(2);
    await opened.stop();
  });

  it('let the steps in work end when they are stopped, and the run goes on elsewhere', async () => {
    const { open, start, seen } = await fleet(2);
    const first = await open();
    const handle = await start(1_000);
    await eventually('the step is in work', () => seen.started === 1);
    await first.stop();
    expect(seen).toMatchObject({ ended: 1, cancelled: 0 });
    const second = await open();
    expect(await handle.result()).toBe('done');
    expect(seen.started).toBe(1);
    await second.stop();
  });

  it('cancel a step that outlasts the drain, rather than hang', async () => {
    const { open, start, seen } = await fleet(1, 300);
    const opened = await open();
    await start(600_000);
    await eventually('the step is in work', () => seen.started === 1);
    const startedMs = performance.now();
    await opened.stop();
    expect(performance.now() - startedMs).toBeLessThan(120_000);
    expect(seen.cancelled).toBe(1);
  });
});

describe('the workflow bundle', () => {
  it('is built once per content, and by many at once into one file', async () => {
    const own = { ...source, cacheFolder: tempFolder('bundles') };
    const [one, other] = await Promise.all([loadWorkflowBundle(own), loadWorkflowBundle(own)]);
    expect(one).toEqual(other);
    expect(await readdir(own.cacheFolder)).toHaveLength(1);
    const written = await stat(one.codePath);
    expect(await loadWorkflowBundle(own)).toEqual(one);
    expect((await stat(one.codePath)).mtimeMs).toBe(written.mtimeMs);
    const input = { ...own, madeOf: [own.entry, new URL(import.meta.url)] };
    const changed = await loadWorkflowBundle(input);
    expect(changed.codePath).not.toBe(one.codePath);
  });
});

describe('the Temporal client', () => {
  it('says which server answers, and fails soon where none does', async () => {
    expect((await temporal.verify()).serverVersion).toMatch(/\d+\.\d+/);
    const nowhere = openTemporal({ address: '127.0.0.1:1', namespace: 'default' });
    const startedMs = performance.now();
    await expect(nowhere.verify()).rejects.toThrow();
    expect(performance.now() - startedMs).toBeLessThan(60_000);
    await nowhere.close();
  });

  it('fails to find a namespace that is not there', async () => {
    const elsewhere = openTemporal({ ...settings, namespace: 'nobody-made-this' });
    await expect(elsewhere.verify()).rejects.toThrow();
    await elsewhere.close();
  });
});
