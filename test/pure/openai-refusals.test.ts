import { expect, it } from 'vitest';
import { readChatCompletion } from '../../src/main/http/openai-request.ts';

it('takes a refusal in the history for the text of the assistant', () => {
  const refused = { role: 'assistant', content: [{ type: 'refusal', refusal: 'I can not.' }] };
  const messages = [{ role: 'user', content: 'Do.' }, refused, { role: 'user', content: 'Why?' }];
  expect(readChatCompletion({ model: 'm', messages }).messages[1]).toEqual({
    role: 'assistant',
    content: 'I can not.',
  });
});
