import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTool } from '../../src/host/child.ts';
import { CHECKOUT } from './engine.ts';

const MANIFESTS = join(CHECKOUT, 'deploy/kubernetes');
const MODULES = fileURLToPath(new URL('kubeconform/', import.meta.url));
/** A package of PyPI that holds the schemas of Kubernetes' own types, strict ones too. */
const SCHEMAS = 'kubernetes-validate==1.37.0';
const VERSION = 'v1.37.0';

/**
 * Checks deploy/kubernetes with kubeconform against the schemas of Kubernetes; unknown fields are
 * errors. Needs Go and pip, and no cluster.
 * @returns the summary of kubeconform
 */
export async function checkManifests(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'aiden-manifests-'));
  try {
    const kubeconform = join(folder, 'kubeconform');
    const command = 'github.com/yannh/kubeconform/cmd/kubeconform';
    await runTool('go', ['build', '-o', kubeconform, command], {
      cwd: MODULES,
      env: { CGO_ENABLED: '0' },
    });
    const schemas = await schemasIn(folder);
    const location = join(schemas, '{{.ResourceKind}}{{.KindSuffix}}.json');
    const flags = ['-strict', '-summary', '-schema-location', location];
    const files = (await readdir(MANIFESTS)).filter((name) => name !== 'kustomization.yaml');
    const check = (paths: readonly string[]) => runTool(kubeconform, [...flags, ...paths]);
    const summary = await check(files.map((name) => join(MANIFESTS, name)));
    await mustRefuse(folder, check);
    return summary.trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A check that accepts everything would not be noticed otherwise. */
async function mustRefuse(
  folder: string,
  check: (paths: readonly string[]) => Promise<string>,
): Promise<void> {
  const wrong = join(folder, 'wrong.yaml');
  const text = await readFile(join(MANIFESTS, 'api.yaml'), 'utf8');
  await writeFile(wrong, text.replace('replicas:', 'replicass:'));
  const isAccepted = await check([wrong]).then(
    () => true,
    () => false,
  );
  if (isAccepted) throw new Error('kubeconform accepts a field that Kubernetes does not have.');
}

/** The schemas as kubeconform finds them: files that refer to one another by their names. */
async function schemasIn(folder: string): Promise<string> {
  const packages = join(folder, 'packages');
  await runTool('python3', ['-m', 'pip', 'install', '-q', '--target', packages, SCHEMAS]);
  const from = join(packages, `kubernetes_validate/kubernetes-json-schema/${VERSION}-local-strict`);
  const to = join(folder, 'schemas');
  await mkdir(to);
  for (const name of await readdir(from)) {
    const text = await readFile(join(from, name), 'utf8');
    const { $id: _address, ...schema } = JSON.parse(
      text.replaceAll('/api/_definitions.json', '_definitions.json'),
    ) as Record<string, unknown>;
    await writeFile(join(to, name), JSON.stringify(schema));
  }
  return to;
}
