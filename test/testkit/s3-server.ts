import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../src/host/ports.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
// The SDK signs the path of a listing with a slash at its end. This server drops that slash before
// it checks the signature. It encrypts the tokens of further pages with DES, which OpenSSL no
// longer has.
const SERVER = `
  const crypto = require('node:crypto');
  for (const name of ['createCipheriv', 'createDecipheriv']) {
    const make = crypto[name];
    crypto[name] = (algorithm, key, iv, ...more) => algorithm === 'des'
      ? make('aes-128-cbc', Buffer.concat([key, key]), Buffer.concat([iv, iv]))
      : make(algorithm, key, iv, ...more);
  }
  const v4 = require('@20minutes/s3rver/lib/signature/v4.js');
  const textOf = v4.getStringToSign;
  v4.getStringToSign = (request, signature) => textOf(
    { ...request, uri: request.uri + (request.querystring.includes('list-type=2') ? '/' : '') },
    signature,
  );
  const S3rver = require('@20minutes/s3rver');
  const [directory, port, name] = process.argv.slice(1);
  const configureBuckets = [{ name }];
  const address = '127.0.0.1';
  new S3rver({ directory, port: Number(port), address, silent: true, configureBuckets }).run();
`;

export const S3_BUCKET = 'blobs';
/** The credentials of the server. */
export const S3_CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

export interface S3Server {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** A real S3-compatible server in a process of its own, with one bucket; it checks signatures. */
export async function startS3(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'aiden-s3-'));
  const port = await freePort(0, new Set());
  const args = ['-e', SERVER, folder, String(port), S3_BUCKET];
  const child = spawn(process.execPath, args, {
    cwd: CHECKOUT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const endpoint = `http://127.0.0.1:${port}`;
  for (const endMs = Date.now() + 150_000; ; ) {
    if (
      await fetch(endpoint).then(
        () => true,
        () => false,
      )
    )
      break;
    if (Date.now() > endMs || child.exitCode !== null)
      throw new Error('The S3 server did not start.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    endpoint,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
