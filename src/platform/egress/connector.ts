import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { ToolFault } from '../../common/tool-fault.ts';
import { type Endpoint, plainHost } from './address.ts';
import { type Caller, denied, type Resolver } from './resolver.ts';

/**
 * Connects to addresses that were checked, and to nothing else: the name is resolved here, every answer judged, the
 * socket opened to the address itself, and the peer compared once it stands. So a second DNS answer comes too late,
 * and IP literals, for which Node never calls a lookup hook, pass the same gate.
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

function opened(
  connectTo: buildConnector.connector,
  options: buildConnector.Options,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // On failure undici leaves the socket out, where its types promise null.
    connectTo(options, (error, socket) => (socket ? resolve(socket) : reject(error)));
  });
}
