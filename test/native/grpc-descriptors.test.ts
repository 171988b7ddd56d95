import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { protoPath } from 'grpc-health-check';
import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { compileProto } from '../../src/platform/grpc/file-descriptor.ts';
import { compileWithProtoc, pythonGrpcMissing } from '../testkit/python-grpc.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

const reflection = (version: string) => {
  const name = `grpc/reflection/${version}/reflection.proto`;
  const code = import.meta.resolve('@grpc/reflection');
  return { name, path: fileURLToPath(new URL(`../proto/${name}`, code)) };
};
const FILES = [
  {
    name: 'memory.proto',
    path: fileURLToPath(new URL('../../proto/memory.proto', import.meta.url)),
  },
  { name: 'grpc/health/v1/health.proto', path: protoPath },
  reflection('v1'),
  reflection('v1alpha'),
];

const folder = tempFolder('protoc');

const missing = pythonGrpcMissing();
// S2-API-01, docs/decisions/0054
describe('the descriptors that reflection serves', () => {
  it.skipIf(missing !== null).each(FILES)(
    `of $name are byte for byte those of protoc${missing === null ? '' : `: ${missing}`}`,
    async ({ name, path }) => {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await copyFile(path, join(folder, name));
      const theirs = compileWithProtoc(folder, name, join(folder, 'set.binpb'));
      // A FileDescriptorSet of one file: field 1.
      const ours = protobuf.Writer.create().uint32(10).bytes(compileProto(path, name)).finish();
      expect(Buffer.from(ours).equals(theirs)).toBe(true);
    },
  );
});
