import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Tracing, TracingSettings } from './otlp.ts';

// OpenTelemetry is loaded only when a collector is set; otherwise each function only calls its
// work. Tracing is global per process, as in OpenTelemetry, so it is not passed around.

let current: Tracing | null = null;

/**
 * Loads OpenTelemetry and starts sending spans.
 * @throws Error when tracing is on already
 */
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

/** Null when tracing is off. */
export function activeTracing(): Tracing | null {
  return current;
}

export interface SpanInit {
  readonly kind: keyof typeof KINDS;
  /** Only attributes that otlp.ts allows are sent. */
  readonly attributes?: Attributes;
  /** W3C traceparent of a remote caller. */
  readonly traceparent?: string | null;
  /** Id of a span of the same trace that `recordSpan` records later. */
  readonly parentSpanId?: string | null;
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;
const tracer = () => trace.getTracer('aiden');

/** Runs the work in a new span, which may start a trace. Without tracing the work gets null. */
export async function inSpan<T>(
  name: string,
  init: SpanInit,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  if (current === null) return work(null);
  const { kind, attributes = {}, traceparent = null, parentSpanId = null } = init;
  const given = traceparent === null ? context.active() : contextOf(traceparent);
  const parent = parentSpanId === null ? given : within(given, parentSpanId);
  const options = { kind: KINDS[kind], attributes };
  return tracer().startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      // The error's message is in the record and the log, but not in traces, which others store.
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Like inSpan, but only within a trace: background work starts no traces. */
export async function inChildSpan<T>(
  name: string,
  init: SpanInit,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  if (current === null || trace.getActiveSpan() === undefined) return work(null);
  return inSpan(name, init, work);
}

/** A span whose work was made by several processes, recorded at its end. */
export interface EndedSpan extends Pick<SpanInit, 'kind' | 'attributes'> {
  /** 16 hex digits that the parts of the work know too; see `parentSpanId`. */
  readonly spanId: string;
  readonly startedAt: Date;
  readonly failed: boolean;
}

/** Records a span that ends now, within the current trace. Without a trace it does nothing. */
export function recordSpan(name: string, ended: EndedSpan): void {
  if (current === null || trace.getActiveSpan() === undefined) return;
  const { spanId, kind, attributes = {}, startedAt: startTime, failed } = ended;
  const span = current.withSpanId(spanId, () =>
    tracer().startSpan(name, { kind: KINDS[kind], attributes, startTime }),
  );
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Adds texts to the current span, where the operator asked for them; else none are made. */
export function noteTexts(texts: () => Attributes): void {
  if (current?.texts === true) trace.getActiveSpan()?.setAttributes(texts());
}

/** W3C traceparent of the current span, to continue the trace elsewhere; null outside a trace. */
export function currentTraceparent(): string | null {
  if (current === null) return null;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** Continues the trace of `traceparent` in the work. */
export function continueTrace<T>(traceparent: string | null, work: () => Promise<T>): Promise<T> {
  if (current === null || traceparent === null) return work();
  return context.with(contextOf(traceparent), work);
}

function within(parent: Context, spanId: string): Context {
  const active = trace.getSpanContext(parent);
  return active === undefined ? parent : trace.setSpanContext(parent, { ...active, spanId });
}

const contextOf = (traceparent: string) => propagation.extract(ROOT_CONTEXT, { traceparent });
