import { listSecrets } from '../../src/catalog/secrets/secret.cypher.ts';
import {
  createSecret,
  deleteSecret,
  updateSecret,
} from '../../src/catalog/secrets/secret.mutations.ts';
import { builder, enumOf } from '../builder.ts';
import { connectionOf, newestKey, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { Node, Timestamped } from '../nodes.ts';
import { DeletePayload, idInput, payload, payloadType } from '../payload.ts';
import { Owned } from '../users/users.ts';
import { pageOfTools, Secret, ToolConnection } from './catalog.ts';

const SecretConnection = connectionOf('Secret', Secret);

const SecretType = enumOf('SecretType', 'Kind of credential.', {
  api_key: 'An API key.',
  oauth_token: 'An OAuth token.',
  password: 'A password.',
  certificate: 'A certificate with its private key.',
});

Secret.implement({
  description:
    'A credential. No field returns its value; it is decrypted only to call a Tool of its owner.',
  interfaces: [Node, Owned, Timestamped],
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Display name.' }),
    type: t.expose('type', {
      type: SecretType,
      description: 'Kind of credential. Immutable.',
    }),
    shared: t.exposeBoolean('shared', {
      description: 'A label for the owner. It gives other users no access.',
    }),
    keyVersion: t.exposeInt('keyVersion', {
      description: 'Id of the key that encrypts the value.',
    }),
    rotatedAt: t.expose('rotatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the last rotation; null if the value was never replaced.',
    }),
    allowedOrigins: t.exposeStringList('allowedOrigins', {
      description:
        'The only origins that may receive the value, or `stdio:<server>`. Empty: none was used yet; the first use adds its origin (S4-SEC-08).',
    }),
    tools: t.field({
      type: ToolConnection,
      description: 'Your Tools that use this Secret, newest first.',
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
    description: 'A Secret of yours by id; null if you have none with this id.',
    args: { id: t.arg.id({ required: true, description: 'Id of the Secret.' }) },
    resolve: (_root, { id }) => id,
  }),
  secrets: t.field({
    type: SecretConnection,
    description: 'Your Secrets, newest first. Secrets of other users are never listed.',
    complexity: pageCost,
    args: pageArgs(t),
    resolve: (_root, args, context) =>
      context.graph.read((tx) => listSecrets(tx, viewerOf(context), args)),
  }),
}));

const CreateSecretInput = builder.inputType('CreateSecretInput', {
  description: 'Input for a new Secret.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, up to 200 characters.' }),
    type: t.field({
      type: SecretType,
      required: true,
      description: 'Kind of credential.',
    }),
    value: t.string({
      required: true,
      description:
        'The credential, 8 characters to 64 KiB. It is encrypted on arrival and never returned.',
    }),
    shared: t.boolean({
      description: 'A label for you. It gives other users no access. Default false.',
    }),
    allowedOrigins: t.stringList({
      description:
        'The only origins that may receive the value, such as https://api.example.com. Empty: the first use adds its origin.',
    }),
  }),
});

const UpdateSecretInput = builder.inputType('UpdateSecretInput', {
  description: 'Changes to a Secret. Omitted fields stay unchanged.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the Secret.' }),
    name: t.string({ description: 'Display name.' }),
    shared: t.boolean({ description: 'A label for you. It gives other users no access.' }),
    value: t.string({ description: 'New value. The Secret is rotated and keeps its id.' }),
    allowedOrigins: t.stringList({
      description:
        'The only origins that may receive the value from now on. Empty: the next use adds its origin.',
    }),
  }),
});

const SecretPayload = payloadType('SecretPayload', 'secret', Secret, {
  connection: SecretConnection,
  key: newestKey,
});

const DeleteSecretInput = idInput('DeleteSecretInput', 'Id of the Secret.');
builder.mutationFields((t) => ({
  createSecret: t.field({
    type: SecretPayload,
    description: 'Stores a credential of yours, encrypted.',
    args: {
      input: t.arg({ type: CreateSecretInput, required: true, description: 'The new Secret.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('secret', () => createSecret(context, viewerOf(context), input)),
  }),
  updateSecret: t.field({
    type: SecretPayload,
    description: 'Renames a Secret, changes its allowed origins, or rotates its value.',
    args: {
      input: t.arg({ type: UpdateSecretInput, required: true, description: 'The changes.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('secret', () => updateSecret(context, viewerOf(context), input)),
  }),
  deleteSecret: t.field({
    type: DeletePayload,
    description: 'Deletes a Secret that no Tool uses.',
    args: { input: t.arg({ type: DeleteSecretInput, required: true, description: 'The Secret.' }) },
    resolve: (_root, { input }, context) =>
      payload('deletedId', () => deleteSecret(context, viewerOf(context), input)),
  }),
}));
