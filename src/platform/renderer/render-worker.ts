import { parentPort } from 'node:worker_threads';
import type { Json, JsonObject } from '../../common/json.ts';
import { RENDER_OUTPUT_BYTES_MAX } from '../../common/limits.ts';
import { evaluateCondition } from '../../expressions/condition.ts';
import { outputTooLarge } from './render-meter.ts';
import type { RenderAnswer, RenderJob } from './renderer.ts';
import { renderLeaves, renderTemplate } from './template-engine.ts';

// Runs in its own thread, which the owner kills after a timeout. Input and output are text, so that
// templates see plain JSON only: no functions, class instances or prototype keys.
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** No reviver: its copy of a large value would not fit into the thread. */
function plain(text: string): Json {
  const value = JSON.parse(text) as Json;
  // The owner made the text with JSON.stringify, which never escapes these letters.
  const mayHold = [...PROTOTYPE_KEYS].some((key) => text.includes(`"${key}"`));
  if (mayHold) forgetPrototypeKeys(value);
  return value;
}

function forgetPrototypeKeys(value: Json): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) for (const key of PROTOTYPE_KEYS) delete value[key];
  for (const inner of Object.values(value)) forgetPrototypeKeys(inner);
}

function perform({ kind, source, data }: RenderJob): string {
  const scope = plain(data) as JsonObject;
  switch (kind) {
    case 'text':
    case 'uri':
      return renderTemplate(source, scope, kind);
    case 'leaves':
      return JSON.stringify(renderLeaves(plain(source), scope));
    case 'condition':
      return JSON.stringify(evaluateCondition(source, scope) ?? null);
  }
}

function wordsOf(error: unknown): string {
  // The engine's limits: a text above half a billion characters, or a stack too deep.
  if (error instanceof RangeError) return 'It needed too much memory and was stopped.';
  return error instanceof Error ? error.message : String(error);
}

const port = parentPort;
port?.on('message', (job: RenderJob) => {
  let answer: RenderAnswer;
  try {
    const result = perform(job);
    if (Buffer.byteLength(result) > RENDER_OUTPUT_BYTES_MAX) throw outputTooLarge();
    answer = { result };
  } catch (error) {
    answer = { failure: wordsOf(error) };
  }
  port.postMessage(answer);
});
port?.postMessage('ready');
