import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { documentsOf, type TrustedDocument } from '../../platform/http/trusted-documents.ts';

/** Apollo's manifest, and the map from hash to text of Relay and GraphQL Code Generator. */
const Manifest = z.union([
  z.object({
    format: z.literal('apollo-persisted-query-manifest'),
    operations: z.array(z.object({ id: z.string(), body: z.string() })),
  }),
  z.record(z.string(), z.string()),
]);

/**
 * Reads documents from each path: a folder of .graphql and .gql files, one such file, or a manifest
 * in JSON.
 * @throws Error that names the path
 */
export function readTrustedDocuments(paths: readonly string[]): TrustedDocument[] {
  return paths.flatMap((path) => {
    try {
      return path.endsWith('.json') ? manifestOf(path) : documentsOf(textsOf(path));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`AIDEN_TRUSTED_DOCUMENTS: ${path} can't be read. ${reason}`);
    }
  });
}

function manifestOf(path: string): TrustedDocument[] {
  const parsed = Manifest.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!parsed.success)
    throw new Error('It is neither an Apollo manifest nor an object of hashes and texts.');
  const { data } = parsed;
  if (Array.isArray(data['operations']))
    return data['operations'].map(({ id, body }) => ({ id, text: body }));
  return Object.entries(data).map(([id, text]) => ({ id, text: String(text) }));
}

function textsOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [readFileSync(path, 'utf8')];
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(graphql|gql)$/.test(file))
    .sort();
  if (files.length === 0) throw new Error('The folder has no .graphql or .gql file.');
  return files.map((file) => readFileSync(join(path, file), 'utf8'));
}
