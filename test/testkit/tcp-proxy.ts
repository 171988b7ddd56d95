import { connect, createServer, type Socket } from 'node:net';
import { listening } from './listen.ts';

/**
 * A way to a server that a test can cut and mend: cut, it refuses connections and drops those that
 * are open.
 */
export interface TcpProxy {
  readonly address: string;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function openTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(`tcp://${target}`);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((inner) => {
    if (isCut) {
      inner.destroy();
      return;
    }
    const outer = connect(Number(port), hostname);
    for (const socket of [inner, outer]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        inner.destroy();
        outer.destroy();
      });
    }
    inner.pipe(outer).pipe(inner);
  });
  const address = await listening(server);
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    address,
    cut() {
      isCut = true;
      drop();
    },
    mend() {
      isCut = false;
    },
    async close() {
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
