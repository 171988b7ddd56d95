import { createHash } from 'node:crypto';
import type { ModelMessages, ModelPart } from './message-parts.ts';

type FilePart = Extract<ModelPart, { type: 'file' }>;

/** An image or a file of a prompt. */
export interface AttachedPart {
  readonly kind: 'image' | 'file';
  /** SHA-256 of its bytes. */
  readonly digest: string;
}

/** The images and files of the messages, in order. */
export function partsOf(messages: ModelMessages): AttachedPart[] {
  return messages.flatMap((message) =>
    'parts' in message && message.parts !== undefined
      ? message.parts.flatMap((part) => (part.type === 'file' ? [attached(part)] : []))
      : [],
  );
}

/**
 * The messages with a note in place of each refused part. `note` tells a person which kinds were
 * left out; empty where none was.
 */
export function withoutParts(
  messages: ModelMessages,
  isRefused: (part: AttachedPart) => boolean,
): { readonly messages: ModelMessages; readonly note: string } {
  const kinds = new Set<AttachedPart['kind']>();
  const kept = messages.map((message) => {
    if (!('parts' in message) || message.parts === undefined) return message;
    const parts = message.parts.map((part): ModelPart => {
      if (part.type !== 'file') return part;
      const { kind, digest } = attached(part);
      if (!isRefused({ kind, digest })) return part;
      kinds.add(kind);
      const named = part.filename === undefined ? '' : ` "${part.filename}"`;
      return {
        type: 'text',
        text: `[The ${kind}${named} was left out: this model does not take it.]`,
      };
    });
    return { ...message, parts };
  });
  if (kinds.size === 0) return { messages, note: '' };
  return { messages: kept, note: `${REFUSED_PARTS} Left out: ${[...kinds].join(', ')}.` };
}

/** Begins the note, so that an earlier one is found in a conversation. */
export const REFUSED_PARTS = 'This model does not take everything that was attached.';

const attached = ({ data, mediaType }: FilePart): AttachedPart => ({
  kind: mediaType.startsWith('image/') ? 'image' : 'file',
  digest: createHash('sha256').update(data).digest('hex'),
});
