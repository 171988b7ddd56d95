import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json.ts';
import { ToolFault } from '../../src/common/tool-fault.ts';
import { mcpDriver } from '../../src/platform/drivers/mcp-call.ts';
import type { McpServerCommand } from '../../src/platform/drivers/stdio-transport.ts';
import { driverCall, driverTarget } from '../testkit/driver-calls.ts';
import { driverParts } from '../testkit/real-calls.ts';
import { tempFolder } from '../testkit/temp-folder.ts';
import { STDIO_CALLS, STDIO_PROBES, type Written } from './mcp-stdio.cases.ts';

// The driver of mcp_call against stdio servers that misbehave.

/** A server that writes what its argument says. It ends by itself after a minute. */
const SERVER = `
const { spawn } = require('node:child_process');
const given = JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8'));
const { encoding = 'utf8', exitsAt, exit, stays, child } = given;
setTimeout(() => process.exit(9), 60000).unref();
if (stays || given.isDeaf) setInterval(() => {}, 1000);
if (child) spawn(process.execPath, ['-e', 'setTimeout(() => {}, 15000)'],
  { stdio: ['ignore', 'inherit', 'ignore'], detached: child === 'detached' }).unref();
const write = (at, text, id) => {
  if (given.stderr) require('node:fs').writeSync(2, given.stderr);
  const whole = (text.endsWith('\\\\') ? text.slice(0, -1) : text + '\\n').replaceAll('{id}', id);
  process.stdout.write(Buffer.from(whole, encoding), () => exitsAt === at && process.exit(exit));
};
if (given.start !== undefined || exitsAt === 'start') write('start', given.start ?? '', '');
const open = '{"jsonrpc":"2.0","id":{id},"result":{"protocolVersion":"2025-06-18",' +
  '"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}';
const list = '{"jsonrpc":"2.0","id":{id},"result":{"tools":[]}}';
const done = '{"jsonrpc":"2.0","id":{id},"result":{"content":[{"type":"text","text":"done"}]}}';
const answers = {
  initialize: () => ['initialize', given.initialize ?? open],
  'tools/list': () => ['list', given.list ?? list],
  'tools/call': () => ['call', given.call ?? done],
  ping: () => ['ping', '{"jsonrpc":"2.0","id":{id},"result":{}}'],
};
if (!given.isDeaf) {
  const lines = require('node:readline').createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (method === undefined && exitsAt === 'answer') process.exit(exit);
    if (id === undefined || !answers[method]) return;
    const answer = () => write(...answers[method](), id);
    if (method === 'tools/call' && given.callMs) setTimeout(answer, given.callMs);
    else answer();
  });
  lines.on('close', () => stays || process.exit(0));
}
`;

const { egress, renderer } = driverParts();
const running: { close?(): Promise<void> }[] = [];
afterAll(async () => {
  await Promise.all(running.map((driver) => driver.close?.()));
});

const folder = tempFolder('stdio');
let files = 0;

function commandOf(written: Written): McpServerCommand {
  // An argument has at most 128 KiB.
  const file = join(folder, `${files++}.json`);
  writeFileSync(file, JSON.stringify(written));
  return { command: process.execPath, args: ['-e', SERVER, file], env: ['TOKEN'] };
}

function serving(server: McpServerCommand) {
  const driver = mcpDriver({ egress, renderer, mcpServers: { it: server } });
  running.push(driver);
  return driver;
}

type Secret = { readonly value: string; readonly scope: string } | null;
const targetOf = (secret: Secret = null) => ({
  protocol: 'stdio' as const,
  connectionParams: { server: 'it' },
  secret,
});

async function called(server: McpServerCommand, secret: Secret = null): Promise<unknown> {
  const operation = { type: 'mcp_call' as const, tool: 'it' };
  const signal = AbortSignal.timeout(30_000);
  const { output } = await serving(server).invoke(
    driverCall(operation, targetOf(secret), { inputs: {} as JsonObject, signal }),
  );
  return output;
}

const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => `It gave ${JSON.stringify(value)}.`,
    (error: unknown) => error,
  );

describe('a call of a tool of a stdio server', () => {
  it.each(STDIO_CALLS)('$title', async ({ input, right }) => {
    if ('output' in right) {
      expect(await called(commandOf(input))).toEqual(right.output);
      return;
    }
    const fault = await faultOf(called(commandOf(input)));
    expect(fault).toBeInstanceOf(ToolFault);
    const { message, retryable, code } = fault as ToolFault;
    expect(message).toMatch(right.fault);
    expect(message).not.toMatch(/"code"|invalid_type/);
    expect(code).not.toBe('CANCELLED');
    if (right.isRetryable !== undefined) expect(retryable).toBe(right.isRetryable);
  });

  it.each([
    ['is not there', { command: '/does/not/exist', args: [] }, /is not there, ENOENT/],
    ['may not be run', { command: tmpdir(), args: [] }, /may not be run, EACCES/],
    ['has no folder', { command: process.execPath, args: [], cwd: '/none' }, /folder is not there/],
    ['is too long', { command: process.execPath, args: ['x'.repeat(3_000_000)] }, /too long/],
  ] as const)('whose command %s says so, and where it stands', async (_what, server, words) => {
    const fault = await faultOf(called(server));
    expect(fault).toBeInstanceOf(ToolFault);
    expect((fault as ToolFault).message).toMatch(words);
    expect((fault as ToolFault).message).toContain('AIDEN_MCP_SERVERS');
  });

  it('does not tell a Secret that no environment takes', async () => {
    const secret = { value: 'CANARY-before\u0000after', scope: 'env:TOKEN' };
    const fault = await faultOf(called(commandOf({}), secret));
    expect(fault).toBeInstanceOf(ToolFault);
    expect((fault as ToolFault).message).toContain('NUL');
    expect((fault as ToolFault).message).not.toMatch(/CANARY|after/);
  });

  it.each([
    ['whole', 'CANARY-of-the-server', 'refused CANARY-of-the-server'],
    ['longer than what is shown', 'CANARY-'.repeat(60), `refused ${'CANARY-'.repeat(60)}`],
    [
      'one line of a key',
      'begin-of-key\r\nCANARY-of-the-server\r\nend',
      'refused CANARY-of-the-server',
    ],
  ])('does not tell a Secret that the server printed, %s', async (_, value, start) => {
    const given = { value, scope: 'env:TOKEN' };
    const fault = await faultOf(called(commandOf({ start, exit: 1, exitsAt: 'start' }), given));
    expect((fault as ToolFault).message).toMatch(/It printed: refused \[REDACTED\]$/);
  });
});

describe('a probe of a stdio server', () => {
  it.each(STDIO_PROBES)('$title', async ({ input, right }) => {
    const found = await serving(commandOf(input)).probe(
      driverTarget('mcp_call', targetOf()),
      AbortSignal.timeout(30_000),
    );
    if (right === 'healthy') expect(found).toMatchObject({ status: 'healthy' });
    else expect(found).toEqual({ status: 'down', errorMessage: expect.stringMatching(right) });
  });
});
