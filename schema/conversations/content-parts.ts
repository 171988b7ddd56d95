import type { Problem } from '../../src/common/refusal.ts';
import type { Attachment, ContentPart as PartModel } from '../../src/conversations/content-part.ts';
import {
  type UploadedFile,
  uploadFile,
} from '../../src/session-graph/events/file-upload.service.ts';
import { builder } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { inputFields, outputFields } from '../fields.ts';
import { inputOf, payloadOf, USER_ERRORS } from '../payload.ts';

type Of<Type extends PartModel['type']> = Extract<PartModel, { readonly type: Type }>;

const URI = 'https://… or ci-blob://{session}/{key} of a blob of yours, as uploadFile returns it.';
const IMAGE_TYPES = 'image/png, image/jpeg, image/gif or image/webp.';
const FILE_TYPES = 'application/pdf, application/json, text/plain, text/markdown or text/csv.';

const TextPart = builder.objectRef<Of<'text'>>('TextPart').implement({
  description: 'A text in the content of a turn.',
  fields: outputFields({
    text: ['String', 'The text.'],
  }),
});
const ImagePart = builder.objectRef<Of<'image'>>('ImagePart').implement({
  description: 'An image in the content of a turn.',
  fields: outputFields({
    uri: ['String', URI],
    mediaType: ['String', IMAGE_TYPES],
    alt: ['String?', 'Describes the image in words.'],
  }),
});
const FilePart = builder.objectRef<Of<'file'>>('FilePart').implement({
  description: 'A file in the content of a turn.',
  fields: outputFields({
    uri: ['String', URI],
    mediaType: ['String', FILE_TYPES],
    name: ['String?', 'Name of the file.'],
  }),
});

export const ContentPart = builder.unionType('ContentPart', {
  description: 'A part of the content of a turn (S1-NODE-03).',
  types: [TextPart, ImagePart, FilePart],
  resolveType: ({ type }) => ({ text: TextPart, image: ImagePart, file: FilePart })[type],
});

/** The parts of a content; a text alone is one part. */
export function partsShown(content: string, parts: readonly PartModel[] | null): PartModel[] {
  return parts === null ? [{ type: 'text', text: content }] : [...parts];
}

const ImagePartInput = inputOf('ImagePartInput', 'A reference to an image, at most 5 MiB.', {
  uri: ['String!', URI],
  mediaType: ['String!', IMAGE_TYPES],
  alt: ['String', 'Describes the image in words, up to 500 characters.'],
});
const FilePartInput = inputOf('FilePartInput', 'A reference to a file, at most 5 MiB.', {
  uri: ['String!', URI],
  mediaType: ['String!', FILE_TYPES],
  name: ['String', 'Name of the file, up to 500 characters.'],
});
export const ContentPartInput = builder.inputType('ContentPartInput', {
  isOneOf: true,
  description: 'A part that follows the text of a turn: exactly one of text, image and file.',
  fields: inputFields({
    text: ['String', 'A text.'],
    image: [ImagePartInput, 'An image.'],
    file: [FilePartInput, 'A file.'],
  }),
});

interface GivenPart {
  readonly text?: string | null | undefined;
  readonly image?: { uri: string; mediaType: string; alt?: string | null | undefined } | null;
  readonly file?: { uri: string; mediaType: string; name?: string | null | undefined } | null;
}

/** The input with its parts as stored; GraphQL has checked that each is exactly one. */
export function withParts<Input extends { readonly parts?: readonly GivenPart[] | null }>(
  input: Input,
): Omit<Input, 'parts'> & { readonly parts: readonly PartModel[] | null } {
  return { ...input, parts: input.parts?.map(partOf) ?? null };
}

function partOf({ text, image, file }: GivenPart): PartModel {
  const reference = image ?? file;
  if (reference == null) return { type: 'text', text: text ?? '' };
  const { uri, mediaType } = reference;
  const attachment: Attachment =
    image == null
      ? { type: 'file', uri, mediaType, name: file?.name ?? null }
      : { type: 'image', uri, mediaType, alt: image.alt ?? null };
  return attachment;
}

const UploadFileInput = inputOf('UploadFileInput', 'Input for storing a file.', {
  content: ['String!', 'The bytes in base64, at most 5 MiB before encoding.'],
});
const NOTHING: { uri: string | null; size: number | null } = { uri: null, size: null };
const UploadFilePayload = builder
  .objectRef<typeof NOTHING & { readonly userErrors: readonly Problem[] }>('UploadFilePayload')
  .implement({
    description: 'The stored file, or the problems.',
    fields: outputFields({
      uri: ['String?', 'ci-blob://uploads/{key}: for parts of a turn, and for the query blob.'],
      size: ['Int?', 'Size in bytes.'],
      userErrors: USER_ERRORS,
    }),
  });

builder.mutationField('uploadFile', (t) =>
  t.field({
    type: UploadFilePayload,
    description:
      'Stores an image or file of yours for the parts of a turn. The same bytes give the same ' +
      'uri. All files of a user have a maximum size (AIDEN_UPLOADS_MB_MAX, default 1,000 MB); ' +
      'above it TOO_LARGE. A file that nothing of yours names is deleted when it is older ' +
      'than runRetentionDays and 30 days; the same bytes again make it young.',
    args: { input: t.arg({ type: UploadFileInput, required: true, description: 'The file.' }) },
    resolve: (_root, { input }, context) =>
      payloadOf<typeof NOTHING>(
        NOTHING,
        (): Promise<UploadedFile> => uploadFile(context, viewerOf(context), input),
      ),
  }),
);
