import { type GraphQLResolveInfo, Kind } from 'graphql';
import { PAGE_MAX } from '../src/common/limits.ts';
import { problem, refuse } from '../src/common/refusal.ts';
import { findLabels } from '../src/users/resource.cypher.ts';
import { builder } from './builder.ts';
import { type RequestContext, viewerOf } from './context.ts';

/** The interface of all types with ids. `nodeType` registers a type for node(id:). */
export const Node = builder.interfaceRef<{ readonly id: string }>('Node').implement({
  description:
    'An object with an id. The id is the same here, in Neo4j, in Temporal and in bundles.',
  fields: (t) => ({ id: t.exposeID('id', { description: 'Id of the object.' }) }),
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
const loadOf = new Map<string, (context: RequestContext, id: string) => Promise<unknown>>();

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

/** Visible objects by id, in order: one statement for all labels, and one per type. */
async function loadNodes(context: RequestContext, ids: readonly string[]): Promise<unknown[]> {
  viewerOf(context);
  const labelsOf = await context.graph.read((tx) => findLabels(tx, ids));
  return Promise.all(
    ids.map((id) => {
      const label = labelsOf.get(id)?.find((name) => loadOf.has(name));
      return label === undefined ? null : (loadOf.get(label)?.(context, id) ?? null);
    }),
  );
}

builder.queryField('node', (t) =>
  t.field({
    type: Node,
    nullable: true,
    description: 'Any object by id; null if it does not exist or you cannot see it.',
    args: { id: t.arg.id({ required: true, description: 'Id of the object.' }) },
    resolve: async (_root, { id }, context) =>
      (await loadNodes(context, [id]))[0] as { id: string },
  }),
);

builder.queryField('nodes', (t) =>
  t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description:
      'Objects by id, in the order of the ids; null for each that does not exist or that you cannot see. At most 200.',
    complexity: ({ ids }) => ({ field: 1, multiplier: ids.length }),
    args: { ids: t.arg.idList({ required: true, description: 'Ids of the objects.' }) },
    resolve: async (_root, { ids }, context) => {
      refuse(
        ids.length > PAGE_MAX
          ? [problem('INVALID', ['ids'], `At most ${PAGE_MAX} ids at once.`)]
          : [],
      );
      return (await loadNodes(context, ids)) as { id: string }[];
    },
  }),
);
