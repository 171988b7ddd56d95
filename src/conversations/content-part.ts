import { z } from 'zod';
import { parseBlobUri } from '../common/blob-uri.ts';
import { FILE_MEDIA_TYPES, IMAGE_MEDIA_TYPES, PARTS_PER_TURN_MAX } from '../common/limits.ts';
import { type Problem, problem } from '../common/refusal.ts';
import { textOrNull } from '../common/stored.ts';
import { firstChars } from '../common/well-formed.ts';
import { checkContent } from './turn.ts';

/** A part of a turn's content (S1-NODE-03): a text, or a reference to an image or a file. */
export const ContentPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('image'),
    /** `https://…`, or `ci-blob://{session}/{key}` of the owner. */
    uri: z.string(),
    mediaType: z.string(),
    /** Describes the image in words. */
    alt: textOrNull,
  }),
  z.object({
    type: z.literal('file'),
    uri: z.string(),
    mediaType: z.string(),
    name: textOrNull,
  }),
]);
export type ContentPart = Readonly<z.infer<typeof ContentPart>>;
export type Attachment = Exclude<ContentPart, { readonly type: 'text' }>;

/** The content of a turn as a caller gives it: a text, and parts that follow it. */
export interface GivenContent {
  readonly content: string;
  readonly parts?: readonly ContentPart[] | null | undefined;
}

const URI_CHARS_MAX = 2_048;
const LABEL_CHARS_MAX = 500;

/** A content as it is stored: its plain text, and the JSON of its parts if it has any. */
export interface StoredContent {
  readonly content: string;
  readonly parts: string | null;
}

/**
 * Reads a content once, for the check and for the store.
 * @returns problems: REQUIRED if there is neither text nor a part; INVALID, TOO_LARGE at `content`
 * and at `parts.<index>`
 */
export function readContent(given: GivenContent): {
  readonly stored: StoredContent;
  readonly problems: Problem[];
} {
  const added = given.parts ?? [];
  const parts = partsOf(given.content, added);
  const content = parts === null ? given.content : plainTextOf(parts);
  const problems = [
    ...checkContent(content),
    ...added.slice(0, PARTS_PER_TURN_MAX).flatMap(checkPart),
  ];
  if (added.length > PARTS_PER_TURN_MAX)
    problems.push(problem('TOO_LARGE', ['parts'], `At most ${PARTS_PER_TURN_MAX} parts.`));
  return {
    stored: { content, parts: parts === null ? null : JSON.stringify(parts) },
    problems,
  };
}

function checkPart(part: ContentPart, index: number): Problem[] {
  const wrong = (field: string, message: string) =>
    problem('INVALID', ['parts', index, field], message);
  if (part.type === 'text')
    return part.text.trim() === '' ? [wrong('text', 'There is nothing said.')] : [];
  const problems: Problem[] = [];
  if (!isReference(part.uri))
    problems.push(wrong('uri', 'A part is at https://… or at ci-blob://{session}/{key}.'));
  const types: readonly string[] = part.type === 'image' ? IMAGE_MEDIA_TYPES : FILE_MEDIA_TYPES;
  if (!types.includes(part.mediaType))
    problems.push(wrong('mediaType', `Its media type has to be one of ${types.join(', ')}.`));
  const label = part.type === 'image' ? part.alt : part.name;
  if ((label ?? '').length > LABEL_CHARS_MAX)
    problems.push(
      wrong(part.type === 'image' ? 'alt' : 'name', `At most ${LABEL_CHARS_MAX} characters.`),
    );
  return problems;
}

function isReference(uri: string): boolean {
  if (uri.length > URI_CHARS_MAX) return false;
  if (parseBlobUri(uri) !== null) return true;
  try {
    const { protocol, username, password } = new URL(uri);
    return protocol === 'https:' && username === '' && password === '';
  } catch {
    return false;
  }
}

/** All parts in order; null for a content of text alone. */
function partsOf(text: string, parts: readonly ContentPart[]): readonly ContentPart[] | null {
  if (parts.length === 0) return null;
  return text.trim() === '' ? parts : [{ type: 'text', text }, ...parts];
}

/** The content as text: of an image or file its name stands in brackets. */
const plainTextOf = (parts: readonly ContentPart[] | null): string =>
  (parts ?? []).map(lineOf).join('\n');

function lineOf(part: ContentPart): string {
  if (part.type === 'text') return part.text;
  const label = (part.type === 'image' ? part.alt : part.name) ?? firstChars(part.uri, 200);
  return `[${part.type}: ${label.replace(/\s+/g, ' ')}]`;
}

/** Tokens that providers count for an image of usual size. */
const TOKENS_PER_IMAGE = 1_000;
/** A guess for a file that is not read yet. */
const TOKENS_PER_FILE = 3_000;

/** An estimate of the tokens of images and files, which no text counts. */
export function attachmentTokens(parts: readonly ContentPart[] | null): number {
  const tokens = { text: 0, image: TOKENS_PER_IMAGE, file: TOKENS_PER_FILE } as const;
  return (parts ?? []).reduce((sum, { type }) => sum + tokens[type], 0);
}
