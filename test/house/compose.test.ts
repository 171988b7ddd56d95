import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CLOSED, FAIR, TUNED } from '../../src/host/temporal/native.ts';
import { CHECKOUT } from './source.ts';

const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0;
const text = readFileSync(join(CHECKOUT, 'docker-compose.yml'), 'utf8');
const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
interface Service {
  readonly build?: string;
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Record<string, string | number>;
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
}

describe('docker-compose.yml', () => {
  it.skipIf(!hasCompose)('is accepted by docker compose config', () => {
    const { status, stderr } = spawnSync(
      'docker',
      ['compose', '--profile', 'full', 'config', '--quiet'],
      { cwd: CHECKOUT, encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  it('starts only Neo4j and Temporal, with health checks, without the profile full', () => {
    const plain = Object.entries(services).filter(
      ([, { profiles }]) => !profiles?.includes('full'),
    );
    expect(plain.map(([name]) => name).sort()).toEqual(['neo4j', 'temporal']);
    for (const [, service] of plain) expect(service.healthcheck).toBeDefined();
  });

  it('asks every service for its health, without a JVM, and gives none a capability', () => {
    for (const { healthcheck, cap_drop } of Object.values(services)) {
      expect(healthcheck?.test.join(' ')).not.toMatch(/cypher-shell|^$/);
      expect(cap_drop).toEqual(['ALL']);
    }
    const mayWrite = Object.entries(services).filter(([, { read_only }]) => read_only !== true);
    expect(mayWrite.map(([name]) => name)).toEqual(['neo4j']);
    expect(services['neo4j']?.user).toBe('7474:7474');
  });

  it('tunes Temporal as the native way does', () => {
    for (const value of [...TUNED, ...CLOSED, ...FAIR])
      expect(services['temporal']?.command).toContain(`--dynamic-config-value=${value}`);
    const headless = services['temporal']?.command?.find((flag) => flag.startsWith('--headless='));
    expect(headless).toMatch(/:-true\}$/);
  });

  it('builds Temporal from the modules that the native way locks', () => {
    const folder = services['temporal']?.build ?? '';
    const [dockerfile, modules] = ['Dockerfile', 'go.mod'].map((name) =>
      readFileSync(join(CHECKOUT, folder, name), 'utf8'),
    ) as [string, string];
    const [, go] = /^go (\S+)$/m.exec(modules) ?? [];
    const [, tool] = /^tool (\S+)$/m.exec(modules) ?? [];
    expect(folder).toBe('src/host/temporal');
    expect(dockerfile).toContain(`FROM golang:${go}-`);
    expect(dockerfile).toContain('COPY go.mod go.sum ./');
    expect(dockerfile).toContain(`go build -o /temporal ${tool}`);
  });

  it('scales Workers by type, one type each', () => {
    const workers = Object.entries(services).filter(([name]) => name.startsWith('worker-'));
    expect(workers).toHaveLength(4);
    for (const [name, { environment = {} }] of workers) {
      const own = `AIDEN_WORKERS_${name.slice('worker-'.length).replace('-', '_').toUpperCase()}`;
      const sized = Object.entries(environment).filter(
        ([key, value]) => key.startsWith('AIDEN_WORKERS_') && value !== 0,
      );
      expect(sized.map(([key]) => key)).toEqual([own]);
    }
  });

  it('publishes GraphQL and the agent memory over gRPC (S2-CFG-01)', () => {
    const inside = (services['api']?.ports ?? []).map((port) => port.split(':').at(-1));
    expect(inside).toEqual(['4000', '50051']);
  });

  it('publishes nothing beyond this machine and knows no default password', () => {
    for (const { ports = [] } of Object.values(services)) {
      for (const port of ports)
        expect(port).toMatch(/^(127\.0\.0\.1|\$\{AIDEN_BIND:-127\.0\.0\.1\}):/);
    }
    const secrets = Object.values(services).flatMap(({ environment = {} }) =>
      Object.entries(environment).filter(
        ([key]) => /PASSWORD|SECRET|AUTH$|API_KEY/.test(key) && key !== 'AIDEN_AUTH',
      ),
    );
    expect(secrets.length).toBeGreaterThan(5);
    for (const [, value] of secrets) expect(value).toMatch(/\$\{\w+:-\}$/);
  });
});
