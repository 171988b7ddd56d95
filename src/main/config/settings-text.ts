import { stringify } from 'yaml';
import type { Config } from './config.ts';
import { SETTINGS, Settings } from './settings.ts';

/** Kept elsewhere in an archive, or another one in each installation. */
const LEFT_OUT: readonly string[] = ['secretKeys', 'neo4jPassword', 'dataDir', 'instance'];

/** The settings that differ from their defaults, as a settings file. It may hold secrets. */
export function settingsText(config: Config): string {
  const defaults = new Map<string, unknown>(Object.entries(Settings.parse({})));
  const values = new Map<string, unknown>(Object.entries(config));
  const given = SETTINGS.flatMap(({ name }) => {
    const value = values.get(name);
    const isDefault = JSON.stringify(value) === JSON.stringify(defaults.get(name));
    return value === undefined || isDefault || LEFT_OUT.includes(name) ? [] : [[name, value]];
  });
  return given.length === 0 ? '' : stringify(Object.fromEntries(given));
}
