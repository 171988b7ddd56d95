import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  type Addresses,
  folderOf,
  installInto,
  type Manifest,
  PACKAGES,
  packPackage,
  readManifest,
  useIn,
} from './packages.ts';

const CHECKOUT = fileURLToPath(new URL('../', import.meta.url));
const FOLDER = join(CHECKOUT, 'release');

/** The text under `## <heading>` of the changelog; null where it has no such section. */
export function sectionOf(changelog: string, heading: string): string | null {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split('\n')[0]?.trim() === heading);
  return section === undefined ? null : section.slice(section.indexOf('\n')).trim();
}

export interface ReleaseFacts {
  readonly tag: string;
  /** Versions by the file that states them. */
  readonly versions: Readonly<Record<string, string>>;
  readonly manifests: readonly Manifest[];
  readonly changelog: string;
}

/** Everything that is wrong with a release, as sentences. */
export function releaseProblems({ tag, versions, manifests, changelog }: ReleaseFacts): string[] {
  const [, version] = /^v(\d+\.\d+\.\d+)$/.exec(tag) ?? [];
  if (version === undefined) return [`The tag is vX.Y.Z, not ${JSON.stringify(tag)}.`];
  const problems = Object.entries(versions)
    .filter(([, stated]) => stated !== version)
    .map(([file, stated]) => `${file} has the version ${stated}, not ${version}.`);
  for (const { name, private: isPrivate, license, files = [] } of manifests) {
    if (isPrivate === true) problems.push(`${name} is private.`);
    if (license === undefined) problems.push(`${name} names no license.`);
    for (const file of ['dist', 'LICENSE', 'README.md'])
      if (!files.includes(file)) problems.push(`${name} does not pack ${file}.`);
  }
  if (!sectionOf(changelog, version)) problems.push(`CHANGELOG.md says nothing of ${version}.`);
  const unreleased = sectionOf(changelog, 'Unreleased');
  if (unreleased === null) problems.push('CHANGELOG.md has no section Unreleased.');
  else if (unreleased !== '') problems.push('CHANGELOG.md has lines that are unreleased.');
  return problems;
}

/** The addresses of the repository, by the variables of its host; null where they are not set. */
export function addressesOf(env: NodeJS.ProcessEnv): Addresses | null {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = env;
  if (!server || !repository) return null;
  const page = `${server}/${repository}`;
  return {
    repository: { type: 'git', url: `git+${page}.git` },
    bugs: `${page}/issues`,
    homepage: `${page}#readme`,
  };
}

/**
 * The section of a version, with links that hold outside the repository where its page is known.
 */
export function notesOf(changelog: string, tag: string, page: string | null): string {
  const section = sectionOf(changelog, tag.slice(1)) ?? '';
  return page === null ? section : section.replaceAll('](docs/', `](${page}/blob/${tag}/docs/`);
}

async function readFacts(tag: string): Promise<ReleaseFacts> {
  const read = (path: string) => readFile(join(CHECKOUT, path), 'utf8');
  const names = Object.keys(PACKAGES);
  const manifests = await Promise.all(names.map((name) => readManifest(folderOf(name))));
  const lock = JSON.parse(await read('package-lock.json')) as {
    packages: Record<string, Manifest | undefined>;
  };
  const paths = ['', ...names.map((name) => `packages/${name}`)];
  const versions = {
    'package.json': (await readManifest(CHECKOUT)).version,
    ...Object.fromEntries(manifests.map(({ name, version }) => [name, version])),
    ...Object.fromEntries(
      paths.map((path) => [
        `package-lock.json, ${path || 'the product'},`,
        lock.packages[path]?.version ?? 'none',
      ]),
    ),
  };
  return { tag, versions, manifests, changelog: await read('CHANGELOG.md') };
}

/**
 * `npm run release -- --tag vX.Y.Z`: checks the release, packs and tries the packages, writes the
 * notes.
 */
async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { tag: { type: 'string' } } });
  const { tag = '' } = values;
  const facts = await readFacts(tag);
  const problems = releaseProblems(facts);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) return 1;

  const addresses = addressesOf(process.env);
  console.log(
    addresses === null
      ? 'GITHUB_SERVER_URL and GITHUB_REPOSITORY are not set: the packages name no repository, ' +
          'and can not be published with provenance.'
      : `The packages name ${addresses.homepage}.`,
  );
  await rm(FOLDER, { recursive: true, force: true });
  for (const name of Object.keys(PACKAGES)) {
    const archive = await packPackage(name, FOLDER, addresses);
    const project = await mkdtemp(join(tmpdir(), 'aiden-plain-'));
    try {
      await installInto(project, name, archive);
      console.log(
        `${basename(archive)} works in a plain project: ` + `${await useIn(project, name)}`,
      );
    } finally {
      await rm(project, { recursive: true, force: true });
    }
  }
  const page = addresses?.homepage.replace('#readme', '') ?? null;
  const notes = notesOf(facts.changelog, tag, page);
  await writeFile(join(FOLDER, 'notes.md'), `${notes}\n`);
  await copyFile(
    join(CHECKOUT, 'schema/schema.graphql'),
    join(CHECKOUT, 'schema/released.graphql'),
  );
  console.log(
    `${tag} is in release/, with notes.md. schema/released.graphql is the present schema.`,
  );
  return 0;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
