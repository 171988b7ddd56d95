import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportCallFile, importCallFile } from '../../call-graph/call-transfer.service.ts';
import { migrate } from '../../platform/neo4j/migrate.ts';
import { asCommand, withDatabase } from './operator.ts';

const [what = '', file = '', ...flags] = process.argv.slice(2);

// `aiden calls export|import <file>`: the call graph of all users as one JSON document.
await asCommand(() =>
  withDatabase(flags, async (graph) => {
    await migrate(graph);
    if (what === 'export') {
      await pipeline(
        Readable.from(exportCallFile(graph)),
        createWriteStream(file, { mode: 0o600 }),
      );
      console.log(`The call graph is in ${file}.`);
      return 0;
    }
    const { calls, kept } = await importCallFile(graph, JSON.parse(await readFile(file, 'utf8')));
    console.log(
      `${calls} calls are stored ` +
        `now${kept === 0 ? '' : `; ${kept} of them existed before and were not changed`}.`,
    );
    return 0;
  }),
);
