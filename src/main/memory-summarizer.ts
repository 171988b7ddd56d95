import { SUMMARIZER_TOOL } from '../agent-memory/rollup/summarise.service.ts';
import type {
  LoadedAgentMemorySettings,
  SummarizerSettings,
} from '../agent-memory/summarizer-settings.ts';

/** Name of the system's Secret that holds MEMORY_SUMMARIZER_API_KEY. */
export const SUMMARIZER_SECRET = 'MEMORY_SUMMARIZER_API_KEY';

const ADDRESSES: Readonly<Record<SummarizerSettings['provider'], string | null>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  // The bundled model, which the summary Process uses by default.
  local: null,
};

/**
 * The operator's `summarizer` settings as a Service and a Tool (S2-CFG-02). Only the connection is
 * used; the prompt is that of the system's own Tool. Null when the settings are absent or name the
 * bundled model.
 */
export function summarizerBundle({
  settings: { summarizer },
  given,
}: Pick<LoadedAgentMemorySettings, 'settings' | 'given'>): {
  readonly name: string;
  readonly document: string;
} | null {
  const { provider, model, api_base_url, api_key } = summarizer;
  const endpoint = api_base_url ?? ADDRESSES[provider];
  if (!given.has('summarizer') || endpoint === null) return null;
  const hasKey = api_key !== null;
  const text = { type: 'string' };
  const document = {
    aiden: 1,
    services: [
      {
        name: SUMMARIZER_TOOL,
        description: 'The model that the operator has the agent memory summed up by.',
        type: 'llm_provider',
        protocol: 'http',
        shared: true,
        requiresSecret: hasKey,
        connectionSchema: {
          type: 'object',
          required: ['endpoint', 'model', 'api'],
          properties: { endpoint: { ...text, format: 'uri' }, model: text, api: text },
        },
      },
    ],
    tools: [
      {
        name: SUMMARIZER_TOOL,
        description: 'A text in a few sentences, by the model of the `summarizer` settings.',
        service: SUMMARIZER_TOOL,
        shared: true,
        connectionParams: { endpoint, model, api: provider === 'anthropic' ? provider : 'openai' },
        operation: {
          type: 'llm_call',
          promptTemplate: 'Summarise in three sentences.\n\n<text>\n{{text}}\n</text>',
        },
        inputSchema: { type: 'object', required: ['text'], properties: { text } },
        outputSchema: text,
        ...(hasKey ? { secret: SUMMARIZER_SECRET } : {}),
      },
    ],
  };
  // JSON is valid YAML.
  return { name: 'memory-summarizer', document: JSON.stringify(document) };
}
