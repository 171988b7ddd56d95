import { createHash, type Hash } from 'node:crypto';
import { createReadStream, writeSync } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ModelSource, partsOf } from './model-source.ts';

export interface Hub {
  /** Base URL; files are at `/owner/name/resolve/revision/file`. */
  readonly url: string;
  /** Access token for models behind a licence; null: none. */
  readonly token: string | null;
}

type HubSource = Extract<ModelSource, { kind: 'hf' }>;

const TRIES_MAX = 5;
const RETRY_MS = 1_000;
/** A request that brings nothing for so long is broken off; a download is resumed. */
const SILENCE_MS_MAX = 60_000;

/**
 * Fetches the files of a model once into the cache folder. A broken download resumes where it
 * stopped, also after a restart. A file gets its name only after its SHA-256 fitted.
 * @returns the path of the model's first file
 * @throws Error that names the file and the remedy
 */
export async function fetchModel(
  hub: Hub,
  source: HubSource,
  cacheFolder: string,
  say: (line: string) => void,
): Promise<string> {
  const { repository, revision } = source;
  const folder = join(cacheFolder, 'models', repository.replace('/', '--'), revision);
  const paths: string[] = [];
  for (const file of partsOf(source.file)) {
    const path = join(folder, file);
    if (!(await exists(path))) await fetchFile(hub, { ...source, file }, path, say);
    paths.push(path);
  }
  return paths[0] ?? '';
}

/**
 * Bytes of the model on the hub; null where the hub does not answer in time or does not have it.
 * @param withinMs time for the answer
 */
export async function sizeOnHub(
  hub: Hub,
  { repository, revision, file }: HubSource,
  withinMs: number,
): Promise<number | null> {
  const sizes = partsOf(file).map((part) =>
    lookUp(hub, addressOf(hub, { repository, revision, file: part }), withinMs),
  );
  return Promise.all(sizes).then(
    (parts) => parts.reduce((sum, { bytes }) => sum + bytes, 0),
    () => null,
  );
}

const addressOf = (
  hub: Hub,
  { repository, revision, file }: Pick<HubSource, 'repository' | 'revision' | 'file'>,
) => `${hub.url.replace(/\/+$/, '')}/${repository}/resolve/${revision}/${file}`;

async function fetchFile(
  hub: Hub,
  source: HubSource,
  path: string,
  say: (line: string) => void,
): Promise<void> {
  const { file } = source;
  const url = addressOf(hub, source);
  await mkdir(dirname(path), { recursive: true });
  const expected = await lookUp(hub, url);
  const partPath = `${path}.part`;
  const progress = progressOf(file, expected.bytes, say);
  for (let tries = 1; ; tries++) {
    try {
      await download(hub, url, partPath, expected, progress);
      break;
    } catch (error) {
      if (error instanceof FinalFault || tries === TRIES_MAX) {
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(`${file} was not fetched from ${new URL(url).host}: ${why}`);
      }
      say(`The download of ${file} broke off; it goes on where it stopped`);
      await sleep(RETRY_MS * tries);
    }
  }
  await rename(partPath, path);
  say(`Fetched ${file}: ${megabytes(expected.bytes)}, SHA-256 ${expected.sha256}`);
}

/** A fault that another try does not mend. */
class FinalFault extends Error {}

interface Expected {
  readonly sha256: string;
  readonly bytes: number;
}

/** Size and SHA-256, which the hub gives in the headers of the file's address. */
async function lookUp(hub: Hub, url: string, withinMs = SILENCE_MS_MAX): Promise<Expected> {
  const host = new URL(url).host;
  const response = await fetch(url, {
    method: 'HEAD',
    redirect: 'manual',
    headers: { ...authorization(hub), 'accept-encoding': 'identity' },
    signal: AbortSignal.timeout(withinMs),
  }).catch((error: Error) => {
    throw new Error(
      `${host} does not answer (${causeOf(error)}). Check the network, set AIDEN_HUB_URL to a ` +
        'mirror, or give a file with gguf:/path.',
    );
  });
  if (response.status === 401 || response.status === 403)
    throw new Error(
      `${host} refuses ${url} (${response.status}): accept the model's licence there and set ` +
        'AIDEN_HUB_TOKEN.',
    );
  if (response.status >= 400)
    throw new Error(`${host} has no ${url} (${response.status}): check owner, name and file.`);
  const etag = response.headers.get('x-linked-etag') ?? response.headers.get('etag') ?? '';
  const sha256 = /^(?:W\/)?"?([0-9a-f]{64})"?$/.exec(etag)?.[1];
  const size = response.headers.get('x-linked-size') ?? response.headers.get('content-length');
  const bytes = Number(size);
  if (sha256 === undefined || !Number.isSafeInteger(bytes) || bytes <= 0)
    throw new Error(
      `${host} gives no SHA-256 and size for ${url}; fetch the file yourself and give it with ` +
        'gguf:/path.',
    );
  return { sha256, bytes };
}

/** Adds the missing bytes to the part file and checks the whole of it. */
async function download(
  hub: Hub,
  url: string,
  path: string,
  expected: Expected,
  progress: (bytes: number) => void,
): Promise<void> {
  const hash = createHash('sha256');
  const kept = await hashOfPart(path, hash, expected.bytes);
  const bytes =
    kept === expected.bytes
      ? kept
      : await append(hub, url, path, { from: kept, to: expected.bytes }, hash, progress);
  if (bytes === expected.bytes && hash.digest('hex') === expected.sha256) return;
  if (bytes < expected.bytes) throw new Error('the connection ended early');
  await rm(path, { force: true });
  throw new FinalFault('its SHA-256 is not that of the hub; the download was deleted');
}

/** Bytes of the part file, which are added to the hash; 0 after deleting one that is too long. */
async function hashOfPart(path: string, hash: Hash, bytesMax: number): Promise<number> {
  const bytes = (await stat(path).catch(() => null))?.size ?? 0;
  if (bytes > bytesMax) {
    await rm(path, { force: true });
    return 0;
  }
  if (bytes > 0) for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return bytes;
}

async function append(
  hub: Hub,
  url: string,
  path: string,
  { from, to }: { readonly from: number; readonly to: number },
  hash: Hash,
  progress: (bytes: number) => void,
): Promise<number> {
  // Opened first: a broken stream drops the pieces that wait in it.
  const file = await open(path, 'a');
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('nothing came')), SILENCE_MS_MAX);
  let bytes = from;
  try {
    for await (const piece of await bodyFrom(hub, url, from, late.signal)) {
      timer.refresh();
      // A server that sends without end would fill the disk before the hash is known.
      if (bytes + piece.length > to)
        throw new TooLong(`it is longer than the ${to} bytes of the hub`);
      writeSync(file.fd, piece);
      hash.update(piece);
      bytes += piece.length;
      progress(bytes);
    }
  } catch (error) {
    if (error instanceof NoRanges || error instanceof TooLong) await file.truncate(0);
    throw error;
  } finally {
    clearTimeout(timer);
    await file.close();
  }
  return bytes;
}

/** The server sends more than the size that the hub gave; another try would bring the same. */
class TooLong extends FinalFault {}

/** The server sends the whole file only, so the download starts again. */
class NoRanges extends Error {}

async function bodyFrom(
  hub: Hub,
  url: string,
  from: number,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(url, {
    headers: {
      ...authorization(hub),
      'accept-encoding': 'identity',
      ...(from > 0 ? { range: `bytes=${from}-` } : {}),
    },
    signal,
  });
  const { status, body } = response;
  // Node's streams are iterable; some versions of the types of fetch do not say so.
  if (body !== null && status === (from > 0 ? 206 : 200))
    return body as unknown as AsyncIterable<Uint8Array>;
  await body?.cancel();
  if (from > 0 && status === 200) throw new NoRanges('the server does not resume');
  if (status >= 500 || status === 429) throw new Error(`status ${status}`);
  throw new FinalFault(`status ${status}`);
}

const PROGRESS_STEP = 0.1;

/** Says a line for each tenth of the file. */
function progressOf(file: string, total: number, say: (line: string) => void) {
  let said = -1;
  say(`Fetching ${file}, ${megabytes(total)} …`);
  return (bytes: number) => {
    const tenth = Math.floor(bytes / total / PROGRESS_STEP);
    if (tenth <= said || bytes === total) return;
    said = tenth;
    if (tenth > 0) say(`  ${tenth * 10} % of ${file}`);
  };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

function authorization({ token }: Hub): Record<string, string> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

function causeOf(error: Error): string {
  return error.cause instanceof Error && 'code' in error.cause
    ? String(error.cause.code)
    : error.message;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false;
}
