import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Tracing, TracingSettings } from './otlp.ts';

// OpenTelemetry, where the operator names a collector; otherwise nothing of it is loaded and every function here only calls its
// work. A process has one, as OpenTelemetry itself has, so it is asked for and not handed around.

let current: Tracing | null = null;

/** Loads OpenTelemetry and sends spans from now on. @throws when tracing is on already */
export async function openTracing(settings: TracingSettings): Promise<Tracing> {
  if (current !== null) throw new Error('Tracing is on already.');
  const { openOtlp } = await import('./otlp.ts');
  const opened = openOtlp(settings);
  const tracing: Tracing = {
    ...opened,
    async close() {
      current = null;
      await opened.close();
    },
  };
  current = tracing;
  return tracing;
}

/** null where tracing is off. */
export function activeTracing(): Tracing | null {
  return current;
}

export interface SpanInit {
  readonly kind: 'server' | 'client';
  /** Only names that otlp.ts allows leave the process. */
  readonly attributes?: Attributes;
  /** W3C traceparent of a caller elsewhere. */
  readonly traceparent?: string | null;
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;
const tracer = () => trace.getTracer('aiden');

/** Does the work in a span of its own, which may begin a trace. Where tracing is off the work gets null. */
export async function inSpan<T>(
  name: string,
  init: SpanInit,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  if (current === null) return work(null);
  const { kind, attributes = {}, traceparent = null } = init;
  const parent = traceparent === null ? context.active() : contextOf(traceparent);
  const options = { kind: KINDS[kind], attributes };
  return tracer().startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      // What went wrong is in the record and the log; its words stay out of traces, which others keep.
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** As inSpan, but only as a part of something larger: what goes on in the background begins no traces. */
export async function inChildSpan<T>(
  name: string,
  init: SpanInit,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  if (current === null || trace.getActiveSpan() === undefined) return work(null);
  return inSpan(name, init, work);
}

/** Where the caller stands, as W3C traceparent, to go on from later or elsewhere; null outside of traces. */
export function currentTraceparent(): string | null {
  if (current === null) return null;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** Goes on in a trace that was left at `traceparent`. */
export function continueTrace<T>(traceparent: string | null, work: () => Promise<T>): Promise<T> {
  if (current === null || traceparent === null) return work();
  return context.with(contextOf(traceparent), work);
}

const contextOf = (traceparent: string) => propagation.extract(ROOT_CONTEXT, { traceparent });
