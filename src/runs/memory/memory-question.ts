// Read by workflows too, so this file imports no zod.

/**
 * The use that a Process of another user would make of the runner's memory, with all that it calls
 * (docs/decisions/0093). Part of histories, so it stays small.
 */
export interface MemoryDemand {
  readonly processId: string;
  readonly processName: string;
  readonly ownerId: string;
  readonly version: number;
  readonly reads: boolean;
  readonly writes: boolean;
  /** Hash of the Processes and Tools of other users that it consists of. */
  readonly digest: string;
}

/** Question to a person, such as "May ... read your memory?". */
export function questionOf({ processName, version, ...uses }: DemandUses): string {
  return (
    `May the Process "${processName}" of another user (version ${version}) ${usesText(uses)} ` +
    'your memory?'
  );
}

/**
 * Reason of a step that does not get the memory.
 * @param note the reason of the person who refused
 */
export function refusalText(
  { processName, version, ...uses }: DemandUses,
  note: string | null,
): string {
  const refused =
    `The Process "${processName}" of another user (version ${version}) may not ` +
    `${usesText(uses)} your memory`;
  return note === null ? `${refused}.` : `${refused}: ${note}`;
}

type DemandUses = Pick<MemoryDemand, 'processName' | 'version' | 'reads' | 'writes'>;

function usesText({ reads, writes }: Pick<MemoryDemand, 'reads' | 'writes'>): string {
  if (!writes) return 'read';
  return reads ? 'read and change' : 'change';
}

/** Key of an agreement: one per runner and digest of a Process. */
export function agreementKey(
  runnerId: string,
  { processId, digest }: Pick<MemoryDemand, 'processId' | 'digest'>,
): string {
  return `${runnerId}/${processId}/${digest}`;
}
