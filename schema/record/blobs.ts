import { type BlobPiece, readBlob } from '../../src/session-graph/events/blob.service.ts';
import { builder } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { argFields, outputFields } from '../fields.ts';

const Blob = builder.objectRef<BlobPiece>('Blob').implement({
  description: 'A byte range of a payload that is too large for the graph.',
  fields: outputFields({
    uri: ['String', 'URI of the form ci-blob://{session}/{key}.'],
    size: ['Int', 'Size of the whole blob in bytes.'],
    content: ['String', 'Bytes from the offset, in base64.'],
    nextOffset: ['Int?', 'Offset of the next range; null at the end.'],
  }),
});

builder.queryFields((t) => ({
  blob: t.field({
    type: Blob,
    nullable: true,
    description: 'A byte range of a payload of yours; null if it does not exist.',
    args: argFields(t, {
      uri: ['String!', 'URI of the form ci-blob://{session}/{key}.'],
      offset: ['Int', 'Offset of the first byte. Default 0.', 0],
      length: ['Int', 'Maximum number of bytes, up to 1,048,576.', 65_536],
    }),
    resolve: (_root, { uri, offset, length }, context) =>
      readBlob(context, viewerOf(context), {
        uri,
        offset: offset ?? 0,
        length: length ?? 65_536,
      }),
  }),
}));
