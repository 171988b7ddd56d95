import type { OpenApiTool as OpenApiToolModel } from '../../src/catalog/import/openapi-tools.ts';
import { builder, enumOf } from '../builder.ts';
import { nullable, outputFields } from '../fields.ts';
import { Tool } from './catalog.ts';

const OpenApiToolState = enumOf(
  'OpenApiToolState',
  'How an operation of an OpenAPI document and your Tool for it stand to each other.',
  {
    new: 'You have no Tool for it.',
    changed: 'The document differs from your Tool.',
    unchanged: 'It is as in your Tool.',
    gone: 'You have a Tool for it, and the document has no such operation.',
    unusable: 'It cannot be called; `problem` says why. An import leaves it out.',
  },
);

export const OpenApiTool = builder.objectRef<OpenApiToolModel>('OpenApiTool').implement({
  description: 'An operation of an OpenAPI document, beside your Tool that calls it.',
  fields: outputFields({
    operationId: ['ID?', 'Id of the operation in the document; null if it is gone.'],
    name: ['String', 'Name of a new Tool for it: its summary, else its id.'],
    call: ['String', 'Method and path, such as GET /pets/{{id}}.'],
    problem: [
      'String?',
      'Parts of it that cannot be used, or the reason why it is left out; null for none.',
    ],
    state: [OpenApiToolState, 'Whether an import would create or change your Tool.'],
    tool: [
      nullable(Tool),
      'Your Tool with the same connection, method and path; null if there is none.',
    ],
    changedFields: [
      ['String'],
      'Names of the fields of your Tool that an import would change.',
      ({ changes }) => Object.keys(changes),
    ],
  }),
});
