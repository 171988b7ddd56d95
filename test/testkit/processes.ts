import { type CreateProcess, createProcess } from '../../src/processes/process.mutations.ts';
import type { Process } from '../../src/processes/process.ts';
import type { Person, World } from './world.ts';

/** A step that calls a Tool of `createsTool`, whose one input is `id`. */
export function toolStep(id: string, toolId: string, more: Record<string, unknown> = {}) {
  return {
    id,
    calls: { toolId },
    inputs: { id: 'x' },
    output: { variable: id.replaceAll('-', '_') },
    ...more,
  };
}

/** A Process of one's own; fields that a test leaves out are the least valid ones. */
export async function createsProcess(
  { deps }: Pick<World, 'deps'>,
  person: Person,
  input: Partial<CreateProcess> = {},
): Promise<Process> {
  const steps = input.steps ?? [toolStep('a', (await person.createsTool()).id)];
  const given = { name: 'Read an item', initialContext: [], outputTemplate: '', ...input, steps };
  return createProcess(deps, person.viewer, given);
}
