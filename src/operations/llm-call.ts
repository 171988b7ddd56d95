import { z } from 'zod';
import { problem } from '../common/refusal.ts';
import { checkJsonSchema } from '../json-schema/json-schema.ts';
import {
  jsonObject,
  NOTHING,
  type Path,
  type Reading,
  readTexts,
  together,
  typeOfOperation,
} from './operation-type.ts';

export const llmCall = typeOfOperation({
  schema: z.object({
    type: z.literal('llm_call'),
    systemPrompt: z.string().nullish(),
    promptTemplate: z.string(),
    /** Name of the input with `[{role, content}]`, sent between system prompt and prompt. */
    messages: z.string().nullish(),
    responseSchema: jsonObject.nullish(),
  }),
  serviceType: 'llm_provider',
  protocols: ['http', 'https'],
  inputField: 'llmCall',
  mutatesByDefault: () => false,
  healthTells: () => 'call',
  read: ({ systemPrompt, promptTemplate, messages, responseSchema }, path) =>
    together(
      readTexts(systemPrompt ?? null, [...path, 'systemPrompt']),
      readPrompt(promptTemplate, [...path, 'promptTemplate'], messages ?? null),
      messages == null
        ? NOTHING
        : { problems: [], uses: [{ name: messages, path: [...path, 'messages'] }] },
      responseSchema == null
        ? NOTHING
        : { problems: checkJsonSchema(responseSchema, [...path, 'responseSchema']), uses: [] },
    ),
});

function readPrompt(source: string, path: Path, messages: string | null): Reading {
  if (source.trim() !== '' || messages !== null) return readTexts(source, path);
  const message = 'A prompt is required where no messages are named.';
  return { problems: [problem('REQUIRED', path, message)], uses: [] };
}
