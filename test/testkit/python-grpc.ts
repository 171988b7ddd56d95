import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { folderOf, type PythonPackages, pythonMissing, runPython } from './python.ts';

const GRPC: PythonPackages = {
  name: 'python-grpc-tools-1.85.1',
  packages: [
    'grpcio==1.85.1',
    'grpcio-reflection==1.85.1',
    'grpcio-tools==1.85.1',
    'protobuf==7.36.2',
  ],
};
const CLIENT = fileURLToPath(new URL('memory-client.py', import.meta.url));

/** Why Python's gRPC client can not be had here; null when it is there. */
export function pythonGrpcMissing(): string | null {
  return pythonMissing(GRPC);
}

/** The answer that the Python client got. */
export async function askFromPython(
  address: string,
  authorization: string,
  events: readonly object[],
): Promise<Record<string, never>> {
  const input = JSON.stringify(events);
  return (await runPython(GRPC, [CLIENT, address, authorization], input)) as Record<string, never>;
}

/** The descriptor set that protoc makes of one file, encoded. `name` is its path below `folder`. */
export function compileWithProtoc(folder: string, name: string, output: string): Buffer {
  const args = ['-m', 'grpc_tools.protoc', '-I', folder, `--descriptor_set_out=${output}`, name];
  const { status, stderr } = spawnSync('python3', args, {
    env: { ...process.env, PYTHONPATH: folderOf(GRPC) },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`protoc ended with ${status}: ${stderr}`);
  return readFileSync(output);
}
