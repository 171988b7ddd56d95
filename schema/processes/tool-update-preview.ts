import {
  previewToolUpdate,
  type ToolCaller as ToolCallerModel,
  type ToolUpdatePreview as ToolUpdatePreviewModel,
} from '../../src/processes/tool-callers.service.ts';
import { builder } from '../builder.ts';
import { toolChangesOf, UpdateToolInput } from '../catalog/tools.ts';
import { viewerOf } from '../context.ts';
import { argFields, exposed, outputFields, required } from '../fields.ts';
import { UserError, underInput } from '../payload.ts';
import { Process } from './processes.ts';

const ToolCaller = builder.objectRef<ToolCallerModel>('ToolCaller').implement({
  description: 'A Process with steps that call a Tool, beside a change of the Tool.',
  fields: outputFields({
    process: [Process, 'The Process.'],
    fits: ['Boolean', 'Whether all its steps that fit the Tool now fit the changed Tool too.'],
  }),
});

const ToolUpdatePreview = builder.objectRef<ToolUpdatePreviewModel>('ToolUpdatePreview').implement({
  description: 'The Processes that a change of a Tool touches, and whether it would be made.',
  fields: (t) => ({
    ...exposed(t, {
      others: ['Int', 'Number of Processes of other users that call the Tool.'],
      othersBroken: ['Int', 'Number of those whose steps would not fit the changed Tool.'],
    }),
    callers: t.field({
      type: [ToolCaller],
      description: 'Your Processes that call the Tool; none where more than 500 call it.',
      complexity: { multiplier: 20 },
      resolve: ({ callers }) => callers,
    }),
    problems: t.field({
      type: [UserError],
      description: 'The reasons why updateTool would refuse the change; empty: it would be made.',
      resolve: ({ problems }) => problems.map(underInput),
    }),
  }),
});

builder.queryField('toolUpdatePreview', (t) =>
  t.field({
    type: ToolUpdatePreview,
    description: 'Makes all checks of updateTool and writes nothing.',
    args: argFields(t, { input: [required(UpdateToolInput), 'The changes.'] }),
    resolve: (_root, { input }, context) =>
      previewToolUpdate(context, viewerOf(context), toolChangesOf(input)),
  }),
);
