import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import tls from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { graphDriver } from '../../src/platform/drivers/graph-query.ts';
import { openEgress } from '../../src/platform/egress/egress.ts';
import { driverCall } from '../testkit/driver-calls.ts';
import { testGraph } from '../testkit/graph.ts';
import { openRestServer } from '../testkit/rest-server.ts';
import {
  distrustTestCertificate,
  TEST_CERTIFICATE,
  TEST_KEY,
  trustTestCertificate,
} from '../testkit/tls.ts';

const names: (string | false | null)[] = [];
const server = createServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, (request, response) => {
  const to = new URL(request.url ?? '/', 'https://here').searchParams.get('to');
  if (to === null) response.end('secured');
  else response.writeHead(302, { location: to }).end();
});

server.on('secureConnection', (socket) => names.push(socket.servername));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const port = (server.address() as AddressInfo).port;
const lookup = async () => ['127.0.0.1'];
const egress = openEgress({ mode: 'dev', allow: [], platformPorts: [], systemOrigins: [], lookup });
afterAll(async () => {
  distrustTestCertificate();
  await egress.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

// One after the other: the first needs the certificate unknown, the others trusted.
describe('TLS, connected to a checked address', () => {
  it('refuses a certificate without a known issuer, for good', async () => {
    await expect(egress.fetch(`https://secure.example:${port}/`)).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      retryable: false,
      message: expect.stringMatching(/certificate/),
    });
    trustTestCertificate();
  });

  it('asks for the name, not the address, and checks the certificate against it', async () => {
    const response = await egress.fetch(`https://secure.example:${port}/`);
    expect(await response.text()).toBe('secured');
    expect(names.at(-1)).toBe('secure.example');
    await expect(egress.fetch(`https://other.example:${port}/`)).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      retryable: false,
    });
    await expect(egress.fetch(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      retryable: false,
    });
  });

  it('does not follow a redirect from https to http', async () => {
    const plain = await openRestServer();
    const url = `https://secure.example:${port}/?to=${encodeURIComponent(`${plain.origin}/echo`)}`;
    await expect(egress.fetch(url)).rejects.toMatchObject({
      code: 'EGRESS_DENIED',
      message: expect.stringMatching(/https to http/),
    });
    expect(plain.requests).toHaveLength(0);
    await plain.close();
  });

  it('speaks bolt+s, and does not fall back to plain text', async () => {
    const bolt = new URL((process.env['NEO4J_URI'] ?? '').replace(/^bolt/, 'http'));
    // Neo4j behind TLS: it decrypts and passes on to the server of the tests.
    const front = tls.createServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, (socket) => {
      const back = connect(Number(bolt.port), bolt.hostname);
      socket.on('error', () => back.destroy());
      back.on('error', () => socket.destroy());
      socket.pipe(back).pipe(socket);
    });
    await new Promise<void>((resolve) => front.listen(0, resolve));
    const platformGraph = testGraph();
    const driver = graphDriver({ egress, platformGraph });
    const secret = { value: process.env['NEO4J_PASSWORD'] ?? '', scope: null };
    const operation = {
      type: 'graph_query' as const,
      query: 'RETURN 1 AS one',
      access: 'read' as const,
    };
    const at = (endpoint: string) =>
      driver.invoke(
        driverCall(operation, { connectionParams: { endpoint }, secret, protocol: 'bolt+s' }),
      );
    const secured = `bolt+s://localhost:${(front.address() as AddressInfo).port}`;
    expect((await at(secured)).output).toEqual([{ one: 1 }]);
    await expect(at(`bolt+s://localhost:${bolt.port}`)).rejects.toMatchObject({
      code: 'TOOL_FAILED',
    });
    await expect(at(secured.replace('localhost', '127.0.0.1'))).rejects.toMatchObject({
      code: 'TOOL_FAILED',
    });
    await driver.close();
    await platformGraph.close();
    front.close();
  });
});
