import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { SETTINGS } from '../../src/main/config/settings.ts';
import { CHECKOUT } from './source.ts';

// docs/decisions/0061. kubeconform checks the types (`npm run containers`); here is the rest.

const FOLDER = join(CHECKOUT, 'deploy/kubernetes');
const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const Quantities = z.object({ cpu: z.string(), memory: z.string() });
const Container = z.object({
  image: z.string(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  envFrom: z.array(
    z.union([
      z.strictObject({ configMapRef: z.object({ name: z.string() }) }),
      z.strictObject({ secretRef: z.object({ name: z.string() }) }),
    ]),
  ),
  ports: z.array(z.object({ name: z.string(), containerPort: z.int() })).default([]),
  resources: z.object({ requests: Quantities, limits: Quantities }),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  startupProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
});
const Pod = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()) }),
  spec: z.object({
    automountServiceAccountToken: z.literal(false),
    terminationGracePeriodSeconds: z.int().optional(),
    securityContext: z.object({ runAsNonRoot: z.literal(true) }),
    containers: z.tuple([Container]),
  }),
});
const Deployment = z.object({
  kind: z.literal('Deployment'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({ replicas: z.int().min(2), template: Pod }),
});
const CronJob = z.object({
  kind: z.literal('CronJob'),
  spec: z.object({ jobTemplate: z.object({ spec: z.object({ template: Pod }) }) }),
});
const Budget = z.object({
  kind: z.literal('PodDisruptionBudget'),
  spec: z.object({
    maxUnavailable: z.literal(1),
    selector: z.object({ matchLabels: z.object({ app: z.string() }) }),
  }),
});
const Kustomization = z.object({ resources: z.array(z.string()) });

const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
const { resources } = Kustomization.parse(parse(read('kustomization.yaml')));
const objects = resources.flatMap((name) =>
  parseAllDocuments(read(name)).map((document): unknown => document.toJS()),
);
const all = <T>(schema: z.ZodType<T>, kind: string): T[] =>
  objects
    .filter((one) => z.object({ kind: z.literal(kind) }).safeParse(one).success)
    .map((one) => schema.parse(one));
const deployments = all(Deployment, 'Deployment');
const workers = deployments.filter(({ metadata }) => metadata.name.startsWith('aiden-worker-'));
const pods = [
  ...deployments.map(({ spec }) => spec.template),
  ...all(CronJob, 'CronJob').map(({ spec }) => spec.jobTemplate.spec.template),
];

describe('deploy/kubernetes', () => {
  it('lists all of its files', () => {
    const files = readdirSync(FOLDER).filter((name) => name !== 'kustomization.yaml');
    expect(resources.toSorted()).toEqual(files.toSorted());
  });

  it('runs the API, each operation type by itself, workflows and jobs, and a backup', () => {
    expect(deployments.map(({ metadata }) => metadata.name).sort()).toEqual(
      [
        ...'api worker-graph-query worker-jobs worker-llm-call worker-mcp-call'.split(' '),
        ...'worker-rest-call'.split(' '),
      ].map((name) => `aiden-${name}`),
    );
    expect(pods).toHaveLength(deployments.length + 1);
    for (const { metadata, spec } of workers) {
      const own = metadata.name.slice('aiden-worker-'.length).replaceAll('-', '_').toUpperCase();
      const sized = spec.template.spec.containers[0].env.filter(
        ({ name, value }) => name.startsWith('AIDEN_WORKERS_') && value !== '0',
      );
      expect(sized.map(({ name }) => name)).toEqual(own === 'JOBS' ? [] : [`AIDEN_WORKERS_${own}`]);
    }
  });

  it('asks each process whether it lives and whether it is ready, on a port that it has', () => {
    for (const { spec } of deployments) {
      const [{ ports, startupProbe, livenessProbe, readinessProbe, env }] =
        spec.template.spec.containers;
      const probes = [startupProbe, livenessProbe, readinessProbe];
      expect(probes.map((probe) => probe?.httpGet.path)).toEqual(['/ready', '/health', '/ready']);
      for (const probe of probes)
        expect(ports.map(({ name }) => name)).toContain(probe?.httpGet.port);
      const workerPort = env.find(({ name }) => name === 'AIDEN_WORKER_PORT')?.value ?? '4000';
      expect(ports.map(({ containerPort }) => String(containerPort))).toContain(workerPort);
    }
  });

  it('lets one pod of each kind leave at a time, and current steps end', () => {
    const covered = all(Budget, 'PodDisruptionBudget').map(
      ({ spec }) => spec.selector.matchLabels.app,
    );
    expect(covered.toSorted()).toEqual(deployments.map(({ metadata }) => metadata.name).sort());
    for (const { spec } of deployments)
      expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(30);
  });

  it('names only settings that exist, and holds no secret', () => {
    const known = SETTINGS.flatMap(({ env }) => env);
    const secret = SETTINGS.filter((info) => info.secret).flatMap(({ env }) => env);
    const ConfigMap = z.object({ kind: z.string(), data: z.record(z.string(), z.string()) });
    const names = [
      ...all(ConfigMap, 'ConfigMap').flatMap(({ data }) => Object.keys(data)),
      ...pods.flatMap(({ spec }) => spec.containers[0].env.map(({ name }) => name)),
    ];
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
    expect(names.filter((name) => secret.includes(name))).toEqual([]);
    for (const { spec } of pods)
      expect(spec.containers[0].envFrom).toContainEqual({ secretRef: { name: 'aiden' } });
    expect(
      objects.some((one) => z.object({ kind: z.literal('Secret') }).safeParse(one).success),
    ).toBe(false);
  });
});
