import { describe, expect, it } from 'vitest';
import type { ProcessSnapshot } from '../../src/runs/run/snapshot.ts';
import { createEndedItems } from '../../src/runs/steps/ended-items.ts';
import { createValues } from '../../workflows/interpreter/values.ts';

const definition = { steps: [] } as unknown as ProcessSnapshot;

describe('items that have ended', () => {
  it('are carried as rows of neighbours, in whatever order they end', () => {
    const ended = createEndedItems();
    for (const index of [5, 3, 4, 9, 0]) ended.add(index, { bytes: 10 });
    ended.add(7, 'failed');
    const carried = ended.carry();
    expect(carried).toEqual({
      completed: [
        [0, 0],
        [3, 5],
        [9, 9],
      ],
      failed: [[7, 7]],
      bytes: 50,
    });
    const next = createEndedItems(JSON.parse(JSON.stringify(carried)));
    expect([3, 7, 8].map(next.find)).toEqual([{ bytes: 10 }, 'failed', null]);
  });

  it('keep a list of 100,000 small in the input of the next execution', () => {
    const values = createValues(definition, { inline: {} }, null);
    const error = { code: 'TOOL_FAILED', message: 'no', stepId: 's', details: null } as const;
    for (let index = 0; index < 100_000; index++)
      values.endInstance(
        's',
        index,
        index % 10_000 === 5_000 ? { error } : { value: { inline: { n: index } } },
      );
    const carried = JSON.parse(JSON.stringify(values.carry()));
    expect(JSON.stringify(carried).length).toBeLessThan(200_000);
    const next = createValues(definition, { inline: {} }, carried);
    expect(next.instanceState('s', 7)).toEqual({ value: { inline: { n: 7 } } });
    expect(next.instanceState('s', 99_999)).toMatchObject({ value: { ref: true } });
    expect(next.instanceState('s', 95_000)).toMatchObject({ error: { code: 'TOOL_FAILED' } });
    expect(next.instanceState('s', 100_000)).toBeNull();
    next.endStep('s', { status: 'completed', value: { ref: true, bytes: 1 }, error: null });
    expect(next.carry()).toMatchObject({ units: {} });
    expect('items' in next.carry()).toBe(false);
  });
});
