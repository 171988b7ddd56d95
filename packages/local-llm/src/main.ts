import { parseArgs } from 'node:util';
import { startLocalLlm } from './server.ts';

const USAGE = `usage: aiden-local-llm [--port N] [--host ADDRESS] [--word-delay-ms N]
         [--name TEXT]

An OpenAI-compatible server without a model: extractive answers and embeddings of sentences.
Listens on 127.0.0.1 and any free port unless told otherwise, and prints its address. GET /health
tells the name it was given.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      'word-delay-ms': { type: 'string' },
      name: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    console.log(USAGE);
    return;
  }
  const port = wholeNumber('--port', values.port ?? '0', 65_535);
  const wordDelayMs = wholeNumber('--word-delay-ms', values['word-delay-ms'] ?? '0', 10_000);
  const server = await startLocalLlm({
    host: values.host,
    port,
    wordDelayMs,
    name: values.name,
  });
  console.log(`local-llm listens on ${server.url}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void server.close().finally(() => process.exit(0)));
  }
}

function wholeNumber(flag: string, text: string, most: number): number {
  if (/^\d{1,6}$/.test(text) && Number(text) <= most) return Number(text);
  throw new Error(`${flag} has to be a whole number from 0 to ${most}, not "${text}".`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
