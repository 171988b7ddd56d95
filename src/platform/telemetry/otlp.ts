import type { Attributes } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
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
}

/** The hooks of tracing for the rest of the process. */
export interface Tracing {
  /** For Temporal's client: a started workflow joins the trace of its caller. */
  readonly clientInterceptors: WorkflowClientInterceptor[];
  /** For Temporal's workers: traces activities, and workflows of a bundle with interceptors. */
  readonly workerOptions: Pick<WorkerOptions, 'interceptors' | 'sinks'>;
  /** Sends the remaining spans and closes the connection. */
  close(): Promise<void>;
}

export function openOtlp({ endpoint, version, role }: TracingSettings): Tracing {
  const resource = resourceFromAttributes({
    'service.name': 'aiden',
    'service.version': version,
    'aiden.role': role,
  });
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const spanProcessor = new BatchSpanProcessor(discreet(new OTLPTraceExporter({ url })));
  const provider = new NodeTracerProvider({ resource, spanProcessors: [spanProcessor] });
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
    close: () => provider.shutdown(),
  };
}

/**
 * The only attributes that are sent. Inputs, variables, documents, URLs, headers and error messages
 * are not in this list, so no span can leak them (docs/decisions/0017).
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
  'gen_ai.operation.name',
  'gen_ai.provider.name',
  'gen_ai.request.model',
  'gen_ai.tool.name',
  'gen_ai.conversation.id',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
  'workflowType',
  'taskQueue',
]);

/** Sends only the allowed attributes of each span, scrubbed. */
function discreet(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(shown), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

function shown(span: ReadableSpan): ReadableSpan {
  const allowed = Object.entries(span.attributes).filter(([name]) => ALLOWED.has(name));
  return Object.create(span, {
    name: { value: String(scrub(span.name)) },
    attributes: { value: scrub(Object.fromEntries(allowed)) as Attributes },
    // Events contain exceptions; the status contains their message.
    events: { value: [] },
    status: { value: { code: span.status.code } },
    spanContext: { value: () => span.spanContext() },
  }) as ReadableSpan;
}
