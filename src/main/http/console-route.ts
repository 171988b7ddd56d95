import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { entryOf } from '../../common/entry-of.ts';
import { refuse } from '../../platform/http/answer.ts';
import type { HttpRefusal } from '../../platform/http/guards.ts';
import type { Serve } from './watched.ts';

export const CONSOLE_PATH = '/console/';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Compressed forms that the build writes beside an asset, best first. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

/** A plain name, so that no path leaves the folder. */
const ASSET = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

const NOT_BUILT: HttpRefusal = {
  status: 404,
  code: 'BAD_USER_INPUT',
  message: 'The console is not built here. npm start builds it; so does npm run console.',
};
const NO_ASSET: HttpRefusal = {
  status: 404,
  code: 'BAD_USER_INPUT',
  message: 'The console has no such file. Load the page again: it was updated.',
};
const READ_ONLY: HttpRefusal = {
  status: 405,
  code: 'BAD_USER_INPUT',
  message: 'The console is read with GET.',
  headers: { allow: 'GET, HEAD' },
};

/** The OpenID provider of an installation, and the console's place there. */
export interface SignIn {
  /** Address of the provider, which is the `iss` of its tokens. */
  readonly authority: string;
  readonly clientId: string;
  /** Scopes, separated by spaces. */
  readonly scope: string;
}

/**
 * Serves the built console from a folder: `assets/` by hashed names for a year, the page for every
 * other path, so that deep links work. A new build is served at once.
 * @param folder written by `src/host/console.ts`; an absent one is answered with 404 and advice
 * @param signIn given to the page, which may then call the provider's origin
 */
export function openConsole(
  folder: string,
  signIn: SignIn | null = null,
): {
  isBuilt(): boolean;
  readonly serve: Serve;
} {
  const isBuilt = () => existsSync(join(folder, 'index.html'));
  return {
    isBuilt,
    async serve(request, response) {
      if (!isBuilt()) return refuse(response, NOT_BUILT);
      if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, READ_ONLY);
      const path = (request.url?.split('?')[0] ?? '').slice(CONSOLE_PATH.length);
      if (!path.startsWith('assets/')) return servePage(folder, signIn, request, response);
      const name = path.slice('assets/'.length);
      if (!ASSET.test(name)) return refuse(response, NO_ASSET);
      await serveAsset(join(folder, 'assets', name), request, response);
    },
  };
}

async function servePage(
  folder: string,
  signIn: SignIn | null,
  { method }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const nonce = randomBytes(16).toString('base64');
  const page = (await readFile(join(folder, 'index.html'), 'utf8'))
    .replace('%NONCE%', nonce)
    .replace('%SIGN_IN%', () => escaped(signIn === null ? '' : JSON.stringify(signIn)));
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': policyWith(nonce, signIn),
    'cross-origin-opener-policy': 'same-origin',
  });
  response.end(method === 'HEAD' ? undefined : page);
}

/**
 * Scripts come from our assets only, never inline and never from text. Two libraries add style
 * elements while they run: those carry the nonce of the page.
 */
function policyWith(nonce: string, signIn: SignIn | null): string {
  const provider = signIn === null ? '' : ` ${new URL(signIn.authority).origin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${provider}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

async function serveAsset(
  file: string,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const accepted = String(headers['accept-encoding'] ?? '').split(/[,;\s]+/);
  const encoding = ENCODINGS.find(
    ({ name, suffix }) => accepted.includes(name) && existsSync(file + suffix),
  );
  const body = await readFile(file + (encoding?.suffix ?? '')).catch(() => null);
  if (body === null) return refuse(response, NO_ASSET);
  response.writeHead(200, {
    'content-type': entryOf(MEDIA_TYPES, extname(file)) ?? 'application/octet-stream',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
    'content-length': body.byteLength,
    ...(encoding === undefined ? {} : { 'content-encoding': encoding.name }),
  });
  response.end(method === 'HEAD' ? undefined : body);
}
