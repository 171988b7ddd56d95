import type { Server } from 'node:http';
import type { AddressInfo, Server as AnyServer } from 'node:net';

/** Lets a server listen on any port of loopback. @returns its host and port */
export async function listening(server: AnyServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Ends an HTTP server with its open connections. */
export async function closing(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
