import { copyFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { runTool, type Say, withProgress } from '../../src/host/child.ts';
import { installNeo4j } from '../../src/host/neo4j/native.ts';
import type { Engine } from './engine.ts';

const STAND_INS = fileURLToPath(new URL('stand-ins/', import.meta.url));
const PULL_MS = 300_000;
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/**
 * The images that ours build on, each with a maker of a stand-in for machines that reach package
 * registries but no registry of images. A stand-in has the official image's name, users and
 * configuration as far as docker-compose.yml uses them.
 */
const BASE_IMAGES: readonly {
  readonly name: string;
  readonly make: (engine: Engine, name: string, say: Say) => Promise<void>;
}[] = [
  { name: 'debian:bookworm-slim', make: debian },
  {
    name: 'node:24-bookworm-slim',
    make: (engine, name) =>
      build(engine, name, 'node', async (context) => {
        await copyFile(process.execPath, join(context, 'node'));
        const modules = (await runTool('npm', ['root', '-g'])).trim();
        await cp(join(modules, 'npm'), join(context, 'npm'), { recursive: true });
      }),
  },
  {
    name: 'golang:1.26.8-bookworm',
    make: (engine, name) =>
      build(engine, name, 'golang', async (context) => {
        const root = (await runTool('go', ['env', 'GOROOT'])).trim();
        await cp(root, join(context, 'go'), { recursive: true });
      }),
  },
  {
    name: 'neo4j:5.26-community',
    make: (engine, name, say) =>
      build(engine, name, 'neo4j', async (context) => {
        await cp(await installNeo4j(say), join(context, 'lib'), { recursive: true });
      }),
  },
  { name: 'redis:7-alpine', make: (engine, name) => build(engine, name, 'redis') },
];

/** Pulls each base image, or makes its stand-in. An image that is there is taken as it is. */
export async function ensureBaseImages(engine: Engine, say: Say): Promise<void> {
  let mayPull = true;
  for (const { name, make } of BASE_IMAGES) {
    const { docker } = engine;
    if (await succeeds(docker(['image', 'inspect', name]))) continue;
    mayPull &&= await succeeds(docker(['pull', '--quiet', name], { timeoutMs: PULL_MS }));
    if (mayPull) continue;
    await withProgress(say, `Making a stand-in for ${name}`, () => make(engine, name, say));
  }
}

async function build(
  { docker }: Engine,
  name: string,
  folder: string,
  fill: (context: string) => Promise<void> = async () => {},
): Promise<void> {
  const context = await mkdtemp(join(tmpdir(), 'aiden-image-'));
  try {
    await cp(join(STAND_INS, folder), context, { recursive: true });
    await fill(context);
    await docker(['build', '--tag', name, context]);
  } finally {
    await rm(context, { recursive: true, force: true });
  }
}

/** Debian's smallest system, with the certificates that this machine trusts. */
async function debian({ docker }: Engine, name: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'aiden-debian-'));
  try {
    const root = join(folder, 'root');
    const archive = join(folder, 'root.tar');
    const flags = ['--variant=minbase', '--include=ca-certificates'];
    await runTool('debootstrap', [...flags, 'bookworm', root]).catch((error: unknown) => {
      throw error instanceof Error && 'code' in error && error.code === 'ENOENT'
        ? new Error('debootstrap is missing: apt-get install debootstrap')
        : error;
    });
    await copyFile(CERTIFICATES, join(root, CERTIFICATES));
    for (const waste of ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/man'])
      await rm(join(root, waste), { recursive: true });
    await runTool('tar', ['-C', root, '-cf', archive, '.']);
    const changes = [`ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, 'CMD ["bash"]'];
    await docker(['import', ...changes.flatMap((change) => ['-c', change]), archive, name]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
