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
import type { builder } from './builder.ts';

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

/** Type, description, and the property of the object where it has another name than the field. */
type OutputRow<Property extends string = string> = readonly [
  type: OutputKind,
  description: string,
  property?: Property,
];
type PropertyOf<Name, Row> = Row extends readonly [unknown, string, infer Property extends string]
  ? Property
  : Name;
/** The row if the object's property fits the type of the field, else an error of the compiler. */
type FittingRow<Shape, Property, Row extends OutputRow> = Property extends keyof Shape
  ? Awaited<Shape[Property]> extends OutputValue<Row[0]>
    ? Row
    : { readonly 'The property has the type': Awaited<Shape[Property]> }
  : { readonly 'The object has no property': Property };

/** Fields that show a property of the object as it is. */
export function exposed<
  Shape,
  Table extends Readonly<Record<string, OutputRow<Extract<keyof Shape, string>>>>,
>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>,
  table: Table & {
    readonly [Name in keyof Table]: FittingRow<Shape, PropertyOf<Name, Table[Name]>, Table[Name]>;
  },
): { [Name in keyof Table]: FieldRef<Types, OutputValue<Table[Name][0]>, 'Object'> } {
  const { expose } = t as unknown as { expose(property: string, options: object): never };
  const rows = Object.entries<OutputRow>(table);
  return Object.fromEntries(
    rows.map(([name, [kind, description, property = name]]) => {
      const [type, isNullable] = kindOf(kind, '?', 'nullable');
      return [name, expose.call(t, property, { type, nullable: isNullable, description })];
    }),
  ) as never;
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
type InputTable = Readonly<Record<string, InputRow>>;

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
