import { type BlobPiece, readBlob } from '../../src/session-graph/events/blob.service.ts';
import { builder } from '../builder.ts';
import { viewerOf } from '../context.ts';

const Blob = builder.objectRef<BlobPiece>('Blob').implement({
  description: 'A range of a payload that is too large for the graph.',
  fields: (t) => ({
    uri: t.exposeString('uri', { description: 'ci-blob://{session}/{key}.' }),
    size: t.exposeInt('size', { description: 'Bytes of the whole blob.' }),
    content: t.exposeString('content', { description: 'The bytes from offset, in base64.' }),
    nextOffset: t.exposeInt('nextOffset', {
      nullable: true,
      description: 'Where the rest begins; null at the end.',
    }),
  }),
});

builder.queryFields((t) => ({
  blob: t.field({
    type: Blob,
    nullable: true,
    description: 'A range of a payload of yours; null when there is none.',
    args: {
      uri: t.arg.string({ required: true, description: 'ci-blob://{session}/{key}.' }),
      offset: t.arg.int({ defaultValue: 0, description: 'The first byte.' }),
      length: t.arg.int({
        defaultValue: 65_536,
        description: 'How many bytes at most; up to 1,048,576.',
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
