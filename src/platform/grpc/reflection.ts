import { fileURLToPath } from 'node:url';
import type { Server } from '@grpc/grpc-js';
import { loadSync, type PackageDefinition } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { compileProto } from './file-descriptor.ts';

/** A proto file on this machine, and the name that clients know it by. */
export interface ProtoFile {
  readonly path: string;
  readonly name: string;
}

/** Serves reflection v1 and v1alpha for the services of these files and for itself. */
export function addReflection(server: Server, files: readonly ProtoFile[]): void {
  const all = [...files, ...reflectionProtos()].map(described);
  new ReflectionService(Object.assign({}, ...all)).addToServer(server);
}

/** The definitions of a file with the descriptor that protoc would make. */
function described({ path, name }: ProtoFile): PackageDefinition {
  const fileDescriptorProtos = [compileProto(path, name)];
  const entries = Object.entries(loadSync(path)).map(([key, definition]) => [
    key,
    'fileDescriptorProtos' in definition ? { ...definition, fileDescriptorProtos } : definition,
  ]);
  return Object.fromEntries(entries);
}

// Clients look for the reflection service in its own list.
function reflectionProtos(): ProtoFile[] {
  const code = import.meta.resolve('@grpc/reflection');
  return ['v1', 'v1alpha'].map((version) => {
    const name = `grpc/reflection/${version}/reflection.proto`;
    return { name, path: fileURLToPath(new URL(`../proto/${name}`, code)) };
  });
}
