import { type GraphQLResolveInfo, Kind } from 'graphql';
import { PAGE_MAX } from '../src/common/limits.ts';
import { problem, refuse } from '../src/common/refusal.ts';
import { findLabels } from '../src/users/resource.cypher.ts';
import { builder } from './builder.ts';
import { type RequestContext, viewerOf } from './context.ts';
import { argFields, required } from './fields.ts';

/**
 * The interface of all types with ids. `nodeType` and `keyedNode` register a type for node(id:).
 */
export const Node = builder.interfaceRef<object>('Node').implement({
  description:
    'An object with an id that is unique over all types. Objects of the catalog, runs and ' +
    'conversations have the same id here, in Neo4j, in Temporal and in bundles. Others have ' +
    'an id of the form `Type:key`; treat it as opaque. Arguments and inputs take it, and the ' +
    'domain id (uuid, eventId, gripId, nodeId, …) as well.',
  fields: (t) => ({
    id: t.id({
      description: 'Id of the object, unique over all types. node(id:) finds the object by it.',
      resolve: (model) => {
        if ('id' in model && typeof model.id === 'string') return model.id;
        throw new Error('The type of this object has to resolve `id`: use keyedNode.');
      },
    }),
  }),
  resolveType: (model) => typeNames.get(model) ?? null,
});

export const Timestamped = builder
  .interfaceRef<{ readonly createdAt: string; readonly updatedAt: string }>('Timestamped')
  .implement({
    description: 'An object with the times of its creation and last change.',
    fields: (t) => ({
      createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
      updatedAt: t.expose('updatedAt', {
        type: 'DateTime',
        description: 'Time of the last change.',
      }),
    }),
    resolveType: (model) => typeNames.get(model) ?? null,
  });

type Load<Model> = (context: RequestContext, ids: readonly string[]) => Promise<readonly Model[]>;

interface NodeOptions<Model> {
  readonly label: string;
  readonly load: Load<Model>;
  readonly mayFind?: (context: RequestContext, id: string) => boolean;
}

// Models are rows without a type name, so this map stores the type name for abstract types.
const typeNames = new WeakMap<object, string>();
type Find = (context: RequestContext, id: string) => Promise<object | null>;
/** Finds nodes with the same id everywhere, by Neo4j label. */
const loadOf = new Map<string, Find>();
/** Nodes with an id of the form `Type:key`, by type name. */
const keyed = new Map<string, Keyed>();

interface Keyed {
  /** By key. */
  readonly find: Find;
  readonly domainIdOf: (key: string) => string;
  readonly isDomainId: (text: string) => boolean;
}

/**
 * Declares a type with ids: loaded in one batch per request, cached for the request, and found by
 * node(id:).
 * @param label Neo4j label of its nodes, beside `Resource`
 * @param load viewer-scoped; order and gaps do not matter; a missing or invisible object becomes
 * null
 * @param mayFind restricts node(id:) further than `load`; default: every loaded object is found
 */
export function nodeType<Model extends { readonly id: string }>(
  name: string,
  { label, load, mayFind = () => true }: NodeOptions<Model>,
) {
  const ref = builder.loadableObjectRef<Model, string>(name, {
    // An object with only an id must not be cached as the whole object.
    toKey: (model) => (bare.has(model) ? '' : model.id),
    sort: true,
    cacheResolved: true,
    load: async (ids, context) => {
      const models = await load(context, ids);
      for (const model of models) typeNames.set(model, name);
      return models;
    },
  });
  loadOf.set(label, async (context, id) => {
    const model = mayFind(context, id) ? await ref.getDataloader(context).load(id) : null;
    // The loader may have cached the object from a list or payload, without its type name.
    return model == null ? null : asType(name, model);
  });
  return ref;
}

/**
 * Declares a type whose objects have only a domain id, unique within its type for one viewer. Its
 * global `id` is `Type:key`. Implement it with `interfaces: [Node]`.
 * @param key of the model; `joinKey` joins several parts
 * @param find by key, viewer-scoped and batched by a loader; null: unknown, malformed or invisible
 * @param domainIdOf the id that arguments get where the caller gives the Node id; default: the key
 * @param isDomainId whether node(id:) looks for an object with this domain id; `find` takes it as
 * well. Default: no.
 */
export function keyedNode<Model extends object>(
  name: string,
  {
    key,
    find,
    domainIdOf = (text) => text,
    isDomainId = () => false,
  }: {
    readonly key: (model: Model) => string;
    readonly find: (context: RequestContext, key: string) => Promise<Model | null>;
  } & Partial<Pick<Keyed, 'domainIdOf' | 'isDomainId'>>,
) {
  const ref = builder.objectRef<Model>(name);
  builder.objectField(ref, 'id', (t) =>
    t.id({
      description: 'Id of the object, unique over all types. node(id:) finds the object by it.',
      resolve: (model) => globalId(name, key(model)),
    }),
  );
  const typed: Find = async (context, wanted) => {
    const model = await find(context, wanted);
    return model === null ? null : asType(name, model);
  };
  keyed.set(name, { find: typed, domainIdOf, isDomainId });
  return ref;
}

/** The id of an object of a `keyedNode` type. */
export function globalId(type: string, key: string): string {
  return `${type}:${key}`;
}

/** Joins the parts of a key; `splitKey` gives them back. */
export function joinKey(...parts: readonly (string | number)[]): string {
  return parts.map((part) => encodeURIComponent(part)).join('/');
}

/** The parts of a key; null if it has another number of parts, or is malformed. */
export function splitKey(key: string, count: number): string[] | null {
  const parts = key.split('/');
  if (parts.length !== count) return null;
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** Whether a part of a key is the number of a version, from 1. */
export function isVersionNumber(part: string | undefined): part is string {
  return part !== undefined && /^[1-9]\d{0,8}$/.test(part);
}

/**
 * Sets the type name of a model that no loader returned, for unions and interfaces over node types.
 */
export function asType<Model extends object>(name: string, model: Model): Model {
  typeNames.set(model, name);
  return model;
}

/**
 * The object that a mutation just created. If only its id is selected, it is not loaded.
 * @param id null if no object was created
 */
export function made<Thing>(
  _type: { readonly $inferType: Thing },
  id: string | null,
  { fieldNodes }: GraphQLResolveInfo,
): Thing | string | null {
  const asked = fieldNodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
  const isMore = asked.some((one) => one.kind !== Kind.FIELD || !BARE.has(one.name.value));
  if (id === null || isMore) return id;
  const thing = { id };
  bare.add(thing);
  return thing as Thing;
}
const BARE = new Set(['id', '__typename']);
const bare = new WeakSet<object>();

/** The type name of a model from a loader or from `asType`, for a union's `resolveType`. */
export function typeNameOf(model: object): string | null {
  return typeNames.get(model) ?? null;
}

/**
 * Visible objects by id, in order: one statement for all labels, and one per type. An id that no
 * object has as its Node id may be a domain id.
 */
async function loadNodes(
  context: RequestContext,
  ids: readonly string[],
): Promise<(object | null)[]> {
  viewerOf(context);
  const others = ids.filter((id) => splitNodeId(id) === null);
  const labelsOf =
    others.length === 0 ? null : await context.graph.read((tx) => findLabels(tx, others));
  return Promise.all(
    ids.map((id) => {
      const split = splitNodeId(id);
      if (split !== null) return split.kind.find(context, split.key);
      const label = labelsOf?.get(id)?.find((name) => loadOf.has(name));
      if (label !== undefined) return loadOf.get(label)?.(context, id) ?? null;
      return findByDomainId(context, id);
    }),
  );
}

async function findByDomainId(context: RequestContext, text: string): Promise<object | null> {
  const kinds = [...keyed.values()].filter(({ isDomainId }) => isDomainId(text));
  const found = await Promise.all(kinds.map(({ find }) => find(context, text)));
  return found.find((model) => model !== null) ?? null;
}

/** The parts of an id of the form `Type:key`; null for any other id. */
function splitNodeId(id: string) {
  const at = id.indexOf(':');
  const type = id.slice(0, Math.max(at, 0));
  const kind = keyed.get(type);
  return kind === undefined ? null : { type, kind, key: id.slice(at + 1) };
}

/** Type and domain id of a Node id of the form `Type:key`; null for any other text. */
export function keyOfNodeId(
  id: string,
): { readonly type: string; readonly domainId: string } | null {
  const split = splitNodeId(id);
  return split === null ? null : { type: split.type, domainId: split.kind.domainIdOf(split.key) };
}

builder.queryField('node', (t) =>
  t.field({
    type: Node,
    nullable: true,
    description: 'Any object by id; null if it does not exist or you cannot see it.',
    args: argFields(t, { id: ['ID!', 'Id of the object.'] }),
    resolve: async (_root, { id }, context) => (await loadNodes(context, [id]))[0] ?? null,
  }),
);

builder.queryField('nodes', (t) =>
  t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description:
      'Objects by id, in the order of the ids; null for each that does not exist or that you ' +
      'cannot see. At most 200.',
    complexity: ({ ids }) => ({ field: 1, multiplier: ids.length }),
    args: argFields(t, { ids: [required(['ID']), 'Ids of the objects.'] }),
    resolve: async (_root, { ids }, context) => {
      refuse(
        ids.length > PAGE_MAX
          ? [problem('INVALID', ['ids'], `At most ${PAGE_MAX} ids at once.`)]
          : [],
      );
      return loadNodes(context, ids);
    },
  }),
);
