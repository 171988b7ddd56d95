import { rememberText } from '../../src/system-tools/remember-text.mutations.ts';
import { TurnPayload } from '../conversations/conversations.ts';
import { inputOf, mutation } from '../payload.ts';

const RememberInput = inputOf('RememberInput', 'Input of remember.', {
  text: [
    'String!',
    'What you said, in your own words, such as "I moved to Trier in May". Up to 256 KiB.',
  ],
  saidAt: ['DateTime', 'Time at which it was said, from 1970 to now. Default: now.'],
  source: [
    'String',
    'Name of the program that asks, such as that of an editor. Up to 100 characters. Default: ' +
      '`memory`.',
  ],
  idempotencyKey: ['String', 'The same input under the same key returns the first result.'],
});

mutation('remember', {
  description:
    'Remembers a text outside of a talk, for programs that use Aiden as their memory: adds it as ' +
    'a turn without an answer to the conversation of this source and month. `search` finds it ' +
    'within seconds; entities and facts are read out of it as out of any other turn.',
  input: [RememberInput, 'The text.'],
  payload: TurnPayload,
  run: rememberText,
});
