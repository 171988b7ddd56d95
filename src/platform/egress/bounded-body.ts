import { ToolFault } from '../../common/tool-fault.ts';

export interface BodyLimits {
  /** Maximum decoded bytes: a compressed body counts unpacked. */
  readonly bytesMax: number;
  /** Maximum time in ms without a chunk; null = no limit but the caller's signal. */
  readonly idleMs: number | null;
  /**
   * `faultOf` translates an error of the source. `onFault` is called for every failure, because
   * some SDKs ignore a stream's errors.
   */
  readonly faultOf: (error: unknown) => unknown;
  readonly onFault?: ((fault: unknown) => void) | undefined;
}

/**
 * Limits the size and the idle time of a stream. Beyond a limit the source is cancelled (its socket
 * closes), and the reader gets a ToolFault: PAYLOAD_TOO_LARGE, or retryable TOOL_FAILED.
 */
export function boundedBody(
  source: ReadableStream<Uint8Array>,
  limits: BodyLimits,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let bytes = 0;

  async function fail(
    controller: ReadableStreamDefaultController<Uint8Array>,
    fault: unknown,
  ): Promise<void> {
    limits.onFault?.(fault);
    controller.error(fault);
    await reader.cancel(fault).catch(() => {});
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = await nextChunk(reader, limits.idleMs);
          if (chunk === 'silence') return await fail(controller, silence(limits.idleMs ?? 0));
          if (chunk.done) return controller.close();
          bytes += chunk.value.byteLength;
          if (bytes > limits.bytesMax) return await fail(controller, tooLarge(limits.bytesMax));
          controller.enqueue(chunk.value);
        } catch (error) {
          await fail(controller, limits.faultOf(error));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

type Chunk = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>;

async function nextChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  idleMs: number | null,
): Promise<Chunk | 'silence'> {
  if (idleMs === null) return reader.read();
  let timer: NodeJS.Timeout | undefined;
  const silent = new Promise<'silence'>((resolve) => {
    timer = setTimeout(() => resolve('silence'), idleMs);
  });
  try {
    return await Promise.race([reader.read(), silent]);
  } finally {
    clearTimeout(timer);
  }
}

const tooLarge = (bytesMax: number): ToolFault =>
  new ToolFault(
    'PAYLOAD_TOO_LARGE',
    `The answer is larger than ${Math.floor(bytesMax / 1024)} KiB.`,
  );

const silence = (idleMs: number): ToolFault =>
  new ToolFault(
    'TOOL_FAILED',
    `Nothing was heard for ${idleMs / 1000} s in the middle of the answer.`,
    {
      retryable: true,
    },
  );
