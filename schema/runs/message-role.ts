import { enumOf } from '../builder.ts';

export const MessageRole = enumOf('MessageRole', 'Role of the author of a message to a model.', {
  user: 'The user.',
  assistant: 'The agent.',
  system: 'The product: instructions and memory.',
});
