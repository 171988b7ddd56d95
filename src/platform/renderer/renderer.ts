import { NoPlace } from '../../common/fair-places.ts';
import type { Json, JsonObject } from '../../common/json.ts';
import { jsonChars } from '../../common/json-size.ts';
import {
  RENDER_DATA_CHARS_MAX,
  RENDER_MS_MAX,
  RENDER_OUTPUT_BYTES_MAX,
} from '../../common/limits.ts';
import { type RunErrorCode, ToolFault } from '../../common/tool-fault.ts';
import { ConfinedPool } from '../confined/confined-pool.ts';
import type { ConfinedOutcome } from '../confined/confined-process.ts';

/**
 * Renders templates and evaluates expressions of users, in processes that end after RENDER_MS_MAX
 * of work or when they need too much memory (docs/decisions/0033).
 */
export interface Renderer {
  /** For templates of one user. Users are served in turn. */
  of(ownerId: string): OwnerRenderer;
  close(): Promise<void>;
}

/**
 * Results above RENDER_OUTPUT_BYTES_MAX are refused. The keys of `data` are the names in the
 * template. A fault's `details.reason` is TIME, MEMORY, LOST or BUSY where the work did not end by
 * itself; only BUSY is retryable.
 */
export interface OwnerRenderer {
  /**
   * Renders Handlebars to text (outputTemplate, prompts, headers).
   * @throws ToolFault TEMPLATE_FAILED
   */
  render(source: string, data: JsonObject): Promise<string>;
  /**
   * Like `render`, with every value URI-encoded, for paths of URLs.
   * @throws ToolFault TEMPLATE_FAILED, INPUT_INVALID where a value is absent, empty, "." or "..",
   * and the path would lead to another resource
   */
  renderPath(source: string, data: JsonObject): Promise<string>;
  /**
   * Renders the text leaves of a JSON value. A leaf that is exactly `{{x.y}}` keeps the JSON type.
   * @throws ToolFault TEMPLATE_FAILED
   */
  renderJson(value: Json, data: JsonObject): Promise<Json>;
  /**
   * Evaluates CEL over `scope` (conditions, forEach).
   * @throws ToolFault CONDITION_FAILED
   */
  evaluate(expression: string, scope: JsonObject): Promise<Json>;
}

export interface RenderJob {
  readonly kind: 'text' | 'uri' | 'leaves' | 'condition';
  /** The template or expression; for `leaves`, the value as JSON. */
  readonly source: string;
}
export type RenderAnswer =
  | { readonly result: string }
  /** `isInput`: the template is right, and a value of its data is not. */
  | { readonly failure: string; readonly isInput: boolean };

const CONFINEMENT = {
  entry: new URL('./render-process.ts', import.meta.url),
  // Measured: data of RENDER_DATA_CHARS_MAX needs at most 400 MB (`[{},{},…]`).
  heapMb: 512,
  workMs: RENDER_MS_MAX,
  // A character of the result has at most six bytes in the answer's JSON.
  answerBytesMax: 6 * RENDER_OUTPUT_BYTES_MAX + 1_024,
};
/**
 * One user's templates use one process at most, so a slow one delays other users only where four
 * users have slow ones. More requests wait than an installation has places for steps.
 */
const PLACES = { places: 4, placesPerOwner: 1, waiting: 10_000, waitingPerOwner: 2_000 };

const ENDED = {
  time: ['TIME', `It took more than ${RENDER_MS_MAX / 1_000} s and was stopped.`],
  memory: ['MEMORY', 'It needed too much memory and was stopped.'],
  lost: ['LOST', 'The process that rendered it ended twice.'],
} as const;

export function openRenderer(): Renderer {
  const pool = new ConfinedPool(CONFINEMENT, PLACES);
  return {
    of: (ownerId) => ownerRenderer((job, data) => pool.perform(ownerId, JSON.stringify(job), data)),
    close: () => pool.close(),
  };
}

function ownerRenderer(
  perform: (job: RenderJob, data: string) => Promise<ConfinedOutcome>,
): OwnerRenderer {
  async function run(job: RenderJob, values: JsonObject, code: RunErrorCode): Promise<string> {
    const outcome = await perform(job, textOf(values, code)).catch((error: unknown) => {
      if (!(error instanceof NoPlace)) throw error;
      const details = { reason: 'BUSY' };
      throw new ToolFault(code, error.message, { details, retryable: true });
    });
    if ('ended' in outcome) {
      const [reason, message] = ENDED[outcome.ended];
      throw new ToolFault(code, message, { details: { reason } });
    }
    const answer = JSON.parse(outcome.answer.text) as RenderAnswer;
    if ('failure' in answer)
      throw new ToolFault(answer.isInput ? 'INPUT_INVALID' : code, answer.failure);
    return answer.result;
  }
  async function template(kind: 'text' | 'uri', source: string, data: JsonObject): Promise<string> {
    // Text without an expression needs no process.
    return source.includes('{{') ? run({ kind, source }, data, 'TEMPLATE_FAILED') : source;
  }
  return {
    render: (source, data) => template('text', source, data),
    renderPath: (source, data) => template('uri', source, data),
    async renderJson(value, data) {
      const source = JSON.stringify(value);
      if (!source.includes('{{')) return value;
      return JSON.parse(await run({ kind: 'leaves', source }, data, 'TEMPLATE_FAILED')) as Json;
    },
    async evaluate(source, scope) {
      return JSON.parse(
        await run({ kind: 'condition', source }, scope, 'CONDITION_FAILED'),
      ) as Json;
    },
  };
}

/** Values that refer to the same text many times are counted before they are written out. */
function textOf(values: JsonObject, code: RunErrorCode): string {
  if (jsonChars(values, RENDER_DATA_CHARS_MAX) > RENDER_DATA_CHARS_MAX) {
    const mb = RENDER_DATA_CHARS_MAX / 1024 / 1024;
    throw new ToolFault(code, `Its values are larger than ${mb} MiB of JSON.`);
  }
  return JSON.stringify(values);
}
