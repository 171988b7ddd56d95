import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import protobuf from 'protobufjs';

/** A span as it arrives over OTLP/HTTP. Ids are hex. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

export interface OtlpReceiver {
  readonly endpoint: string;
  readonly spans: readonly ReceivedSpan[];
  /** Everything that arrived, as text. */
  text(): string;
  close(): Promise<void>;
}

// The part of opentelemetry/proto/collector/trace/v1 that tests read.
const Request = protobuf
  .parse(`syntax = "proto3";
    message Request { repeated ResourceSpans resource_spans = 1; }
    message ResourceSpans { repeated ScopeSpans scope_spans = 2; }
    message ScopeSpans { repeated Span spans = 2; }
    message Span {
      bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5;
      fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
      repeated KeyValue attributes = 9; Status status = 15;
    }
    message Status { int32 code = 3; }
    message KeyValue { string key = 1; Value value = 2; }
    message Value { oneof value {
      string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4;
    } }`)
  .root.lookupType('Request');

const STATUS_ERROR = 2;

interface Body {
  readonly resourceSpans?: {
    readonly scopeSpans?: {
      readonly spans?: {
        readonly traceId: Buffer;
        readonly spanId: Buffer;
        readonly parentSpanId?: Buffer;
        readonly name: string;
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
        readonly attributes?: { readonly key: string; readonly value: object }[];
        readonly status?: { readonly code?: number };
      }[];
    }[];
  }[];
}

function spansOf(bytes: Buffer): ReceivedSpan[] {
  const { resourceSpans = [] } = Request.toObject(Request.decode(bytes), { longs: String }) as Body;
  return resourceSpans
    .flatMap(({ scopeSpans = [] }) => scopeSpans)
    .flatMap(({ spans = [] }) => spans)
    .map(({ traceId, spanId, parentSpanId, name, attributes = [], status, ...times }) => ({
      traceId: Buffer.from(traceId).toString('hex'),
      spanId: Buffer.from(spanId).toString('hex'),
      ...(parentSpanId?.length ? { parentSpanId: Buffer.from(parentSpanId).toString('hex') } : {}),
      name,
      isError: status?.code === STATUS_ERROR,
      startMs: Number(times.startTimeUnixNano) / 1e6,
      endMs: Number(times.endTimeUnixNano) / 1e6,
      attributes: Object.fromEntries(
        attributes.map(({ key, value }) => {
          const [[kind, one] = ['', null]] = Object.entries(value);
          return [key, kind === 'intValue' ? Number(one) : one];
        }),
      ),
    }));
}

/** A collector on loopback that takes OTLP/HTTP at /v1/traces, protobuf only, and keeps it. */
export async function openOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/traces') {
      response.writeHead(404).end();
      return;
    }
    const body = await buffer(request);
    if (request.headers['content-type'] !== 'application/x-protobuf') {
      response.writeHead(415).end();
      return;
    }
    bodies.push(body.toString());
    spans.push(...spansOf(body));
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => bodies.join('\n'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
