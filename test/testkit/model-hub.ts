import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model hub on loopback: files with a SHA-256 in a header, a redirect, and ranges. */
export interface ModelHub {
  readonly url: string;
  /** Method, path and headers of each request. */
  readonly requests: readonly {
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
  }[];
  /** Sends only so many bytes of the next downloads and closes the connection. */
  breakOffAfter(...bytes: readonly number[]): void;
  close(): Promise<void>;
}

/**
 * @param files content by `owner/name/resolve/main/file`
 * @param options `sha256`: a value other than the right one; null: none. `token`: the required
 * token. `more`: bytes after the file, without a length
 */
export async function openModelHub(
  files: Readonly<Record<string, Buffer>>,
  options: {
    readonly sha256?: string | null;
    readonly token?: string;
    readonly more?: Buffer;
  } = {},
): Promise<ModelHub> {
  const requests: ModelHub['requests'][number][] = [];
  const breaks: number[] = [];
  const server = createServer((request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    requests.push({ method, path, headers });
    if (options.token !== undefined && headers.authorization !== `Bearer ${options.token}`)
      return response.writeHead(401).end();
    const content = files[path.replace(/^\/(cdn\/)?/, '')];
    if (content === undefined) return response.writeHead(404).end();
    const etag = options.sha256 === undefined ? sha256(content) : options.sha256;
    const linked = {
      'x-linked-size': String(content.length),
      ...(etag === null ? {} : { 'x-linked-etag': `"${etag}"` }),
    };
    if (!path.startsWith('/cdn/'))
      return response.writeHead(302, { ...linked, location: `/cdn${path}` }).end();
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    const rest = content.subarray(from);
    const status = from === 0 ? {} : { 'content-range': `bytes ${from}-/${content.length}` };
    if (options.more !== undefined) {
      response.writeHead(from === 0 ? 200 : 206, status);
      return response.end(Buffer.concat([rest, options.more]));
    }
    const input = { ...status, 'content-length': String(rest.length) };
    response.writeHead(from === 0 ? 200 : 206, input);
    const bytes = breaks.shift();
    if (bytes === undefined) return response.end(rest);
    response.write(rest.subarray(0, bytes), () => response.socket?.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    breakOffAfter: (...bytes) => void breaks.push(...bytes),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
