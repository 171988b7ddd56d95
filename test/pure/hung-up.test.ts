import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { answerGuarded, listen } from '../../src/main/http/watched.ts';
import { readParams } from '../../src/platform/http/body.ts';
import type { Log } from '../../src/platform/telemetry/log.ts';

it('a caller that hangs up in the middle of a body is no error of the server', async () => {
  const errors: unknown[] = [];
  const log = { error: (...given: unknown[]) => errors.push(given) } as unknown as Log;
  const guard = { check: () => null } as never;
  const limits = { bytesMax: 1_000, intakeBytesMax: 1_000, isIntake: () => false };
  const arrived = Promise.withResolvers<void>();
  let answered = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.once('data', () => arrived.resolve());
    void answerGuarded({ guard, log, newId: () => 'r1' }, request, response, async () => {
      await readParams(request, limits);
      throw new Error('The whole body came.');
    }).then(() => answered.resolve());
  });
  const url = new URL(await listen(server, '127.0.0.1', 0));
  const send = async (body: string) => {
    const socket = connect(Number(url.port), url.hostname);
    await once(socket, 'connect');
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n${body}`);
    return socket;
  };

  const socket = await send('{"query": ');
  await arrived.promise;
  socket.destroy();
  await answered.promise;
  expect(errors).toEqual([]);

  // A defect behind a whole body is logged.
  answered = Promise.withResolvers();
  const other = await send(`{"query": "${'x'.repeat(100 - 13)}"}`);
  await answered.promise;
  expect(errors).toHaveLength(1);
  other.destroy();
  server.close();
});
