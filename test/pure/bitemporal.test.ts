import { expect, it } from 'vitest';
import { holds, isoOf, remember, structured } from '../../bench/bitemporal/memory.ts';
import { oracleOf, worldOf } from '../../bench/bitemporal/world.ts';
import { nameKey } from '../../src/memory-graph/entities/name-match.ts';
import { OWNER_SUBJECT } from '../../src/memory-graph/statements/statement.ts';

it.each([11, 12, 13])('the statements that hold are those of the oracle: seed %i', (seed) => {
  const world = worldOf(seed, 8);
  const memory = remember(world, (one, earlier) => [structured(one, earlier)]);
  const atMs = (world.told.at(-1)?.saidAtMs ?? 0) + 1;
  for (const { subject, attribute } of world.subjects) {
    const expected = oracleOf(world, { subject, attribute, validAtMs: atMs, knownAtMs: atMs });
    const found = memory.filter(
      (one) =>
        one.subject === (subject === null ? OWNER_SUBJECT : nameKey(subject)) &&
        one.attribute === attribute &&
        holds(one, isoOf(atMs), isoOf(atMs)),
    );
    expect(found, `${subject} ${attribute}`).toHaveLength(expected === null ? 0 : 1);
    if (expected !== null) expect(found[0]?.text).toContain(expected);
  }
});
