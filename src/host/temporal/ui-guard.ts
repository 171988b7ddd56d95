import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** A server in front of Temporal's UI. */
export interface UiGuard {
  stop(): Promise<void>;
}

const NAMES = ['127.0.0.1', 'localhost', '[::1]'];
const ANSWER_MS_MAX = 60_000;

/**
 * Listens on a loopback port and hands requests on to Temporal's UI, which takes any Host and knows
 * no caller. A request with another Host (DNS rebinding) or of another page gets 403.
 */
export async function openUiGuard(
  port: number,
  ui: { readonly host: string; readonly port: number },
): Promise<UiGuard> {
  const server = createServer((asked, answer) => {
    const problem = problemOf(asked, port);
    if (problem === null) void handOn(asked, answer, ui);
    else refuse(answer, 403, problem);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
  return {
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function problemOf({ headers, method }: IncomingMessage, port: number): string | null {
  const hosts = NAMES.map((name) => `${name}:${port}`);
  const host = headers.host?.toLowerCase() ?? '';
  if (!hosts.includes(host))
    return (
      `Temporal's UI answers at http://127.0.0.1:${port} only, and this request asks for ` +
      'another host.'
    );
  const { origin } = headers;
  const isOwn =
    origin === undefined || hosts.some((one) => origin.toLowerCase() === `http://${one}`);
  const site = headers['sec-fetch-site'];
  const mayChange = method !== 'GET' && method !== 'HEAD';
  const isForeign = mayChange && (site === 'cross-site' || site === 'same-site');
  return isOwn && !isForeign ? null : "Temporal's UI takes no requests of other pages.";
}

async function handOn(
  asked: IncomingMessage,
  answer: ServerResponse,
  ui: { readonly host: string; readonly port: number },
): Promise<void> {
  const { method, url, headers } = asked;
  const inner = request({ ...ui, method, path: url, headers, timeout: ANSWER_MS_MAX });
  inner.on('timeout', () => inner.destroy());
  answer.on('close', () => inner.destroy());
  try {
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      inner.on('response', resolve);
      inner.on('error', reject);
    });
    answered.catch(() => {});
    await pipeline(asked, inner);
    const response = await answered;
    answer.writeHead(response.statusCode ?? 502, response.headers);
    await pipeline(response, answer);
  } catch {
    if (answer.headersSent) answer.destroy();
    else refuse(answer, 502, "Temporal's UI does not answer.");
  }
}

function refuse(answer: ServerResponse, status: number, message: string): void {
  answer.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
}
