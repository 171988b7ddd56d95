import { type RedactionRules, redactorOf } from '../calls/redact.ts';
import type { JsonObject } from '../common/json.ts';
import type { Settings } from '../settings/settings.ts';

const rulesOf = new WeakMap<Settings, RedactionRules>();

/** What the product itself records passes here first, under the rules of the moment (decisions.md, Raw stream and call graph). */
export function redactForRecord(data: JsonObject, settings: Settings): JsonObject {
  let rules = rulesOf.get(settings);
  if (rules === undefined) {
    rules = { fields: settings.redactedFields, patterns: settings.redactedPatterns };
    rulesOf.set(settings, rules);
  }
  return redactorOf(rules).json(data) as JsonObject;
}
