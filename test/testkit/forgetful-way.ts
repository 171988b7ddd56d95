import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Bolt's message COMMIT in its chunk, and the end of the chunk. */
const COMMIT = Buffer.from([0x00, 0x02, 0xb0, 0x12, 0x00, 0x00]);
const COMMITTED_AFTER_MS = 400;

/**
 * A way to Neo4j that loses the answers of the next commits: they arrive there, and then it cuts
 * the connection.
 */
export async function openForgetfulWay() {
  const { hostname, port } = new URL(process.env['NEO4J_URI'] ?? '');
  const state = { toLose: 0, lost: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((inner) => {
    const outer = connect(Number(port), hostname);
    let isLost = false;
    for (const socket of [inner, outer]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        inner.destroy();
        outer.destroy();
      });
    }
    inner.on('data', (bytes) => {
      if (state.toLose > 0 && bytes.includes(COMMIT)) {
        state.toLose--;
        state.lost++;
        isLost = true;
        setTimeout(() => inner.destroy(), COMMITTED_AFTER_MS);
      }
      outer.write(bytes);
    });
    outer.on('data', (bytes) => {
      if (!isLost) inner.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    state,
    uri: `bolt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
