import { problem, refuse } from '../common/refusal.ts';
import { systemEntry } from '../outbox/entry.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { type BaseDeps, isAdmin, type Viewer } from '../users/user.ts';
import { updateSettingsNode } from './settings.cypher.ts';
import type { SettingsSource } from './settings.projection.ts';
import {
  changedSettings,
  checkSettings,
  SETTINGS_UPDATED,
  type Settings,
  type UpdateSettings,
} from './settings.ts';

export interface SettingsDeps extends BaseDeps {
  readonly graph: Graph;
  wake(): void;
  readonly settings: Pick<SettingsSource, 'forget'>;
}

/**
 * Changes settings; admins only. An absent setting stays; null resets it to its default.
 * @throws Refusal FORBIDDEN, INVALID, TOO_LARGE
 */
export async function updateSettings(
  deps: SettingsDeps,
  viewer: Viewer,
  input: UpdateSettings,
): Promise<Settings> {
  refuse(
    isAdmin(viewer)
      ? checkSettings(input)
      : [problem('FORBIDDEN', [], 'Only an admin may change the settings.')],
  );
  const changed = changedSettings(input);
  const payload = { by: viewer.userId, changed: Object.keys(changed) };
  const entry = systemEntry(deps, SETTINGS_UPDATED, payload);
  const settings = await deps.graph.write((tx) => updateSettingsNode(tx, changed, entry.at, entry));
  deps.settings.forget();
  deps.wake();
  return settings;
}
