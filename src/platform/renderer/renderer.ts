import { Worker } from 'node:worker_threads';
import type { Json, JsonObject } from '../../common/json.ts';
import { RENDER_DATA_CHARS_MAX, RENDER_MS_MAX } from '../../common/limits.ts';
import { type RunErrorCode, ToolFault } from '../../common/tool-fault.ts';
import { watchWork } from './watch-work.ts';

/**
 * Renders templates and evaluates expressions of users, in threads that are killed after
 * RENDER_MS_MAX. Results above RENDER_OUTPUT_BYTES_MAX are refused. The keys of `data` are the
 * names in the template.
 */
export interface Renderer {
  /**
   * Renders Handlebars to text (outputTemplate, prompts, headers).
   * @throws ToolFault TEMPLATE_FAILED
   */
  render(source: string, data: JsonObject): Promise<string>;
  /**
   * Like `render`, with every value URI-encoded, for paths of URLs.
   * @throws ToolFault TEMPLATE_FAILED
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
  close(): Promise<void>;
}

export interface RenderJob {
  readonly kind: 'text' | 'uri' | 'leaves' | 'condition';
  /** The template or expression; for `leaves`, the value as JSON. */
  readonly source: string;
  /** The scope as JSON. */
  readonly data: string;
}
export type RenderAnswer = { readonly result: string } | { readonly failure: string };

/** One thread. It runs one job at a time, so that killing it affects no other job. */
interface RenderWorker {
  readonly worker: Worker;
  readonly ready: Promise<void>;
}
interface Waiting {
  readonly job: RenderJob;
  readonly resolve: (answer: RenderAnswer) => void;
}

const ENTRY = new URL('./render-worker.ts', import.meta.url);
// A larger heap may end the whole process. Measured: data of RENDER_DATA_CHARS_MAX needs at most
// 400 MB (`[{},{},…]`).
const HEAP_MB_MAX = 512;

export function openRenderer({ size = 2 }: { size?: number } = {}): Renderer {
  const idle: RenderWorker[] = [];
  const renderWorkers = new Set<RenderWorker>();
  const queue: Waiting[] = [];
  let closed = false;

  function openRenderWorker(): RenderWorker {
    const worker = new Worker(ENTRY, {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
      env: {},
      execArgv: [],
    });
    const ready = new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve());
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('The render thread ended before it was ready.')));
    });
    ready.catch(() => {});
    worker.on('error', () => {});
    const renderWorker = { worker, ready };
    renderWorkers.add(renderWorker);
    return renderWorker;
  }

  async function dismiss(renderWorker: RenderWorker): Promise<void> {
    renderWorkers.delete(renderWorker);
    await renderWorker.worker.terminate();
  }

  function next(): void {
    while (queue.length > 0) {
      const renderWorker =
        idle.pop() ?? (renderWorkers.size < size ? openRenderWorker() : undefined);
      if (renderWorker === undefined) return;
      const waiting = queue.shift();
      if (waiting !== undefined) void serve(renderWorker, waiting);
    }
  }

  async function serve(renderWorker: RenderWorker, { job, resolve }: Waiting): Promise<void> {
    renderWorker.worker.ref();
    const answer = await perform(renderWorker, job);
    if (answer === null) {
      await dismiss(renderWorker);
      resolve({ failure: `It took more than ${RENDER_MS_MAX / 1000} s and was stopped.` });
    } else if ('died' in answer) {
      await dismiss(renderWorker);
      resolve({ failure: answer.died });
    } else {
      // An idle thread must not keep the process alive.
      renderWorker.worker.unref();
      if (closed) await dismiss(renderWorker);
      else idle.push(renderWorker);
      resolve(answer);
    }
    next();
  }

  async function run(job: RenderJob, code: RunErrorCode): Promise<string> {
    if (closed) throw new Error('The renderer is closed.');
    if (job.data.length > RENDER_DATA_CHARS_MAX) {
      const mb = RENDER_DATA_CHARS_MAX / 1024 / 1024;
      throw new ToolFault(code, `Its values are larger than ${mb} MiB of JSON.`);
    }
    const answer = await new Promise<RenderAnswer>((resolve) => {
      queue.push({ job, resolve });
      next();
    });
    if ('failure' in answer) throw new ToolFault(code, answer.failure);
    return answer.result;
  }

  const template = (kind: 'text' | 'uri', source: string, data: JsonObject) =>
    // Text without an expression needs no thread.
    !source.includes('{{')
      ? Promise.resolve(source)
      : run({ kind, source, data: JSON.stringify(data) }, 'TEMPLATE_FAILED');

  return {
    render: (source, data) => template('text', source, data),
    renderPath: (source, data) => template('uri', source, data),
    async renderJson(value, data) {
      const source = JSON.stringify(value);
      if (!source.includes('{{')) return value;
      return JSON.parse(
        await run({ kind: 'leaves', source, data: JSON.stringify(data) }, 'TEMPLATE_FAILED'),
      ) as Json;
    },
    async evaluate(expression, scope) {
      const text = await run(
        { kind: 'condition', source: expression, data: JSON.stringify(scope) },
        'CONDITION_FAILED',
      );
      return JSON.parse(text) as Json;
    },
    async close() {
      closed = true;
      for (const { resolve } of queue.splice(0)) resolve({ failure: 'The renderer was closed.' });
      await Promise.all([...renderWorkers].map(dismiss));
    },
  };
}

/** The answer; null when time ran out; `died` when the thread ended on its own, and why. */
async function perform(
  { worker, ready }: RenderWorker,
  job: RenderJob,
): Promise<RenderAnswer | { died: string } | null> {
  try {
    await ready; // a thread's start is our time, not the template's
  } catch (error) {
    return { died: error instanceof Error ? error.message : String(error) };
  }
  return new Promise((resolve) => {
    const settle = (answer: RenderAnswer | { died: string } | null) => {
      unwatch();
      worker.off('message', settle);
      worker.off('exit', onExit);
      resolve(answer);
    };
    const onExit = () => settle({ died: 'It needed too much memory and was stopped.' });
    const unwatch = watchWork(
      () => workedMs(worker),
      () => settle(null),
    );
    worker.on('message', settle);
    worker.on('exit', onExit);
    worker.postMessage(job);
  });
}

async function workedMs(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage();
  return (user + system) / 1_000;
}
