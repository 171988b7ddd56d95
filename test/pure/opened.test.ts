import { expect, it } from 'vitest';
import { Opened } from '../../src/main/opened.ts';

it('the last resource gets time to close, and one that does not end is left behind', async () => {
  const failed: string[] = [];
  const given: [string, number][] = [];
  const opened = new Opened((name) => failed.push(name));
  const add = (name: string, work: () => Promise<void>) =>
    opened.add(name, (withinMs = 0) => {
      given.push([name, withinMs]);
      return work();
    });
  add('connections', async () => {});
  add('stuck', () => new Promise(() => {}));
  add('Workers', async () => {});
  add('HTTP', async () => {});
  await opened.close(400);
  expect(given.map(([name]) => name)).toEqual(['HTTP', 'Workers', 'stuck', 'connections']);
  expect(failed).toEqual(['stuck']);
  const [, [, workers] = ['', 0], , [, connections] = ['', 0]] = given;
  // HTTP ended at once, so nearly all of the time is left for the next.
  expect(workers).toBeGreaterThan(400 * 0.75 - 100);
  expect(connections).toBeGreaterThan(0);
  expect(connections).toBeLessThan(100);
});
