import { documentName, type MemoryEvent } from './event.ts';

/**
 * Name of an event's speaker: `speaker` of its metadata, else the Tool of a result, the owner's
 * name for the user, and the role for others.
 */
export function speakerOf(
  { role, metadata }: Pick<MemoryEvent, 'role' | 'metadata'>,
  ownerName: string | null,
): string {
  const named = metadata['speaker']?.trim() || (role === 'tool' ? metadata['tool']?.trim() : '');
  if (named !== undefined && named !== '') return named;
  return role === 'user' && ownerName !== null ? ownerName : documentName(role);
}

/** Text of an event without the name of the Tool that the result begins with. */
export function spokenPart({
  text,
  role,
  metadata,
}: Pick<MemoryEvent, 'text' | 'role' | 'metadata'>) {
  const prefix = `${metadata['tool'] ?? ''}: `;
  return role === 'tool' && prefix.length > 2 && text.startsWith(prefix)
    ? text.slice(prefix.length)
    : text;
}
