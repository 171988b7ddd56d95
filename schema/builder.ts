import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import type { Json, JsonObject } from '../src/common/json.ts';
import { withNumericLimits } from '../src/json-schema/numeric-limits.ts';
import { isAdmin } from '../src/users/user.ts';
import { type RequestContext, unauthorized } from './context.ts';
import { cursorText, dateTime, json, jsonObject } from './scalars.ts';

/**
 * The only builder; it declares no types. Each noun has a file in schema/<domain>/ with its type,
 * its inputs, queries, mutations and subscriptions. schema/index.ts imports that file. Resolvers
 * only declare and delegate.
 *
 * How to add a noun (schema/users/users.ts is the smallest whole example):
 *
 *     // 1. Its type. Loads are batched per request; `load` is viewer-scoped and may leave gaps
 *     // (missing = null).
 *     export const Tool = nodeType<ToolModel>('Tool', {
 *       label: 'Tool',   // Neo4j label; node(id:) finds the type by it
 *       load: (context, ids) => context.graph.read((tx) => findTools(tx, viewerOf(context), ids)),
 *     });
 *     Tool.implement({
 *       // These bring id, owner, createdAt, updatedAt.
 *       description: '…', interfaces: [Node, Owned, Timestamped],
 *       fields: outputFields({   // a table of rows (schema/fields.ts)
 *         name: ['String', '…'],
 *         status: [HealthStatus, '…'],
 *         service: [nullable(Service), '…', 'serviceId'],   // an id is enough
 *         cost: ['Float', '…', (tool) => costOf(tool)],
 *       }),
 *     });
 *     // Fields with arguments stand beside `...exposed(t, { … })`, the same table.
 *     // 2. Enums keep the stored spelling inside, SCREAMING_CASE outside (`bolt+s` = BOLT_S):
 *     export const Protocol = enumOf('Protocol', '…', { bolt: '…', 'bolt+s': '…' });
 *     // 3. Lists: connectionOf makes ToolConnection and ToolEdge, backed by a Page<ToolModel>.
 *     export const ToolConnection = connectionOf('Tool', Tool);
 *     builder.queryField('tools', (t) => t.field({
 *       type: ToolConnection, description: '…', complexity: pageCost,
 *       args: { ...pageArgs(t), ...argFields(t, { serviceId: ['ID', '…'] }) },
 *       resolve: (_root, args, context) => listTools(context, viewerOf(context), args),
 *     }));
 *     // 4. Mutations: one input, one payload; a Refusal becomes userErrors, with paths under
 *     // `input`.
 *     mutation('createTool', {
 *       description: '…', input: [CreateToolInput, '…'],
 *       payload: payloadType('ToolPayload', 'tool', Tool),
 *       run: createTool,                                // (context, viewer, input)
 *     });
 *     // …with inputOf('CreateToolInput', '…', { … }) or, where the input is an id,
 *     // idInput('DeleteToolInput', 'Id of the Tool.').
 *     // 5. Subscriptions: `live` releases the source when the client disconnects; each value gets
 *     // fresh loaders.
 *     builder.subscriptionField('toolEvents', (t) => t.field({
 *       type: Tool, description: '…', resolve: (tool) => tool,
 *       subscribe: (_root, _args, context) =>
 *         live(context, (signal) => watchTools(context, viewerOf(context), signal)),
 *     }));
 *
 * Then import the file in schema/index.ts, run `npm run schema` and `npm run codegen`, and commit
 * the output. Objects without an id of their own (the steps of a run) are batched by a loader
 * (schema/loader.ts). test/api/foreign-ids.test.ts tests every argument that takes an id; add each
 * new type there once.
 *
 * Output fields are non-null unless marked `?` or `nullable`; arguments and input fields optional
 * unless `!` or `required`. Every root field needs a signed-in viewer; `authScopes: { admin: true
 * }` narrows one. Everything has a description (a test). A Refusal thrown by a query becomes a
 * top-level BAD_USER_INPUT with its problems; anything else is masked as INTERNAL.
 */
export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [ScopeAuthPlugin, RelayPlugin, DataloaderPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  scopeAuth: {
    authorizeOnSubscribe: true,
    authScopes: ({ viewer }) => ({
      signedIn: viewer !== null,
      admin: viewer !== null && isAdmin(viewer),
    }),
    unauthorizedError: (_parent, context) => unauthorized(context),
  },
  // Ids are the same strings everywhere, so `node` is ours (schema/nodes.ts) and not the plugin's
  // base64.
  relay: {
    cursorType: 'String',
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodesOnConnection: {
      description: 'The objects of this page, without their cursors.',
      complexity: { field: 1, multiplier: 1 },
    },
    edgesFieldOptions: {
      description: 'The objects of this page with their cursors.',
      nullable: { list: false, items: false },
      complexity: { field: 1, multiplier: 1 },
    },
    nodeFieldOptions: { description: 'The object at this position.', nullable: false },
    cursorFieldOptions: { description: 'Cursor of this object, for `after` or `before`.' },
    pageInfoFieldOptions: { description: 'Information about this page.' },
    pageInfoTypeOptions: { description: 'Information about a page of a list.' },
    hasNextPageFieldOptions: { description: 'Whether the list continues after this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether the list has objects before this page.' },
    startCursorFieldOptions: { description: 'Cursor of the first object of this page.' },
    endCursorFieldOptions: { description: 'Cursor of the last object of this page.' },
  },
  // The plugin prices fields; src/platform/http/operation-limits.ts checks the sum once per
  // operation, subscriptions too.
  complexity: { defaultComplexity: 1, defaultListMultiplier: 10, disabled: true },
});

interface SchemaTypes {
  Context: RequestContext;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
  AuthScopes: { signedIn: boolean; admin: boolean };
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: string; Output: string };
    JSON: { Input: Json; Output: unknown };
    JSONObject: { Input: JsonObject; Output: object };
    JSONSchema: { Input: JsonObject; Output: object };
    Cursor: { Input: string; Output: string };
  };
}

builder.addScalarType('DateTime', dateTime);
builder.addScalarType('JSON', json);
builder.addScalarType('JSONObject', jsonObject('JSONObject', 'A JSON object with any keys.'));
builder.addScalarType(
  'JSONSchema',
  jsonObject(
    'JSONSchema',
    'A JSON Schema (draft 2020-12 or draft-07) as a JSON object. An invalid one gives the ' +
      'userError SCHEMA_INVALID.',
    withNumericLimits,
  ),
);
builder.addScalarType('Cursor', cursorText);

builder.queryType({ description: 'All queries.', authScopes: { signedIn: true } });
builder.mutationType({ description: 'All mutations.', authScopes: { signedIn: true } });
builder.subscriptionType({ description: 'All subscriptions.', authScopes: { signedIn: true } });

/**
 * An enum whose values are the stored spellings; outside they are SCREAMING_CASE (`bolt+s` is
 * BOLT_S).
 * @param values stored spelling → description
 */
export function enumOf<const Values extends Record<string, string>>(
  name: string,
  description: string,
  values: Values,
) {
  type Stored = Extract<keyof Values, string>;
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(
      Object.entries(values).map(([stored, text]) => [
        screaming(stored),
        { value: stored as Stored, description: text },
      ]),
    ) as Record<string, { value: Stored; description: string }>,
  });
}

/** `bolt+s` → BOLT_S, `neo4j_graph` → NEO4J_GRAPH. */
export function screaming(stored: string): string {
  return stored.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
}
