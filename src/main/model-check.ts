import { withEllipsis } from '../common/ellipsis.ts';
import type { JsonObject } from '../common/json.ts';
import { ToolFault } from '../common/tool-fault.ts';
import type { DriverTarget } from '../platform/drivers/driver.ts';
import { llmDriver } from '../platform/drivers/llm-call.ts';
import type { Egress } from '../platform/egress/egress.ts';
import { type EmbedderSettings, openEmbedder } from '../platform/embeddings/embedder.ts';
import { openRenderer } from '../platform/renderer/renderer.ts';

/** One line of `aiden doctor`. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  /** The result of the check; on failure also the remedy. */
  readonly text: string;
}

const QUESTION = 'What is the capital of Italy? Answer in one short sentence.';
const MATERIAL = '<text>\nRome is the capital of Italy.\n</text>\n\n';
const SCHEMA: JsonObject = {
  type: 'object',
  required: ['capital'],
  additionalProperties: false,
  properties: { capital: { type: 'string', description: 'The name of the capital.' } },
};
const ANSWER_TOKENS_MAX = 200;
/** A small model on a busy CPU reads the question for many seconds. */
const ANSWER_MS_MAX = 180_000;

/**
 * Asks a model one question, once in words and once with a JSON schema. Never throws.
 * @param target of the shipped Tool `chat`
 */
export async function checkModel(egress: Egress, target: DriverTarget): Promise<Finding[]> {
  const renderer = openRenderer();
  const driver = llmDriver({ egress, renderer });
  const ask = async (prompt: string, schema?: JsonObject) => {
    const startedMs = performance.now();
    let pieces = 0;
    let firstMs: number | null = null;
    const result = await driver.invoke({
      target,
      operation: {
        type: 'llm_call',
        promptTemplate: prompt,
        ...(schema === undefined ? {} : { responseSchema: schema }),
      },
      inputs: {},
      ownerId: 'doctor',
      workspace: 'doctor',
      idempotencyKey: 'doctor',
      maxOutputTokens: ANSWER_TOKENS_MAX,
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
      onText: () => {
        firstMs ??= performance.now() - startedMs;
        pieces++;
      },
    });
    return { ...result, pieces, firstMs, totalMs: performance.now() - startedMs };
  };
  const { model, endpoint } = target.connectionParams;
  const place = `${String(model)} at ${String(endpoint)}`;
  try {
    const { output, pieces, firstMs, totalMs } = await ask(MATERIAL + QUESTION);
    const first = firstMs === null ? '' : `first word after ${seconds(firstMs)}, `;
    return [
      { name: 'Model', ok: true, text: `${place}: ${first}whole answer after ${seconds(totalMs)}` },
      { name: '', ok: true, text: `asked for the capital of Italy, it said: ${shown(output)}` },
      pieces > 1
        ? { name: 'Streaming', ok: true, text: `yes: the answer came in ${pieces} pieces` }
        : { name: 'Streaming', ok: true, text: 'no: the answer came as a whole, so people wait' },
      await structured(() => ask(`${MATERIAL}Extract the capital of Italy.`, SCHEMA)),
    ];
  } catch (error) {
    return [{ name: 'Model', ok: false, text: `${place}: ${remedyOf(error)}` }];
  } finally {
    await renderer.close();
  }
}

async function structured(
  ask: () => Promise<{ readonly usage: { readonly llmCalls: number }; readonly totalMs: number }>,
): Promise<Finding> {
  const name = 'JSON';
  try {
    const { usage, totalMs } = await ask();
    const text =
      usage.llmCalls === 1
        ? `yes: an answer fitted its JSON schema, after ${seconds(totalMs)}`
        : 'yes, at the second try; a larger model needs fewer tries';
    return { name, ok: true, text };
  } catch (error) {
    return {
      name,
      ok: false,
      text:
        `no: ${messageOf(error)} Facts and entities need JSON; choose a model that gives it ` +
        '(docs/models.md).',
    };
  }
}

/** Embeds one text. Never throws. @param settings null: no embedding model is set */
export async function checkEmbeddings(
  egress: Egress,
  settings: EmbedderSettings | null,
): Promise<Finding> {
  const name = 'Embeddings';
  if (settings === null)
    return { name, ok: true, text: 'none: memories are found by their words only' };
  const place = `${settings.model} at ${settings.url}`;
  const startedMs = performance.now();
  try {
    const [vector] = await openEmbedder(egress, settings).embed(['Rome']);
    const ms = performance.now() - startedMs;
    return { name, ok: true, text: `${place}: ${vector?.length ?? 0} dimensions, ${seconds(ms)}` };
  } catch (error) {
    return {
      name,
      ok: false,
      text:
        `${place}: ${messageOf(error)} Check AIDEN_EMBEDDINGS_URL and AIDEN_EMBEDDINGS_MODEL, ` +
        'or start the server with npm start.',
    };
  }
}

/** The failure and what to do about it. */
function remedyOf(error: unknown): string {
  const details = error instanceof ToolFault ? error.details : null;
  const status =
    typeof details === 'object' && details !== null && 'status' in details
      ? details.status
      : undefined;
  const said = messageOf(error);
  if (status === 401 || status === 403) return `${said} Check AIDEN_LLM_API_KEY.`;
  if (status === 404)
    return (
      `${said} Check AIDEN_LLM_MODEL, and that AIDEN_LLM_URL ends where /chat/completions ` +
      'begins, often in /v1.'
    );
  if (status === 429)
    return `${said} The server is busy or your quota is used up; wait, or raise it.`;
  if (error instanceof ToolFault && error.code === 'CANCELLED')
    return `no answer within ${seconds(ANSWER_MS_MAX)}. Use a smaller model or a faster machine.`;
  if (/Could not reach|broke off/.test(said))
    return (
      `${said} Start the model's server, or correct AIDEN_LLM_URL. Without a model of your own: ` +
      'npm start starts local-llm.'
    );
  return `${said} docs/models.md lists servers and settings.`;
}

const SHOWN_CHARS_MAX = 80;

function shown(output: unknown): string {
  const text = String(output).replace(/\s+/g, ' ').trim();
  return `"${withEllipsis(text, SHOWN_CHARS_MAX)}"`;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
