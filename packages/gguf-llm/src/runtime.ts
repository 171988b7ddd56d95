import { spawn } from 'node:child_process';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

/** The version of node-llama-cpp that this package was tried with. */
export const RUNTIME_VERSION = '3.22.1';

/** The prebuilt llama.cpp for the CPU of each platform, or for Metal on a Mac with it. */
const BINARIES: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-armv7l',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
};

/**
 * Installs node-llama-cpp with npm into the cache folder, once per version: about 85 MB. The
 * binaries for CUDA and Vulkan and install scripts are left out.
 * @returns the folder that holds its node_modules
 * @throws Error that names the cause and the remedy
 */
export async function installRuntime(
  cacheFolder: string,
  say: (line: string) => void,
): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const binary = BINARIES[platform];
  if (binary === undefined)
    throw new Error(
      `There is no prebuilt llama.cpp for ${platform}; run a model server and give its ` +
        'address with --llm-url.',
    );
  const folder = join(cacheFolder, 'gguf-llm', `node-llama-cpp-${RUNTIME_VERSION}-${platform}`);
  if ((await stat(runtimeEntry(folder)).catch(() => null)) !== null) return folder;
  say(`Installing node-llama-cpp ${RUNTIME_VERSION} into ${folder} …`);
  // Written beside it and renamed, so that a broken install is never taken for a whole one.
  const building = `${folder}.${process.pid}`;
  await rm(building, { recursive: true, force: true });
  await mkdir(building, { recursive: true });
  await writeFile(join(building, 'package.json'), '{"private":true}\n');
  try {
    await npm(building, [
      'install',
      '--omit=optional',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--save-exact',
      `node-llama-cpp@${RUNTIME_VERSION}`,
      `@node-llama-cpp/${binary}@${RUNTIME_VERSION}`,
    ]);
    await rename(building, folder).catch(async (error: Error) => {
      // Another process may have finished the same install first.
      if ((await stat(runtimeEntry(folder)).catch(() => null)) === null) throw error;
    });
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  return folder;
}

/** The module to import. */
export function runtimeEntry(folder: string): string {
  return join(folder, 'node_modules', 'node-llama-cpp', 'dist', 'index.js');
}

function npm(folder: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.platform === 'win32' ? 'npm.cmd' : 'npm', [...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let output = '';
    const take = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-4_000);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', (error) =>
      reject(new Error(`npm can not be started (${error.message}); install Node with npm.`)),
    );
    child.once('close', (code) => {
      if (code === 0) return resolve();
      const tail = output.trim().split('\n').slice(-5).join('\n');
      reject(
        new Error(
          `npm could not install node-llama-cpp ${RUNTIME_VERSION}. Check the network and ` +
            `npm's registry setting.\n${tail}`,
        ),
      );
    });
  });
}
