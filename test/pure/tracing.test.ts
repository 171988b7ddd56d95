import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  activeTracing,
  continueTrace,
  currentTraceparent,
  inChildSpan,
  inSpan,
} from '../../src/platform/telemetry/tracing.ts';

const run = promisify(execFile);

/**
 * How many modules of OpenTelemetry's SDK and exporters a process has loaded after importing these.
 */
async function loaded(paths: readonly string[]): Promise<number> {
  const urls = paths.map((path) => new URL(`../../${path}`, import.meta.url).href);
  const script = `
    for (const url of ${JSON.stringify(urls)}) await import(url);
    const { createRequire } = await import('node:module');
    const names = Object.keys(createRequire(import.meta.url).cache);
    console.log(names.filter((name) => /opentelemetry.(sdk|exporter|otlp)/.test(name)).length);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  return Number(stdout);
}

describe('tracing that is off', () => {
  it('does the work and nothing else', async () => {
    const init = {
      kind: 'client',
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    } as const;
    expect(activeTracing()).toBeNull();
    expect(await inSpan('x', init, async (span) => [span, currentTraceparent()])).toEqual([
      null,
      null,
    ]);
    expect(await inChildSpan('x', init, async (span) => span)).toBeNull();
    expect(await continueTrace(init.traceparent, async () => currentTraceparent())).toBeNull();
  });

  it('loads nothing of OpenTelemetry but its interface', async () => {
    const uses = ['neo4j/graph.ts', 'egress/egress.ts', 'temporal/client.ts', 'temporal/fleet.ts'];
    expect(await loaded(uses.map((path) => `src/platform/${path}`))).toBe(0);
    expect(await loaded(['src/platform/telemetry/otlp.ts'])).toBeGreaterThan(10);
  });
});
