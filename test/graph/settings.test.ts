import { afterEach, describe, expect, it } from 'vitest';
import { openBus } from '../../src/outbox/local-bus.service.ts';
import { openRelay } from '../../src/outbox/relay.service.ts';
import { updateSettings } from '../../src/settings/settings.mutations.ts';
import { openSettings, settingsProjection } from '../../src/settings/settings.projection.ts';
import { SETTINGS_DEFAULT, type UpdateSettings } from '../../src/settings/settings.ts';
import { runCypher } from '../testkit/graph.ts';
import { eventually, quiet } from '../testkit/outbox.ts';
import { race, refuses, world, worldGraph } from '../testkit/world.ts';

// One node per installation: a test restores each setting that it changes.
const ALL_DEFAULT: UpdateSettings = Object.fromEntries(
  Object.keys(SETTINGS_DEFAULT).map((name) => [name, null]),
);
afterEach(async () => {
  const { change } = await office();
  await change(ALL_DEFAULT);
});

async function office() {
  const { deps, ada, root } = await world();
  const settings = openSettings({ graph: worldGraph() }, { freshMs: 60_000 });
  const change = (input: UpdateSettings, viewer = root.viewer) =>
    updateSettings({ ...deps, settings }, viewer, input);
  return { deps, ada, settings, change };
}

describe('the settings', () => {
  it('are the documents’ defaults until an admin changes them', async () => {
    const { settings } = await office();
    expect(await settings.current()).toEqual(SETTINGS_DEFAULT);
    expect(SETTINGS_DEFAULT).toMatchObject({
      ...{ callGraphRetentionDays: 90, payloadTruncationThreshold: 10_240 },
      redactedFields: ['apiKey', 'token', 'password', 'secret', 'authorization', 'key'],
      ...{ enrichmentEdgeThreshold: 5, introspectionCompressionThreshold: 5 },
      ...{ introspectionMaxRotation: 10, dedupSimilarityThreshold: 0.85, segmentGapMinutes: 30 },
      ...{ segmentMaxTokens: 4_000, segmentOverlapEvents: 5, memoryRetentionDays: 0 },
    });
  });

  it('change for admins only; other fields stay, and null is the default again', async () => {
    const { settings, change, ada } = await office();
    await refuses(change({ segmentGapMinutes: 5 }, ada.viewer), 'FORBIDDEN ');
    const changed = await change({ dedupSimilarityThreshold: 1, redactedFields: ['iban'] });
    const expected = { ...SETTINGS_DEFAULT, dedupSimilarityThreshold: 1, redactedFields: ['iban'] };
    expect(changed).toEqual(expected);
    expect(await settings.current()).toEqual(changed);
    expect(await change({ redactedFields: null })).toEqual({
      ...SETTINGS_DEFAULT,
      dedupSimilarityThreshold: 1,
    });
  });

  it('are refused with all problems at once, and then nothing is written', async () => {
    const { settings, change } = await office();
    await refuses(
      change({
        introspectionCompressionThreshold: 21,
        callGraphRetentionDays: 0,
        payloadTruncationThreshold: 1_000,
        segmentGapMinutes: 1.5,
        dedupSimilarityThreshold: 1.1,
        enrichmentEdgeThreshold: 7,
        redactedFields: ['ok', '_-_', 'x'.repeat(101)],
        redactedPatterns: ['\\d+', '(?=x)', '', 'a*', '(', '(a{1000}){1000}', ':base64:'],
      }),
      'INVALID introspectionCompressionThreshold',
      'INVALID dedupSimilarityThreshold',
      'INVALID callGraphRetentionDays',
      'INVALID payloadTruncationThreshold',
      'INVALID segmentGapMinutes',
      'INVALID redactedFields.1',
      'INVALID redactedFields.2',
      'INVALID redactedPatterns.1',
      'INVALID redactedPatterns.2',
      'INVALID redactedPatterns.3',
      'INVALID redactedPatterns.4',
      'INVALID redactedPatterns.5',
    );
    await refuses(
      change({ redactedPatterns: Array.from({ length: 51 }, () => 'x') }),
      'TOO_LARGE redactedPatterns',
    );
    expect(await settings.current()).toEqual(SETTINGS_DEFAULT);
  });

  it('are one node: two admins change different fields at once, both with success', async () => {
    const { settings, change } = await office();
    const outcomes = await race([
      () => change({ segmentGapMinutes: 7 }),
      () => change({ segmentMaxTokens: 700 }),
      () => change({ segmentOverlapEvents: 0 }),
    ]);
    expect(outcomes).toEqual({ done: 3 });
    settings.forget();
    const expected = { segmentGapMinutes: 7, segmentMaxTokens: 700, segmentOverlapEvents: 0 };
    expect(await settings.current()).toMatchObject(expected);
    const rows = await runCypher(worldGraph(), 'MATCH (s:Settings) RETURN count(s) AS nodes');
    expect(rows).toEqual([{ nodes: 1 }]);
  });

  it('are read once and kept, until the event log tells of a change', async () => {
    const { deps, settings, change } = await office();
    const first = await settings.current();
    const { statements } = await worldGraph().counting(async () => {
      for (let read = 0; read < 10; read++) expect(await settings.current()).toBe(first);
    });
    expect(statements).toEqual([]);
    // Another process: it knows only entries of the relay.
    const elsewhere = openSettings({ graph: worldGraph() }, { freshMs: 60_000 });
    await elsewhere.current();
    const graph = worldGraph();
    const relay = openRelay(
      { ...deps, graph, bus: openBus({ graph }), log: quiet },
      {
        projections: [{ ...settingsProjection(elsewhere), name: `settings-${deps.newId()}` }],
        settings: { leaseName: `test-${deps.newId()}` },
      },
    );
    try {
      await eventually('the relay has its lease', () => relay.isHolder);
      await change({ enrichmentEdgeThreshold: 9 });
      await eventually(
        'the change is seen',
        async () => (await elsewhere.current()).enrichmentEdgeThreshold === 9,
      );
    } finally {
      await relay.close();
    }
  });
});
