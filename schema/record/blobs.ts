import { type BlobPiece, readBlob } from '../../src/session-graph/events/blob.service.ts';
import { builder } from '../builder.ts';
import { viewerOf } from '../context.ts';

const Blob = builder.objectRef<BlobPiece>('Blob').implement({
  description: 'A byte range of a payload that is too large for the graph.',
  fields: (t) => ({
    uri: t.exposeString('uri', { description: 'URI of the form ci-blob://{session}/{key}.' }),
    size: t.exposeInt('size', { description: 'Size of the whole blob in bytes.' }),
    content: t.exposeString('content', { description: 'Bytes from the offset, in base64.' }),
    nextOffset: t.exposeInt('nextOffset', {
      nullable: true,
      description: 'Offset of the next range; null at the end.',
    }),
  }),
});

builder.queryFields((t) => ({
  blob: t.field({
    type: Blob,
    nullable: true,
    description: 'A byte range of a payload of yours; null if it does not exist.',
    args: {
      uri: t.arg.string({
        required: true,
        description: 'URI of the form ci-blob://{session}/{key}.',
      }),
      offset: t.arg.int({ defaultValue: 0, description: 'Offset of the first byte. Default 0.' }),
      length: t.arg.int({
        defaultValue: 65_536,
        description: 'Maximum number of bytes, up to 1,048,576.',
      }),
    },
    resolve: (_root, { uri, offset, length }, context) =>
      readBlob(context, viewerOf(context), {
        uri,
        offset: offset ?? 0,
        length: length ?? 65_536,
      }),
  }),
}));
