import { startDraft } from '../../src/system-tools/start-draft.mutations.ts';
import { inputOf, mutation } from '../payload.ts';
import { ProcessRunPayload } from './runs.ts';

const DraftProcessInput = inputOf('DraftProcessInput', 'Input of draftProcess.', {
  sentence: [
    'String!',
    'What the Process shall do, such as "Every morning fetch the feed, summarise it and ask me ' +
      'before posting it". 1 to 2000 characters.',
  ],
  idempotencyKey: ['String', 'The same input under the same key returns the first result.'],
});

mutation('draftProcess', {
  description:
    'Drafts a Process from one sentence, out of the Tools and Processes that you may use. It ' +
    'starts a run, and saves no Process. The output of the run is a JSON object: `definition` ' +
    'in the words of bundles (null: nothing was understood) with `?` for each choice that is ' +
    'left to you; `understood` and `open`, lists of words, text and stepId; `schedule` with ' +
    'its `cron`, or null; `problems` of the definition; `byModel`; `nearest`, Processes to ' +
    'begin from instead.',
  input: [DraftProcessInput, 'The sentence.'],
  payload: ProcessRunPayload,
  run: startDraft,
});
