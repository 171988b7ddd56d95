import { listSecrets } from '../../src/catalog/secrets/secret.cypher.ts';
import {
  createSecret,
  deleteSecret,
  updateSecret,
} from '../../src/catalog/secrets/secret.mutations.ts';
import {
  SECRET_TESTS_MAX,
  type SecretTest as SecretTestModel,
  testSecret,
} from '../../src/catalog/tools/secret-test.service.ts';
import type { Problem } from '../../src/common/refusal.ts';
import { builder, enumOf } from '../builder.ts';
import { connectionOf, newestKey, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { argFields, exposed, outputFields, required } from '../fields.ts';
import { Node, Timestamped } from '../nodes.ts';
import {
  DeletePayload,
  idInput,
  inputOf,
  mutation,
  payloadOf,
  payloadType,
  USER_ERRORS,
} from '../payload.ts';
import { Owned } from '../users/users.ts';
import { pageOfTools, Secret, Tool, ToolConnection } from './catalog.ts';

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
    ...exposed(t, {
      name: ['String', 'Display name.'],
      type: [SecretType, 'Kind of credential. Immutable.'],
      shared: ['Boolean', 'A label for the owner. It gives other users no access.'],
      keyVersion: ['Int', 'Id of the key that encrypts the value.'],
      rotatedAt: ['DateTime?', 'Time of the last rotation; null if the value was never replaced.'],
      allowedOrigins: [
        ['String'],
        'The only origins that may receive the value, or `stdio:<server>`. Empty: none was ' +
          'used yet; the first use adds its origin (S4-SEC-08).',
      ],
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
    args: argFields(t, { id: ['ID!', 'Id of the Secret.'] }),
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

const CreateSecretInput = inputOf('CreateSecretInput', 'Input for a new Secret.', {
  name: ['String!', 'Display name, up to 200 characters.'],
  type: [required(SecretType), 'Kind of credential.'],
  value: [
    'String!',
    'The credential, 8 characters to 64 KiB. It is encrypted on arrival and never returned.',
  ],
  shared: ['Boolean', 'A label for you. It gives other users no access. Default false.'],
  allowedOrigins: [
    ['String'],
    'The only origins that may receive the value, such as https://api.example.com. Empty: ' +
      'the first use adds its origin.',
  ],
});

const UpdateSecretInput = inputOf(
  'UpdateSecretInput',
  'Changes to a Secret. Omitted fields stay unchanged.',
  {
    id: ['ID!', 'Id of the Secret.'],
    name: ['String', 'Display name.'],
    shared: ['Boolean', 'A label for you. It gives other users no access.'],
    value: ['String', 'New value. The Secret is rotated and keeps its id.'],
    allowedOrigins: [
      ['String'],
      'The only origins that may receive the value from now on. Empty: the next use adds its ' +
        'origin.',
    ],
  },
);

const SecretPayload = payloadType('SecretPayload', 'secret', Secret, {
  connection: SecretConnection,
  key: newestKey,
});

mutation('createSecret', {
  description: 'Stores a credential of yours, encrypted.',
  input: [CreateSecretInput, 'The new Secret.'],
  payload: SecretPayload,
  run: createSecret,
});
mutation('updateSecret', {
  description: 'Renames a Secret, changes its allowed origins, or rotates its value.',
  input: [UpdateSecretInput, 'The changes.'],
  payload: SecretPayload,
  run: updateSecret,
});
mutation('deleteSecret', {
  description: 'Deletes a Secret that no Tool uses.',
  input: [idInput('DeleteSecretInput', 'Id of the Secret.'), 'The Secret.'],
  payload: DeletePayload,
  run: deleteSecret,
});

const SecretTestOutcome = enumOf('SecretTestOutcome', 'Result of the test of a Secret.', {
  accepted: 'The probe succeeds with the Secret and not without it.',
  failed: 'The probe does not succeed with the Secret; see `message`.',
  untold: 'The probe succeeds without the Secret too, so it shows nothing of it.',
});
const SecretTest = builder.objectRef<SecretTestModel>('SecretTest').implement({
  description: 'Test of a Secret at one connection, by its health probe.',
  fields: outputFields({
    tools: [[Tool], 'The Tools with this connection.', 'toolIds'],
    outcome: [SecretTestOutcome, 'The result.'],
    message: ['String?', 'Message of the failed probe; null otherwise.'],
  }),
});
const TestSecretPayload = builder
  .objectRef<{
    readonly tests: readonly SecretTestModel[];
    readonly userErrors: readonly Problem[];
  }>('TestSecretPayload')
  .implement({
    description: 'The tests, or the problems.',
    fields: outputFields({
      tests: [
        [SecretTest],
        'One test per connection of the Tools that use the Secret; empty if no Tool uses it.',
      ],
      userErrors: USER_ERRORS,
    }),
  });

builder.mutationField('testSecret', (t) =>
  t.field({
    type: TestSecretPayload,
    description:
      'Tests a Secret of yours by the health probes of your Tools that use it, at most ' +
      `${SECRET_TESTS_MAX} connections. It runs no Tool and sends the value to no other place.`,
    complexity: 50,
    args: {
      input: t.arg({
        type: idInput('TestSecretInput', 'Id of the Secret.'),
        required: true,
        description: 'The Secret.',
      }),
    },
    resolve: (_root, { input }, context) =>
      payloadOf<{ tests: readonly SecretTestModel[] }>({ tests: [] }, async () => ({
        tests: await testSecret(context, viewerOf(context), input),
      })),
  }),
);
