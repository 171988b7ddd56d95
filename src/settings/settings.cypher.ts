import type { Instant } from '../common/clock.ts';
import { CREATE_ENTRIES, entryParams } from '../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import { Float, type ReadTx, type Row, type WriteTx } from '../platform/neo4j/graph.ts';
import { isRow, parseRow } from '../platform/neo4j/row.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { SETTINGS_DEFAULT, Settings } from './settings.ts';

const FIND_SETTINGS = cypher`
  // findSettings
  MATCH (s:Settings {id: 'settings'})
  RETURN s {.*} AS settings
`;

/**
 * The settings of the installation. Defaults fill in absent ones, so a new setting needs no
 * migration.
 */
export async function findSettings(tx: ReadTx): Promise<Settings> {
  const [row] = await tx.run(FIND_SETTINGS);
  return toSettings(row);
}

const UPDATE_SETTINGS = cypher`
  // updateSettings
  MERGE (s:Settings {id: 'settings'})
  SET s += $changed, s.updatedAt = datetime($now)
  WITH s
  CALL () { ${CREATE_ENTRIES} }
  RETURN s {.*} AS settings
`;

/**
 * Writes only the changed settings, so concurrent changes of different settings do not conflict.
 */
export async function updateSettingsNode(
  tx: WriteTx,
  changed: Partial<Settings>,
  now: Instant,
  entry: OutboxEntry,
): Promise<Settings> {
  const { dedupSimilarityThreshold: cosine, lineSupportThreshold: support, ...rest } = changed;
  const [row] = await tx.run(UPDATE_SETTINGS, {
    changed: {
      ...rest,
      ...(cosine === undefined ? {} : { dedupSimilarityThreshold: new Float(cosine) }),
      ...(support === undefined ? {} : { lineSupportThreshold: new Float(support) }),
    },
    now,
    entries: entryParams([entry]),
  });
  return toSettings(row);
}

function toSettings(row: Row | undefined): Settings {
  const stored = row?.['settings'];
  const given = { ...SETTINGS_DEFAULT, ...(isRow(stored) ? stored : {}) };
  return parseRow(Settings, given, 'Settings');
}
