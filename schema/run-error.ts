import type { RunError as RunErrorModel } from '../src/common/tool-fault.ts';
import { builder } from './builder.ts';
import { outputFields } from './fields.ts';

/** Error of runs, of steps and of testTool. */
export const RunError = builder.objectRef<RunErrorModel>('RunError').implement({
  description: 'Error of a run, a step or a call.',
  fields: outputFields({
    code: ['String', 'Machine-readable error code.'],
    message: ['String', 'Description of the error and its remedy.'],
    stepId: ['ID?', 'Id of the step that failed.'],
    details: ['JSON?', 'Details, by error code. `chain` lists the run ids down to the failed run.'],
  }),
});
