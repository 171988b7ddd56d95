import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How often connections are looked at for bytes that wait. */
const LOOK_MS = 1_000;

/**
 * Closes the connections of a server whose peer takes none of the bytes that wait for it during
 * `msMax`, because those bytes take memory. A peer that reads slowly stays connected.
 * @returns sets another time and another way of closing for one connection
 */
export function closeStalled(server: Server, msMax: number) {
  const connections = new Map<Socket, { readonly msMax: number; close(): void }>();

  function watch(socket: Socket): void {
    connections.set(socket, { msMax, close: () => socket.destroy() });
    socket.once('close', () => connections.delete(socket));
  }
  /** Node starts the time of a socket again whenever the peer takes a part of a write. */
  function onTimeout(socket: Socket): void {
    if (socket.writableLength === 0) socket.setTimeout(0);
    else connections.get(socket)?.close();
  }
  server.on('connection', watch);
  // Without a listener, Node would close a response that has nothing to say for a while.
  server.on('request', (_request, response: ServerResponse) => response.on('timeout', onTimeout));
  const look = setInterval(() => {
    for (const [socket, { msMax }] of connections)
      if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(msMax);
  }, LOOK_MS);
  look.unref();
  server.once('close', () => clearInterval(look));

  return {
    /** For a connection that no longer speaks HTTP. */
    upgraded(socket: Socket, other: { readonly msMax: number; close(): void }): void {
      if (!connections.has(socket)) return;
      connections.set(socket, other);
      socket.on('timeout', () => onTimeout(socket));
    },
  };
}

export type StalledConnections = ReturnType<typeof closeStalled>;
