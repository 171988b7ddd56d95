import { listSecrets } from '../../src/catalog/secrets/secret.cypher.ts';
import {
  createSecret,
  deleteSecret,
  updateSecret,
} from '../../src/catalog/secrets/secret.mutations.ts';
import { builder, enumOf } from '../builder.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { Node, Timestamped } from '../nodes.ts';
import { Owned } from '../operations/users.ts';
import { DeletePayload, payload, payloadType } from '../payload.ts';
import { pageOfTools, Secret, ToolConnection } from './catalog.ts';

const SecretConnection = connectionOf('Secret', Secret);

const SecretType = enumOf('SecretType', 'What kind of credential a Secret is.', {
  api_key: 'A key of an API.',
  oauth_token: 'A token of OAuth.',
  password: 'A password.',
  certificate: 'A certificate with its key.',
});

Secret.implement({
  description:
    'A credential. Nothing gives its value back: it is opened only where a Tool of its owner is called.',
  interfaces: [Node, Owned, Timestamped],
  fields: (t) => ({
    name: t.exposeString('name', { description: 'How it is called.' }),
    type: t.expose('type', {
      type: SecretType,
      description: 'What kind of credential it is; for good.',
    }),
    shared: t.exposeBoolean('shared', {
      description: 'A mark for its owner; it gives nobody else anything.',
    }),
    keyVersion: t.exposeInt('keyVersion', { description: 'Id of the key it is encrypted with.' }),
    rotatedAt: t.expose('rotatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its value was last replaced; null while it is the first.',
    }),
    allowedOrigins: t.exposeStringList('allowedOrigins', {
      description: 'The only origins it may be sent to; empty allows any.',
    }),
    tools: t.field({
      type: ToolConnection,
      description: 'Your Tools that use it, newest first.',
      complexity: pageCost,
      args: pageArgs(t),
      resolve: (secret, args, context) => pageOfTools(context, { ...args, secretId: secret.id }),
    }),
  }),
});

builder.queryFields((t) => ({
  secret: t.field({
    type: Secret,
    nullable: true,
    description: 'A Secret of yours by its id; null when you have none such.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }) => id,
  }),
  secrets: t.field({
    type: SecretConnection,
    description: 'Your Secrets, newest first. Those of others are never listed.',
    complexity: pageCost,
    args: pageArgs(t),
    resolve: (_root, args, context) =>
      context.graph.read((tx) => listSecrets(tx, viewerOf(context), args)),
  }),
}));

const CreateSecretInput = builder.inputType('CreateSecretInput', {
  description: 'A new Secret.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'How it is called; up to 200 characters.' }),
    type: t.field({
      type: SecretType,
      required: true,
      description: 'What kind of credential it is.',
    }),
    value: t.string({
      required: true,
      description: 'The credential itself, up to 64 KiB; encrypted at once and never shown again.',
    }),
    shared: t.boolean({ description: 'A mark for you; gives nobody else anything.' }),
    allowedOrigins: t.stringList({
      description:
        'The only origins it may be sent to, such as https://api.example.com; none allows any.',
    }),
  }),
});

const UpdateSecretInput = builder.inputType('UpdateSecretInput', {
  description: 'What to change of a Secret; what is left out stays.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Which one.' }),
    name: t.string({ description: 'How it is called.' }),
    shared: t.boolean({ description: 'A mark for you.' }),
    value: t.string({ description: 'A new value: rotates the Secret under its id.' }),
    allowedOrigins: t.stringList({
      description: 'The only origins it may be sent to from now on.',
    }),
  }),
});

const SecretPayload = payloadType('SecretPayload', 'secret', Secret);

builder.mutationFields((t) => ({
  createSecret: t.field({
    type: SecretPayload,
    description: 'Stores a credential of yours, encrypted.',
    args: { input: t.arg({ type: CreateSecretInput, required: true, description: 'What it is.' }) },
    resolve: (_root, { input }, context) =>
      payload('secret', () => createSecret(context, viewerOf(context), input)),
  }),
  updateSecret: t.field({
    type: SecretPayload,
    description: 'Renames a Secret, changes where it may go, or rotates its value.',
    args: {
      input: t.arg({ type: UpdateSecretInput, required: true, description: 'What changes.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('secret', () => updateSecret(context, viewerOf(context), input)),
  }),
  deleteSecret: t.field({
    type: DeletePayload,
    description: 'Deletes a Secret no Tool uses.',
    args: { id: t.arg.id({ required: true, description: 'Which one.' }) },
    resolve: (_root, { id }, context) =>
      payload('deletedId', () => deleteSecret(context, viewerOf(context), { id }), 'arguments'),
  }),
}));
