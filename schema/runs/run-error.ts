import type { RunError as RunErrorModel } from '../../src/common/tool-fault.ts';
import { builder } from '../builder.ts';

/** Of runs and steps, and of testTool. */
export const RunError = builder.objectRef<RunErrorModel>('RunError').implement({
  description: 'Why a run, a step or a call ended badly.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Which kind of failure, for machines.' }),
    message: t.exposeString('message', { description: 'What happened and what to do.' }),
    stepId: t.exposeID('stepId', { nullable: true, description: 'The step it happened in.' }),
    details: t.expose('details', {
      type: 'JSON',
      nullable: true,
      description:
        'More, by the kind of failure; `chain` are the run ids down to where it happened.',
    }),
  }),
});
