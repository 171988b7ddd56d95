import type { AgentMessage } from '../../common/agent-call.ts';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import {
  ATTACHMENT_BYTES_MAX,
  ATTACHMENTS_BYTES_MAX,
  FILE_MEDIA_TYPES,
  IMAGE_MEDIA_TYPES,
  PARTS_PER_TURN_MAX,
} from '../../common/limits.ts';
import { ToolFault } from '../../common/tool-fault.ts';
import { firstChars } from '../../common/well-formed.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Egress } from '../egress/egress.ts';
import { type BlobReader, readBlob } from './blob-bytes.ts';
import { isSignedAs } from './file-signatures.ts';

/** A part of a message as a model gets it: text, or the bytes of an image or a PDF. */
export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'file';
      readonly data: Uint8Array;
      readonly mediaType: string;
      readonly filename?: string;
    };

export interface ChatMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** Parts that replace `content`, for a message with images or files. */
  readonly parts?: readonly ModelPart[];
}

/** The messages of one request, with calls of tools and their results. */
export type ModelMessages = readonly (ChatMessage | AgentMessage)[];

export interface PartSources {
  readonly egress: Egress;
  /** Absent where no blob can be read. */
  readonly blobs?: BlobStore | undefined;
}

export interface PartReader extends BlobReader {
  readonly signal: AbortSignal;
}

/** Bytes that the messages of one call may still read. */
export interface ByteBudget {
  left: number;
}

export function openBudget(): ByteBudget {
  return { left: ATTACHMENTS_BYTES_MAX };
}

/**
 * Reads the parts of one message: `{type: 'text', text}`, `{type: 'image' | 'file', uri,
 * mediaType}`. Images and PDFs become bytes; other files become text. An address is read through
 * egress, a blob as the run's owner, so that no provider and no SDK fetches by itself.
 * @throws ToolFault INPUT_INVALID, PAYLOAD_TOO_LARGE; EGRESS_DENIED and TOOL_FAILED as egress
 */
export async function readParts(
  sources: PartSources,
  reader: PartReader,
  value: Json,
  budget: ByteBudget,
): Promise<ModelPart[]> {
  if (!Array.isArray(value) || value.length > PARTS_PER_TURN_MAX)
    throw new ToolFault('INPUT_INVALID', `Parts are a list of at most ${PARTS_PER_TURN_MAX}.`);
  const parts: ModelPart[] = [];
  for (const part of value) parts.push(await readPart(sources, reader, objectOf(part), budget));
  return parts;
}

function objectOf(part: Json): JsonObject {
  if (isJsonObject(part)) return part;
  throw new ToolFault('INPUT_INVALID', 'A part is an object with a type.');
}

async function readPart(
  sources: PartSources,
  reader: PartReader,
  part: JsonObject,
  budget: ByteBudget,
): Promise<ModelPart> {
  const { type, text, uri, mediaType, name } = part;
  if (type === 'text' && typeof text === 'string') return { type, text };
  const types: readonly string[] = type === 'image' ? IMAGE_MEDIA_TYPES : FILE_MEDIA_TYPES;
  const isKnown = (type === 'image' || type === 'file') && typeof uri === 'string';
  if (!isKnown || typeof mediaType !== 'string' || !types.includes(mediaType))
    throw new ToolFault(
      'INPUT_INVALID',
      'A part is a text, or an image or file with uri and a known mediaType.',
    );
  const data = await bytesOf(sources, reader, uri, Math.min(ATTACHMENT_BYTES_MAX, budget.left));
  budget.left -= data.byteLength;
  if (type === 'image' && !isSignedAs(data, mediaType))
    throw new ToolFault('INPUT_INVALID', `The image ${shown(uri)} is no ${mediaType}.`);
  const filename = typeof name === 'string' ? name : 'file';
  if (type === 'image') return { type: 'file', data, mediaType };
  if (mediaType === 'application/pdf') return { type: 'file', data, mediaType, filename };
  return { type: 'text', text: `File ${filename}:\n${new TextDecoder().decode(data)}` };
}

async function bytesOf(
  { egress, blobs }: PartSources,
  reader: PartReader,
  uri: string,
  bytesMax: number,
): Promise<Uint8Array> {
  const blob = await readBlob(blobs, reader, uri, { bytesMax, tooLarge: () => tooLarge(uri) });
  if (blob !== null) return blob;
  if (!uri.startsWith('https://'))
    throw new ToolFault('INPUT_INVALID', 'An image or file is at https:// or ci-blob://.');
  const response = await egress.fetch(uri, { signal: reader.signal, limits: { bytesMax } });
  if (response.ok) return new Uint8Array(await response.arrayBuffer());
  await response.body?.cancel();
  const message = `${shown(uri)} answered ${response.status}.`;
  throw new ToolFault('TOOL_FAILED', message, { retryable: response.status >= 500 });
}

function tooLarge(uri: string): ToolFault {
  const limit = `${ATTACHMENT_BYTES_MAX} bytes, and ${ATTACHMENTS_BYTES_MAX} for all of a call`;
  return new ToolFault('PAYLOAD_TOO_LARGE', `${shown(uri)} is above the limit of ${limit}.`);
}

/** Without query, which may hold a signature. */
const shown = (uri: string): string => firstChars(uri.split('?')[0] ?? '', 200);
