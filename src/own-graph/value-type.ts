/**
 * The static type of an expression. It decides which properties can be read, and bounds the size of
 * a value: `weight` is the maximum number of copies of a stored text that one element may hold.
 */
export type ValueType = { readonly weight: number } & (
  | { readonly kind: 'null' }
  /** Scalars, and lists and maps that come whole from a property or a parameter. */
  | { readonly kind: 'value' }
  | { readonly kind: 'node'; readonly labels: readonly string[] }
  | { readonly kind: 'relationship'; readonly types: readonly string[] }
  | { readonly kind: 'list'; readonly of: ValueType }
  | { readonly kind: 'map'; readonly fields: ReadonlyMap<string, ValueType> }
);

/** Above it, `WITH x + x AS x`, repeated, would make a value of any size. */
export const WEIGHT_MAX = 16;

export const VALUE: ValueType = { kind: 'value', weight: 1 };
export const NULL: ValueType = { kind: 'null', weight: 0 };

export function listOf(of: ValueType): ValueType {
  return { kind: 'list', of, weight: of.weight };
}

/** Whether a value holds a list that may be long. Such values can't be elements of lists. */
export function holdsList(type: ValueType): boolean {
  if (type.kind === 'map') return [...type.fields.values()].some(holdsList);
  return type.kind === 'list';
}

/** Whether a value is, or holds, a node or relationship. */
export function holdsNode(type: ValueType): boolean {
  if (type.kind === 'map') return [...type.fields.values()].some(holdsNode);
  if (type.kind === 'list') return holdsNode(type.of);
  return type.kind === 'node' || type.kind === 'relationship';
}

/** The type of a value that is of one of two types; null where they can't be told apart. */
export function joined(left: ValueType, right: ValueType): ValueType | null {
  const weight = Math.max(left.weight, right.weight);
  if (left.kind === 'null') return { ...right, weight };
  if (right.kind === 'null') return { ...left, weight };
  if (left.kind === 'node' && right.kind === 'node')
    return { kind: 'node', labels: union(left.labels, right.labels), weight };
  if (left.kind === 'relationship' && right.kind === 'relationship')
    return { kind: 'relationship', types: union(left.types, right.types), weight };
  if (left.kind === 'list' && right.kind === 'list') {
    const of = joined(left.of, right.of);
    return of === null ? null : { kind: 'list', of, weight };
  }
  if (left.kind === 'list' && right.kind === 'value' && !holdsNode(left))
    return { ...left, weight };
  if (right.kind === 'list' && left.kind === 'value' && !holdsNode(right))
    return { ...right, weight };
  if (left.kind === 'map' && right.kind === 'map') return joinedMaps(left, right, weight);
  return left.kind === 'value' && right.kind === 'value' ? { kind: 'value', weight } : null;
}

type MapType = Extract<ValueType, { kind: 'map' }>;

function joinedMaps(left: MapType, right: MapType, weight: number): ValueType | null {
  const fields = new Map<string, ValueType>();
  for (const key of union([...left.fields.keys()], [...right.fields.keys()])) {
    const field = joined(left.fields.get(key) ?? NULL, right.fields.get(key) ?? NULL);
    if (field === null) return null;
    fields.set(key, field);
  }
  return { kind: 'map', fields, weight };
}

const union = (left: readonly string[], right: readonly string[]) => [
  ...new Set([...left, ...right]),
];
