import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor/index.js';

/**
 * Compiles one proto3 file to an encoded `FileDescriptorProto`, equal to the one that protoc makes
 * of it. `toDescriptor` of protobufjs is not used: it names map entries wrongly, leaves type names
 * relative and drops `optional`, so clients in Go refuse its result.
 * @param path the file on this machine; it may not import other files
 * @param name the name that clients know it by, such as `grpc/health/v1/health.proto`
 * @throws Error if the file has a construct that this compiler does not know
 */
export function compileProto(path: string, name: string): Buffer {
  const parsed = protobuf.parse(readFileSync(path, 'utf8'), { keepCase: true });
  const imports = [...(parsed.imports ?? []), ...(parsed.weakImports ?? [])];
  if (imports.length > 0) throw new Error(`${name} imports ${imports.join(', ')}.`);
  const root = parsed.root.resolveAll();
  const scope = root.lookup(parsed.package ?? '');
  if (!(scope instanceof protobuf.Namespace)) throw new Error(`${name} has no package.`);

  const { FileDescriptorProto } = descriptor;
  const file = FileDescriptorProto.fromObject({
    name,
    package: parsed.package,
    ...membersOf(scope),
    ...optionsOf(scope),
    syntax: 'proto3',
  });
  return Buffer.from(FileDescriptorProto.encode(file).finish());
}

/** The messages, enums and services of a package. */
function membersOf(scope: protobuf.Namespace): object {
  const messageType: object[] = [];
  const enumType: object[] = [];
  const service: object[] = [];
  for (const member of scope.nestedArray) {
    if (member instanceof protobuf.Type) messageType.push(messageOf(member));
    else if (member instanceof protobuf.Enum) enumType.push(enumOf(member));
    else if (member instanceof protobuf.Service) service.push(serviceOf(member));
    else throw unknown(member);
  }
  return { messageType, enumType, service };
}

function messageOf(type: protobuf.Type): object {
  const nestedType: object[] = [];
  const enumType: object[] = [];
  for (const member of type.nestedArray) {
    if (member instanceof protobuf.Type) nestedType.push(messageOf(member));
    else if (member instanceof protobuf.Enum) enumType.push(enumOf(member));
    else throw unknown(member);
  }
  const entries = type.fieldsArray
    .filter((field) => field instanceof protobuf.MapField)
    .map(mapEntryOf);
  if (type.extensions !== undefined || (type.reserved ?? []).length > 0) throw unknown(type);

  // protoc lists the one-member groups of `optional` fields after all others.
  const groups = [
    ...type.oneofsArray.filter((group) => !isOptionalOf(group)),
    ...type.oneofsArray.filter(isOptionalOf),
  ];
  return {
    name: type.name,
    field: type.fieldsArray.map((field) => fieldOf(field, groups)),
    nestedType: [...entries, ...nestedType],
    enumType,
    oneofDecl: groups.map(({ name }) => ({ name })),
    ...optionsOf(type),
  };
}

const isOptional = (field: protobuf.Field) => field.options?.['proto3_optional'] === true;
const isOptionalOf = (group: protobuf.OneOf) => group.fieldsArray.every(isOptional);

function fieldOf(field: protobuf.Field, groups: readonly protobuf.OneOf[]): object {
  const isMap = field instanceof protobuf.MapField;
  return {
    name: field.name,
    number: field.id,
    label: isMap || field.repeated ? 'LABEL_REPEATED' : 'LABEL_OPTIONAL',
    ...(isMap
      ? { type: 'TYPE_MESSAGE', typeName: `${field.parent?.fullName}.${entryName(field)}` }
      : typeOf(field.type, field.resolvedType)),
    jsonName: jsonName(field.name),
    ...(field.partOf === null ? {} : { oneofIndex: groups.indexOf(field.partOf) }),
    ...(isOptional(field) ? { proto3Optional: true } : {}),
  };
}

const entryName = ({ name }: Pick<protobuf.Field, 'name'>) => `${capital(jsonName(name))}Entry`;
const capital = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1);

/** The message of a map's pairs. */
function mapEntryOf(field: protobuf.MapField): object {
  const label = 'LABEL_OPTIONAL';
  return {
    name: entryName(field),
    field: [
      { name: 'key', number: 1, label, ...typeOf(field.keyType, null), jsonName: 'key' },
      {
        name: 'value',
        number: 2,
        label,
        ...typeOf(field.type, field.resolvedType),
        jsonName: 'value',
      },
    ],
    options: { mapEntry: true },
  };
}

function typeOf(type: string, resolved: protobuf.ReflectionObject | null): object {
  if (resolved === null) return { type: `TYPE_${type.toUpperCase()}` };
  const isEnum = resolved instanceof protobuf.Enum;
  return { type: isEnum ? 'TYPE_ENUM' : 'TYPE_MESSAGE', typeName: resolved.fullName };
}

/** `event_id` → `eventId`, as protoc does. */
const jsonName = (name: string): string =>
  name.replace(/_+(.)?/g, (_match, next: string | undefined) => next?.toUpperCase() ?? '');

function enumOf(type: protobuf.Enum): object {
  const value = Object.entries(type.values).map(([name, number]) => ({ name, number }));
  return { name: type.name, value, ...optionsOf(type) };
}

function serviceOf(service: protobuf.Service): object {
  const method = service.methodsArray.map((one) => ({
    name: one.name,
    inputType: one.resolvedRequestType?.fullName,
    outputType: one.resolvedResponseType?.fullName,
    ...(one.requestStream === true ? { clientStreaming: true } : {}),
    ...(one.responseStream === true ? { serverStreaming: true } : {}),
    ...optionsOf(one),
  }));
  return { name: service.name, method, ...optionsOf(service) };
}

function optionsOf({ options = {} }: protobuf.ReflectionObject): { options?: object } {
  const pairs = Object.entries(options).map(([name, value]) => [jsonName(name), value]);
  return pairs.length === 0 ? {} : { options: Object.fromEntries(pairs) };
}

const unknown = ({ fullName }: protobuf.ReflectionObject): Error =>
  new Error(`${fullName} has a construct that the compiler of descriptors does not know.`);
