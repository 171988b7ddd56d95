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

// Loaded by tracing.ts, and only where tracing is on.

export interface TracingSettings {
  /** Of an OTLP/HTTP collector, without /v1/traces; its headers come from OTEL_EXPORTER_OTLP_HEADERS. */
  readonly endpoint: string;
  readonly version: string;
  /** What this process does: all, api or worker. */
  readonly role: string;
}

/** What an open connection to a collector gives the rest of the process. */
export interface Tracing {
  /** For Temporal's client: a started workflow belongs to the trace of who started it. */
  readonly clientInterceptors: WorkflowClientInterceptor[];
  /** For Temporal's workers: activities, and what workflows (with a bundle made for it) say. */
  readonly workerOptions: Pick<WorkerOptions, 'interceptors' | 'sinks'>;
  /** Sends what is not sent yet, and ends. */
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
      // Temporal types sinks by an index signature that an interface does not have.
      sinks: { exporter: makeWorkflowExporter(spanProcessor, resource) as never },
    },
    close: () => provider.shutdown(),
  };
}

/**
 * The only attributes that leave. A list of what is allowed forgets nothing: inputs, variables, documents, URLs, headers and
 * the words of errors are not on it, whoever may put them on a span (docs/decisions/0017).
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
  'workflowType',
  'taskQueue',
]);

/** Sends what is allowed of each span, scrubbed besides. */
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
    // Events hold exceptions, the status their message.
    events: { value: [] },
    status: { value: { code: span.status.code } },
    spanContext: { value: () => span.spanContext() },
  }) as ReadableSpan;
}
