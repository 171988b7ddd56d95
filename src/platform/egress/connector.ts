import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { ToolFault } from '../../common/tool-fault.ts';
import { type Endpoint, plainHost } from './address.ts';
import { type Caller, denied, type Resolver } from './resolver.ts';

/**
 * Connects only to checked addresses. It resolves the name, checks every address, connects to the
 * address itself and compares the peer. A later DNS answer therefore has no effect, and IP
 * literals, which skip Node's lookup hook, are checked too.
 */
export function checkedConnector(
  resolver: Resolver,
  caller: Caller,
  timeoutMs: number,
): buildConnector.connector {
  const connectTo = buildConnector({ timeout: timeoutMs, allowH2: false });

  async function connect(options: buildConnector.Options): Promise<Socket> {
    const endpoint = endpointOfOptions(options);
    const addresses = await resolver.resolve(endpoint, caller);
    let failure: unknown = null;
    for (const address of addresses) {
      try {
        const socket = await opened(connectTo, { ...options, hostname: address });
        if (plainHost(socket.remoteAddress ?? '') === plainHost(address)) return socket;
        socket.destroy();
        throw denied(`${endpoint.host} answered from an address that was not checked.`);
      } catch (error) {
        if (error instanceof ToolFault) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  return (options, callback) => {
    connect(options).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

function endpointOfOptions({ hostname, protocol, port }: buildConnector.Options): Endpoint {
  return { host: plainHost(hostname), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

const opened = (
  connectTo: buildConnector.connector,
  options: buildConnector.Options,
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    // On failure undici omits the socket, where its types promise null.
    connectTo(options, (error, socket) => (socket ? resolve(socket) : reject(error)));
  });
