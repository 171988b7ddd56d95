import type { Json, JsonObject } from '../../common/json.ts';
import { jsonChars } from '../../common/json-size.ts';
import { RENDER_OUTPUT_BYTES_MAX } from '../../common/limits.ts';
import { evaluateCondition } from '../../expressions/condition.ts';
import { serveConfined } from '../confined/serve-confined.ts';
import { PathFault } from './path-parts.ts';
import { outputTooLarge } from './render-meter.ts';
import type { RenderAnswer, RenderJob } from './renderer.ts';
import { renderLeaves, renderTemplate } from './template-engine.ts';

// Runs in a process of its own. Input and output are text, so that templates see plain JSON only:
// no functions and no class instances. A key named `constructor` or `__proto__` is data; all
// readers take own properties only.

function perform({ kind, source }: RenderJob, data: string): string {
  const scope = JSON.parse(data) as JsonObject;
  switch (kind) {
    case 'text':
    case 'uri':
      return renderTemplate(source, scope, kind);
    case 'leaves':
      return toJson(renderLeaves(JSON.parse(source) as Json, scope));
    case 'condition':
      return toJson(evaluateCondition(source, scope) ?? null);
  }
}

/** A list may hold the same text many times, so its JSON is counted before it is built. */
function toJson(value: Json): string {
  if (jsonChars(value, RENDER_OUTPUT_BYTES_MAX) > RENDER_OUTPUT_BYTES_MAX) throw outputTooLarge();
  return JSON.stringify(value);
}

function wordsOf(error: unknown): string {
  // The engine's limits: a text above half a billion characters, or a stack too deep.
  if (error instanceof RangeError) return 'It needed too much memory and was stopped.';
  return error instanceof Error ? error.message : String(error);
}

serveConfined((head, data) => {
  let answer: RenderAnswer;
  try {
    const result = perform(JSON.parse(head) as RenderJob, data);
    if (Buffer.byteLength(result) > RENDER_OUTPUT_BYTES_MAX) throw outputTooLarge();
    answer = { result };
  } catch (error) {
    answer = { failure: wordsOf(error), isInput: error instanceof PathFault };
  }
  return JSON.stringify(answer);
});
