import { parseJson } from '../packages/client/src/exact-json.ts';
import { CliError } from './client.ts';

/** Reads the JSON object of an option. @throws CliError that names the option */
export function jsonObject(text: string, option: string): Record<string, unknown> {
  try {
    const value: unknown = parseJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Answered below.
  }
  throw new CliError(`${option} is a JSON object, as {"name": "Ada"}.`);
}
