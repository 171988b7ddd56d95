import { type Attributes, context, propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  NodeTracerProvider,
  RandomIdGenerator,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import {
  makeWorkflowExporter,
  OpenTelemetryActivityInboundInterceptor,
  OpenTelemetryWorkflowClientInterceptor,
} from '@temporalio/interceptors-opentelemetry-v2';
import type { WorkerOptions } from '@temporalio/worker';
import { scrub } from './scrub.ts';

// tracing.ts loads this file only when tracing is on.

export interface TracingSettings {
  /**
   * Base URL of an OTLP/HTTP collector, without /v1/traces. OTEL_EXPORTER_OTLP_HEADERS sets
   * headers.
   */
  readonly endpoint: string;
  readonly version: string;
  /** The role of this process: all, api or worker. */
  readonly role: string;
  /** Spans of models and Tools have their texts too. Default: false. */
  readonly texts?: boolean;
}

/** The hooks of tracing for the rest of the process. */
export interface Tracing {
  /** For Temporal's client: a started workflow joins the trace of its caller. */
  readonly clientInterceptors: WorkflowClientInterceptor[];
  /** For Temporal's workers: traces activities, and workflows of a bundle with interceptors. */
  readonly workerOptions: Pick<WorkerOptions, 'interceptors' | 'sinks'>;
  /** Whether spans of models and Tools have their texts. */
  readonly texts: boolean;
  /** Gives the span that `start` starts this id. */
  withSpanId<T>(spanId: string, start: () => T): T;
  /** Sends the remaining spans and closes the connection. */
  close(): Promise<void>;
}

export function openOtlp({ endpoint, version, role, texts = false }: TracingSettings): Tracing {
  const resource = resourceFromAttributes({
    'service.name': 'aiden',
    'service.version': version,
    'aiden.role': role,
  });
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  // Some receivers, such as Phoenix, take no JSON.
  const exporter = new OTLPTraceExporter({ url });
  const allowed = new Set([...ALLOWED, ...(texts ? TEXTS : [])]);
  const spanProcessor = new BatchSpanProcessor(discreet(exporter, allowed));
  const ids = new SpanIds();
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [spanProcessor],
    idGenerator: ids,
  });
  provider.register({ propagator: new W3CTraceContextPropagator() });
  return {
    clientInterceptors: [new OpenTelemetryWorkflowClientInterceptor()],
    workerOptions: {
      interceptors: {
        activity: [(info) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(info) })],
      },
      // Temporal's type for sinks has an index signature, which an interface does not satisfy.
      sinks: { exporter: makeWorkflowExporter(spanProcessor, resource) as never },
    },
    texts,
    withSpanId: (spanId, start) => ids.with(spanId, start),
    async close() {
      await provider.shutdown();
      // The API keeps its first provider: tracing that is opened again would use the closed one.
      for (const api of [trace, context, propagation]) api.disable();
    },
  };
}

/** Random ids, but for a span whose id its children know before it is recorded. */
class SpanIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #given: string | null = null;

  generateTraceId(): string {
    return this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.#given ?? this.#random.generateSpanId();
  }

  with<T>(spanId: string, start: () => T): T {
    this.#given = spanId;
    try {
      return start();
    } finally {
      this.#given = null;
    }
  }
}

/**
 * The only attributes that are always sent. Inputs, variables, documents, URLs, headers and error
 * messages are not in this list, so no span can leak them (docs/decisions/0017).
 */
const ALLOWED: ReadonlySet<string> = new Set([
  'graphql.operation.type',
  'aiden.fields',
  'aiden.request_id',
  'db.system.name',
  'db.operation.name',
  'http.request.method',
  'http.response.status_code',
  'server.address',
  'server.port',
  'temporalWorkflowId',
  'temporalActivityId',
  'temporalUpdateId',
  'run_id',
  'aiden.run_id',
  'aiden.step_id',
  'aiden.cost_usd',
  'error.type',
  'gen_ai.operation.name',
  'gen_ai.agent.id',
  'gen_ai.agent.name',
  'gen_ai.provider.name',
  'gen_ai.request.model',
  'gen_ai.tool.name',
  'gen_ai.conversation.id',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
  'workflowType',
  'taskQueue',
]);

/** The attributes that are sent where an operator asks for texts (docs/decisions/0137). */
const TEXTS: ReadonlySet<string> = new Set([
  'gen_ai.system_instructions',
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
]);

/** Sends only the allowed attributes of each span, scrubbed. */
const discreet = (exporter: SpanExporter, allowed: ReadonlySet<string>): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(
      spans.map((span) => shown(span, allowed)),
      done,
    ),
  shutdown: () => exporter.shutdown(),
  forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
});

function shown(span: ReadableSpan, allowed: ReadonlySet<string>): ReadableSpan {
  const attributes = Object.entries(span.attributes).filter(([name]) => allowed.has(name));
  return Object.create(span, {
    name: { value: String(scrub(span.name)) },
    attributes: { value: scrub(Object.fromEntries(attributes)) as Attributes },
    // Events contain exceptions; the status contains their message.
    events: { value: [] },
    status: { value: { code: span.status.code } },
    spanContext: { value: () => span.spanContext() },
  }) as ReadableSpan;
}
