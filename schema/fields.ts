import type {
  ArgBuilder,
  ArgumentRef,
  FieldRef,
  InputFieldRef,
  InputShapeFromTypeParam,
  InputTypeParam,
  ShapeFromTypeParam,
  TypeParam,
} from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { builder } from './builder.ts';
import type { RequestContext } from './context.ts';

type Types = typeof builder.$inferSchemaTypes;

// Tables of fields. A scalar is given by its name: `String`, or `String?` for a field that may be
// null, `String!` for an input that must be given. Other types are references, in `nullable(…)` and
// `required(…)` where they differ from the default. A list is `[Type]`.

interface Nullable<Type> {
  readonly nullable: Type;
}
interface Required<Type> {
  readonly required: Type;
}
/** The type of a field that may be null, in a table of `exposed`. */
export const nullable = <Type extends TypeParam<Types>>(type: Type): Nullable<Type> => ({
  nullable: type,
});
/** The type of an input that must be given, in a table of `inputFields` or `argFields`. */
export const required = <Type extends InputTypeParam<Types>>(type: Type): Required<Type> => ({
  required: type,
});

type Scalar = Extract<keyof Types['outputShapes'], string>;
type OutputKind = TypeParam<Types> | `${Scalar}?` | Nullable<TypeParam<Types>>;
type OutputValue<Kind> = Kind extends `${infer Name extends Scalar}?`
  ? ShapeFromTypeParam<Types, Name, true>
  : Kind extends Nullable<infer Type extends TypeParam<Types>>
    ? ShapeFromTypeParam<Types, Type, true>
    : Kind extends TypeParam<Types>
      ? ShapeFromTypeParam<Types, Kind, false>
      : never;

type Resolve<Shape> = (
  object: Shape,
  args: object,
  context: RequestContext,
  info: GraphQLResolveInfo,
) => unknown;
/**
 * Type, description, and the value: a function, or the property of the object where it has another
 * name than the field.
 */
type OutputRow<Shape> = readonly [
  type: OutputKind,
  description: string,
  value?: Extract<keyof Shape, string> | Resolve<Shape>,
];
type ValueOf<Shape, Name, Row> = Row extends readonly [unknown, string, infer Value]
  ? Value extends (...args: never[]) => infer Result
    ? Result
    : Shape[Value & keyof Shape]
  : Name extends keyof Shape
    ? Shape[Name]
    : { readonly 'The object has no property': Name };
/** The row if its value fits the type of the field, else an error of the compiler. */
type FittingRow<Value, Row extends readonly [unknown, ...unknown[]]> =
  Awaited<Value> extends OutputValue<Row[0]> ? Row : { readonly 'The value has the type': Value };

/** Fields that show a property of the object as it is, or a value computed from the object. */
export function exposed<Shape, Table extends Readonly<Record<string, OutputRow<Shape>>>>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>,
  table: Table & {
    readonly [Name in keyof Table]: FittingRow<ValueOf<Shape, Name, Table[Name]>, Table[Name]>;
  },
): { [Name in keyof Table]: FieldRef<Types, OutputValue<Table[Name][0]>, 'Object'> } {
  const { expose, field } = t as unknown as {
    expose(property: string, options: object): never;
    field(options: object): never;
  };
  const rows = Object.entries<OutputRow<Shape>>(table);
  return Object.fromEntries(
    rows.map(([name, [kind, description, value = name]]) => {
      const [type, isNullable] = kindOf(kind, '?', 'nullable');
      const options = { type, nullable: isNullable, description };
      return typeof value === 'function'
        ? [name, field.call(t, { ...options, resolve: value })]
        : [name, expose.call(t, value, options)];
    }),
  ) as never;
}

/** The fields of an object, where all are in one table. */
export function outputFields<Shape, Table extends Readonly<Record<string, OutputRow<Shape>>>>(
  table: Table & {
    readonly [Name in keyof Table]: FittingRow<ValueOf<Shape, Name, Table[Name]>, Table[Name]>;
  },
) {
  return (t: PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>) =>
    exposed<Shape, Table>(t, table as never);
}

type InputScalar = Extract<keyof Types['inputShapes'], string>;
type InputKind = InputTypeParam<Types> | `${InputScalar}!` | Required<InputTypeParam<Types>>;
type InputValue<Kind> = Kind extends `${infer Name extends InputScalar}!`
  ? InputShapeFromTypeParam<Types, Name, true>
  : Kind extends Required<infer Type extends InputTypeParam<Types>>
    ? InputShapeFromTypeParam<Types, Type, true>
    : Kind extends InputTypeParam<Types>
      ? InputShapeFromTypeParam<Types, Kind, false>
      : never;

/** Type, description and default. */
type InputRow = readonly [type: InputKind, description: string, defaultValue?: unknown];
/** Type, description and default of each field of an input. */
export type InputTable = Readonly<Record<string, InputRow>>;

/** Fields of an input. */
export function inputFields<Table extends InputTable>(table: Table) {
  type Fields = { [Name in keyof Table]: InputFieldRef<Types, InputValue<Table[Name][0]>> };
  return (t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>) =>
    inputsBy((options) => t.field(options as never), table) as Fields;
}

/** Arguments of a field. */
export function argFields<Table extends InputTable>(
  t: { readonly arg: ArgBuilder<Types> },
  table: Table,
): { [Name in keyof Table]: ArgumentRef<Types, InputValue<Table[Name][0]>> } {
  return inputsBy((options) => t.arg(options as never), table) as never;
}

function inputsBy(field: (options: object) => unknown, table: InputTable): object {
  return Object.fromEntries(
    Object.entries(table).map(([name, [kind, description, defaultValue]]) => {
      const [type, isRequired] = kindOf(kind, '!', 'required');
      const options = { type, required: isRequired, description };
      return [name, field(defaultValue === undefined ? options : { ...options, defaultValue })];
    }),
  );
}

/** The type of a row, and whether it carries the mark. */
function kindOf(kind: unknown, mark: '?' | '!', wrapper: 'nullable' | 'required') {
  if (typeof kind === 'string' && kind.endsWith(mark)) return [kind.slice(0, -1), true] as const;
  const wrapped =
    typeof kind === 'object' &&
    kind !== null &&
    !Array.isArray(kind) &&
    Object.hasOwn(kind, wrapper);
  return wrapped
    ? ([(kind as Record<string, unknown>)[wrapper], true] as const)
    : ([kind, false] as const);
}
