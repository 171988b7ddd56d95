import { builder } from '../builder.ts';
import { pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { Node, Timestamped } from '../nodes.ts';
import { HealthStatus } from '../operations/health.ts';
import { Owned } from '../operations/users.ts';
import {
  pageOfTools,
  Secret,
  Service,
  serviceOfTool,
  Tool,
  ToolConnection,
  ToolTemplate,
} from './catalog.ts';
import { Operation } from './operations.ts';

Tool.implement({
  description:
    'One operation on a Service, with the connection it uses: what a step of a Process calls.',
  interfaces: [Node, Owned, Timestamped],
  fields: (t) => ({
    name: t.exposeString('name', { description: 'How it is called.' }),
    description: t.exposeString('description', { nullable: true, description: 'What it is for.' }),
    service: t.field({
      type: Service,
      description: 'The Service it is bound to; for good.',
      resolve: ({ serviceId }, _args, context) => serviceOfTool(context, serviceId),
    }),
    connectionParams: t.expose('connectionParams', {
      type: 'JSONObject',
      description:
        "How it connects; fulfils the Service's connectionSchema. Defaults apply when it is called.",
    }),
    operation: t.expose('operation', { type: Operation, description: 'What it does.' }),
    inputSchema: t.expose('inputSchema', {
      type: 'JSONSchema',
      description:
        'What its inputs have to fulfil; its properties are the variables of the operation.',
    }),
    outputSchema: t.expose('outputSchema', {
      type: 'JSONSchema',
      description: 'What its output has to fulfil.',
    }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether it may be called.' }),
    shared: t.exposeBoolean('shared', { description: 'Whether others find it and may call it.' }),
    mutating: t.exposeBoolean('mutating', {
      description:
        'Whether a call may change something; then it runs only in a Process, and once unless told otherwise.',
    }),
    status: t.expose('status', { type: HealthStatus, description: 'What its last probe found.' }),
    lastHealthCheck: t.expose('lastHealthCheck', {
      type: 'DateTime',
      nullable: true,
      description: 'When that was; null before the first.',
    }),
    errorMessage: t.exposeString('errorMessage', {
      nullable: true,
      description: 'Why it is not healthy; null where it is.',
    }),
    secret: t.field({
      type: Secret,
      nullable: true,
      description: 'The Secret it uses; null where there is none, and for everybody but its owner.',
      resolve: ({ ownerId, secretId }, _args, context) =>
        ownerId === viewerOf(context).userId ? secretId : null,
    }),
    secretScope: t.exposeString('secretScope', {
      nullable: true,
      description:
        "Where the Secret's value goes: bearer, basic, header:<name>, query:<name>, env:<NAME>, password.",
    }),
    toolTemplateId: t.exposeID('toolTemplateId', {
      nullable: true,
      description: 'The template it was copied from; tells where it comes from and nothing more.',
    }),
    toolTemplate: t.field({
      type: ToolTemplate,
      nullable: true,
      description: 'That template, archived or not; null where there is none to see.',
      resolve: ({ toolTemplateId }) => toolTemplateId,
    }),
  }),
});

builder.queryFields((t) => ({
  tool: t.field({
    type: Tool,
    nullable: true,
    description: 'A Tool by its id; null when there is none or it is not yours to see.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }) => id,
  }),
  tools: t.field({
    type: ToolConnection,
    description: 'Your Tools and those shared with you, newest first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      serviceId: t.arg.id({ description: 'Only those on this Service.' }),
      includeShared: t.arg.boolean({
        defaultValue: true,
        description: 'Whether those of others are listed too.',
      }),
      query: t.arg.string({ description: 'Found in name or description, without regard to case.' }),
    },
    resolve: (_root, args, context) => pageOfTools(context, args),
  }),
}));
