import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type LogEntry } from '@temporalio/worker';

export interface BundleSource {
  /** The file that exports the workflows. */
  readonly entry: URL;
  /** A file of pure modules. It is evaluated once per sandbox; its workflows share it, frozen. */
  readonly preload?: URL;
  /** Files and folders that the bundle's hash covers. A missing entry gives a stale bundle. */
  readonly madeOf: readonly URL[];
  readonly cacheFolder: string;
  /** Paths of modules with workflow interceptors; default none. */
  readonly interceptors?: readonly string[];
  /** Path of the failure converter; absent: the SDK's own. */
  readonly failureConverter?: string | undefined;
}

/**
 * Builds the workflows into one script. Building takes seconds, so the result is cached by the hash
 * of `madeOf`. Processes that build at once write the same bytes.
 */
export async function loadWorkflowBundle(source: BundleSource): Promise<{ codePath: string }> {
  const { interceptors = [], failureConverter } = source;
  const hash = createHash('sha256');
  if (failureConverter !== undefined) hash.update(`${failureConverter}\0`);
  for (const path of interceptors) hash.update(`${path}\0`);
  for (const url of source.madeOf) await hashFile(hash, fileURLToPath(url));
  const codePath = join(source.cacheFolder, `workflows-${hash.digest('hex').slice(0, 32)}.js`);
  if (await exists(codePath)) return { codePath };
  const complaints: string[] = [];
  const logger = quietLogger(({ level, message }) => {
    if (level === 'WARN' || level === 'ERROR') complaints.push(message);
  });
  const { code } = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(source.entry),
    ...(source.preload === undefined ? {} : { preloadModules: [fileURLToPath(source.preload)] }),
    ...(interceptors.length === 0 ? {} : { workflowInterceptorModules: [...interceptors] }),
    ...(failureConverter === undefined ? {} : { failureConverterPath: failureConverter }),
    logger,
  }).catch((error: unknown) => {
    throw new Error(`The workflows can not be bundled: ${complaints.join('\n')}`, { cause: error });
  });
  await mkdir(source.cacheFolder, { recursive: true });
  const draft = `${codePath}.${randomUUID()}.draft`;
  await writeFile(draft, code);
  await rename(draft, codePath);
  return { codePath };
}

async function hashFile(hash: ReturnType<typeof createHash>, path: string): Promise<void> {
  const info = await stat(path);
  if (!info.isDirectory()) {
    hash.update(`${path}\0${info.size}\0`).update(await readFile(path));
    return;
  }
  const names = await readdir(path);
  for (const name of names.sort()) await hashFile(hash, join(path, name));
}

const exists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

type Level = LogEntry['level'];

function quietLogger(take: (entry: { level: Level; message: string }) => void) {
  const at = (level: Level) => (message: string) => take({ level, message });
  return {
    log: (level: Level, message: string) => take({ level, message }),
    trace: at('TRACE'),
    debug: at('DEBUG'),
    info: at('INFO'),
    warn: at('WARN'),
    error: at('ERROR'),
  };
}
