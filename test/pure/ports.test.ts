import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { freePort, PortClaims, saysPortTaken } from '../../src/host/ports.ts';

// Systems give outgoing connections ports from 32768 on.
const OUTGOING_FIRST = 32_768;

describe('any free port', () => {
  it('is none that an outgoing connection could take before the server binds it', async () => {
    const claims = new PortClaims();
    const ports = [await claims.take(0), await claims.take(0), await freePort(0, new Set())];
    await claims.release();
    expect(new Set(ports).size).toBe(ports.length);
    for (const port of ports) expect(port).toBeLessThan(OUTGOING_FIRST);
  });
});

it('a server whose port was taken meanwhile says so', async () => {
  const first = createServer();
  const port = await freePort(0, new Set());
  await new Promise<void>((resolve) => first.listen(port, '127.0.0.1', resolve));
  const fault = await new Promise<Error>((resolve) => {
    createServer().once('error', resolve).listen(port, '127.0.0.1');
  });
  first.close();
  expect(saysPortTaken(fault)).toBe(true);
  expect(saysPortTaken(new Error('Neo4j ended before it was ready.'))).toBe(false);
});
