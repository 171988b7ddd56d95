import { z } from 'zod';

/** The form of the records below. A release reads archives of this form only. */
export const ARCHIVE_FORM = 1;

/** The sums of an archive, or of an installation: equal sums, equal data. */
export const ArchiveSums = z.strictObject({
  nodes: z.int(),
  relationships: z.int(),
  nodeDigest: z.string(),
  relationshipDigest: z.string(),
  blobs: z.int(),
  blobDigest: z.string(),
});
export type ArchiveSums = z.infer<typeof ArchiveSums>;

const Properties = z.record(z.string(), z.unknown());

/** The lines of an archive, in this order; the last one shows that the archive is whole. */
export const ArchiveRecord = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('begin'),
    form: z.int(),
    /** Version of the product that wrote the archive. */
    version: z.string(),
    createdAt: z.string(),
    /** Versions of the migrations that the graph has, such as `V010`. */
    migrations: z.array(z.string()),
  }),
  /** The key ring: `id:base64`, the current key first. */
  z.strictObject({ kind: z.literal('keys'), keys: z.array(z.string()).min(1) }),
  /** Settings that differ from their defaults, as a settings file in YAML. */
  z.strictObject({ kind: z.literal('settings'), text: z.string() }),
  /** A part of a blob. Parts of one blob follow one another. */
  z.strictObject({
    kind: z.literal('blob'),
    key: z.string(),
    base64: z.base64(),
    isLast: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('node'),
    id: z.int(),
    labels: z.array(z.string()),
    properties: Properties,
  }),
  z.strictObject({
    kind: z.literal('relationship'),
    from: z.int(),
    to: z.int(),
    type: z.string(),
    properties: Properties,
  }),
  z.strictObject({ kind: z.literal('end'), sums: ArchiveSums }),
]);
export type ArchiveRecord = z.infer<typeof ArchiveRecord>;

/** One line for the operator. */
export function sumsText({ nodes, relationships, blobs }: ArchiveSums): string {
  return `${nodes} nodes, ${relationships} relationships, ${blobs} blobs`;
}
