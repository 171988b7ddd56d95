import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { printSchema } from 'graphql';
import { buildSchema } from './index.ts';

export const PRINTED_SCHEMA = new URL('./schema.graphql', import.meta.url);

/** The schema as committed. It is sorted, so that a diff shows only changes of the API. */
export function printedSchema(): string {
  return `${printSchema(buildSchema())}\n`;
}

// `npm run schema`
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(PRINTED_SCHEMA, printedSchema());
}
