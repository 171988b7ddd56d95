import process from 'node:process';
import { pendingMigrations } from '../../platform/neo4j/migrate.ts';
import { checkStored, type InvalidThing } from '../../processes/stored-check.service.ts';
import { readMcpServers, variablesOf } from '../config/mcp-servers.ts';
import { VERSION } from '../runtime.ts';
import { asCommand, withDatabase } from './operator.ts';

const [format = 'text', ...flags] = process.argv.slice(2);

// `aiden check-upgrade`: which stored Processes and Tools this version would refuse. It reads the
// graph as it is, so it may run while an older version serves.
await asCommand(() =>
  withDatabase(flags, async (graph, given) => {
    const migrations = await pendingMigrations(graph);
    const mcpServers = variablesOf(readMcpServers(given.mcpServers));
    const { checked, invalid } = await checkStored({ graph, mcpServers });
    if (format === 'json') {
      console.log(JSON.stringify({ version: VERSION, checked, migrations, invalid }, null, 2));
      return invalid.length === 0 ? 0 : 1;
    }
    for (const thing of invalid) for (const line of linesOf(thing)) console.log(line);
    const found = `${checked.processes} Processes and ${checked.tools} Tools`;
    console.log(
      invalid.length === 0
        ? `Version ${VERSION} accepts all ${found} as they are stored.`
        : `Version ${VERSION} would refuse ${invalid.length} of ${found}.`,
    );
    if (migrations.length > 0)
      console.log(
        `Its first start makes ${migrations.length} migrations, which this check does not: ` +
          `${migrations.join(', ')}.`,
      );
    return invalid.length === 0 ? 0 : 1;
  }),
);

// A function, since it is called before this line.
function linesOf({ kind, id, name, owner, ownerId, problems }: InvalidThing): string[] {
  return [
    `${kind} "${name}" (${id}) of ${owner} (${ownerId}):`,
    ...problems.map(
      ({ code, path, message }) =>
        `  ${[code, path.join('.')].filter(Boolean).join(' ')}: ${message}`,
    ),
  ];
}
