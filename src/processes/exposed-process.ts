import { z } from 'zod';
import { JsonMap, jsonText, textOrNull } from '../common/stored.ts';
import { firstChars, lastChars } from '../common/well-formed.ts';
import { legalName } from './definition/agent-tool-name.ts';

/** A Process that MCP clients may call as a tool. */
export const ExposedProcess = z.object({
  id: z.string(),
  /** For one of another user: the name under which the viewer took it over. */
  name: z.string(),
  description: textOrNull,
  initialContext: z.array(z.string()),
  /** JSON Schema of the initial context; null: any values. */
  contextSchema: jsonText(JsonMap).nullable().default(null),
  /** Whether it reaches a Tool that may change data. */
  mayChange: z.boolean(),
  /** Name of the other user that it belongs to; null: the viewer's or the system's. */
  takenFrom: textOrNull,
});
export type ExposedProcess = z.infer<typeof ExposedProcess>;

/**
 * The names of tools, each once: a Process gets its own name where no one before it has it, else
 * that with the end of its id.
 * @param processes the viewer's own first, then the system's, then those of other users
 */
export function toolNames<Process extends Pick<ExposedProcess, 'id' | 'name'>>(
  processes: readonly Process[],
): Map<string, Process> {
  const holders = new Map<string, Process>();
  for (const process of processes) {
    const name = legalName(process.name);
    if (!holders.has(name)) holders.set(name, process);
  }
  const tools = new Map<string, Process>();
  for (const process of processes) {
    const name = legalName(process.name);
    const longer = `${firstChars(name, 50)}_${lastChars(process.id, 12)}`;
    if (holders.get(name) === process) tools.set(name, process);
    // Another Process may have that name by itself.
    else tools.set(holders.has(longer) ? process.id : longer, process);
  }
  return tools;
}
