import type { RunError as RunErrorModel } from '../src/common/tool-fault.ts';
import { builder } from './builder.ts';

/** Error of runs, of steps and of testTool. */
export const RunError = builder.objectRef<RunErrorModel>('RunError').implement({
  description: 'Error of a run, a step or a call.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Machine-readable error code.' }),
    message: t.exposeString('message', { description: 'Description of the error and its remedy.' }),
    stepId: t.exposeID('stepId', { nullable: true, description: 'Id of the step that failed.' }),
    details: t.expose('details', {
      type: 'JSON',
      nullable: true,
      description: 'Details, by error code. `chain` lists the run ids down to the failed run.',
    }),
  }),
});
