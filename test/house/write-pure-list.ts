import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { roomsOf } from './rooms.ts';
import { CHECKOUT, readSources } from './source.ts';

// `node test/house/write-pure-list.ts`: writes into tsconfig.pure.json which domain files ask the world and so are not
// checked as pure. The diff shows what a change has taken out of the pure rooms.
const PATTERNS = ['src/main', 'src/platform', 'src/**/*.cypher.ts', 'src/**/*.mutations.ts'];
const file = join(CHECKOUT, 'tsconfig.pure.json');
const config = JSON.parse(readFileSync(file, 'utf8')) as { exclude: string[] };
const services = [...roomsOf(readSources())]
  .filter(([, room]) => room === 'service')
  .map(([path]) => path);
config.exclude = [...PATTERNS, ...services.sort()];
writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`);
