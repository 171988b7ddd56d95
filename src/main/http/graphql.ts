import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  NoSchemaIntrospectionCustomRule,
  parse,
} from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import type { ApiDeps, RequestContext } from '../../../schema/context.ts';
import type { PlaceLimits } from '../../common/fair-places.ts';
import { wellFormedJson } from '../../common/well-formed.ts';
import type { GraphqlParams } from '../../platform/http/body.ts';
import { mapIterable } from '../../platform/http/map-iterable.ts';
import { asksMultipart, multipartResponse } from '../../platform/http/multipart-subscription.ts';
import {
  costOf,
  limitShape,
  type OperationLimits,
  rootFieldsOf,
  tooComplex,
} from '../../platform/http/operation-limits.ts';
import { logLevelOf, presentError } from '../../platform/http/present-error.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import { activeTracing, inSpan } from '../../platform/telemetry/tracing.ts';
import type { Viewer } from '../../users/user.ts';
import { openGraphiql } from './graphiql-policy.ts';
import { FAVICON, GRAPHIQL_TABS, LOGO } from './graphiql-tabs.ts';
import { TURNS, takeTurns } from './take-turns.ts';

/** Facts about a request that the transport (HTTP or WebSocket) knows before GraphQL starts. */
export interface Arrival {
  readonly viewer: Viewer | null;
  readonly requestId: string;
  /** The parsed body of a POST. */
  readonly params?: GraphqlParams;
}

export interface GraphqlSettings {
  readonly schema: GraphQLSchema;
  readonly deps: ApiDeps;
  readonly mode: 'dev' | 'production';
  readonly limits: OperationLimits;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Queries and mutations that run and that wait, in all and per user. */
  readonly turns?: PlaceLimits | undefined;
}

// The cache is keyed by document text, so its size is counted in characters.
const DOCUMENTS_CHARS_MAX = 4_000_000;

/**
 * The GraphQL pipeline of both transports: cached parse and validation, limits, execution, errors.
 */
export function openGraphql(settings: GraphqlSettings) {
  const { schema, deps, mode } = settings;
  const documents = {
    maxSize: DOCUMENTS_CHARS_MAX,
    sizeCalculation: (_: object, text: string) => text.length + 1,
  };
  const graphiql = openGraphiql();
  return createYoga<Arrival, RequestContext>({
    schema,
    graphqlEndpoint: '/graphql',
    batching: false,
    multipart: false,
    landingPage: false,
    cors: false,
    logging: false,
    maskedErrors: false,
    maxRequestBodySize: false,
    graphiql: mode === 'dev' && {
      title: 'Aiden',
      subscriptionsProtocol: 'SSE',
      favicon: FAVICON,
      logo: LOGO,
      defaultTabs: GRAPHIQL_TABS,
    },
    renderGraphiQL: graphiql.render,
    parserAndValidationCache: {
      documentCache: new LRUCache<string, ReturnType<typeof parse>>(documents),
      errorCache: new LRUCache<string, Error>(documents),
    },
    context: ({ viewer, requestId }) => ({ ...deps, viewer, requestId }),
    plugins: [
      takeParams,
      limitOperations(settings),
      presentErrors(settings),
      traceOperations,
      takeTurns(settings.turns ?? TURNS),
      answerInParts,
      sayTypes,
      withPolicy(graphiql.policyOf),
    ],
  });
}

type ApiPlugin = Plugin<RequestContext, Arrival>;

// The server has already read, limited and parsed the body; it can't be read again.
const takeParams: ApiPlugin = {
  onRequestParse({ serverContext, setRequestParser }) {
    const { params } = serverContext;
    if (params !== undefined) setRequestParser(() => params);
  },
};

// The page is the only HTML of this pipeline.
const withPolicy = (policyOf: () => string): ApiPlugin => ({
  onResponse({ response }) {
    if (response.headers.get('content-type')?.startsWith('text/html') !== true) return;
    response.headers.set('content-security-policy', policyOf());
  },
});

// The library refuses a subscription that accepts only multipart/mixed with 406.
const answerInParts: ApiPlugin = {
  onResultProcess({ request, result, resultProcessor, setResultProcessor }) {
    const accept = request.headers.get('accept');
    if (!asksMultipart(accept)) return;
    if (isIterable<object>(result))
      setResultProcessor(() => multipartResponse(result), 'multipart/mixed');
    // A subscription that is refused, as for a wrong variable, is no stream.
    else if (resultProcessor === undefined)
      setResultProcessor(
        () => multipartResponse(alone(result as ExecutionResult)),
        'multipart/mixed',
      );
  },
};

/** A stream of one result, without the HTTP status that its errors have for other types. */
async function* alone({ errors, ...rest }: ExecutionResult): AsyncGenerator<ExecutionResult> {
  yield errors === undefined ? rest : { ...rest, errors: errors.map(withoutStatus) };
}

function withoutStatus({ message, nodes, source, positions, path, extensions }: GraphQLError) {
  const { http: _status, ...shown } = extensions;
  return new GraphQLError(message, { nodes, source, positions, path, extensions: shown });
}

// The library answers a client that takes none of our types with 406 and no words.
const sayTypes: ApiPlugin = {
  onResultProcess({ result, resultProcessor, setResultProcessor }) {
    if (resultProcessor !== undefined) return;
    const isStream = isIterable<object>(result);
    if (isStream) (result as AsyncIterable<object> & Ending).return?.().catch(() => {});
    const message = isStream ? STREAM_TYPES : ANSWER_TYPES;
    const body = { errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] };
    setResultProcessor(() => Response.json(body, { status: 406 }), 'application/json');
  },
};

interface Ending {
  return?(): Promise<unknown>;
}

export const ANSWER_TYPES = 'Accept application/json or application/graphql-response+json.';
const STREAM_TYPES =
  'Accept text/event-stream or multipart/mixed;subscriptionSpec=1.0 for a subscription, or send ' +
  'it over a WebSocket.';

/**
 * Traces each query and mutation as a span; calls of Neo4j are its children. Subscriptions last too
 * long for a span.
 */
const traceOperations: ApiPlugin = {
  onExecute({ args, executeFn, setExecuteFn }) {
    if (activeTracing() === null) return;
    const type = getOperationAST(args.document, args.operationName)?.operation ?? 'query';
    // Only field names of the schema: aliases, arguments and values may hold a caller's data.
    const fields = rootFieldsOf(args.document, args.operationName ?? null).slice(0, FIELDS_SHOWN);
    const { request, requestId } = args.contextValue as RequestContext & { request?: Request };
    setExecuteFn((given) =>
      inSpan(
        [type, ...fields].join(' '),
        {
          kind: 'server',
          traceparent: request?.headers.get('traceparent') ?? null,
          attributes: {
            'graphql.operation.type': type,
            'aiden.fields': fields,
            'aiden.request_id': requestId,
          },
        },
        async () => executeFn(given),
      ),
    );
  },
};
const FIELDS_SHOWN = 5;

/** Lists, objects and selections in one another. Validation and execution are recursive, too. */
const NESTING_MAX = 200;

/** The deepest nesting of brackets, by the tokens of a parsed document. */
function nestingOf({ loc }: DocumentNode): number {
  let depth = 0;
  let deepest = 0;
  for (let token = loc?.startToken.next ?? null; token !== null; token = token.next) {
    if (/^[[{(]$/.test(token.kind)) deepest = Math.max(deepest, ++depth);
    else if (/^[\]})]$/.test(token.kind)) depth--;
  }
  return deepest;
}

/** The library says of a missing operation neither its name nor those that there are. */
function expectOperation(document: DocumentNode, name: string | null): void {
  if (getOperationAST(document, name) != null) return;
  const names = document.definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION ? [one.name?.value ?? 'one without a name'] : [],
  );
  const has = names.length === 0 ? 'no operation' : `the operations ${names.join(', ')}`;
  throw new GraphQLError(
    name === null
      ? `The document has ${has}. Send operationName with the one to run.`
      : `The document has ${has}, and none is called "${name}".`,
    { extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } } },
  );
}

function limitOperations({ mode, limits }: GraphqlSettings): ApiPlugin {
  const shape = limitShape(limits);
  const refusal = (args: Parameters<typeof costOf>[0]) => {
    const cost = costOf(args);
    if (cost <= limits.costMax) return null;
    return {
      errors: [
        tooComplex(
          `This operation costs ${cost}; ${limits.costMax} is the most. Ask for smaller pages.`,
        ),
      ],
    };
  };
  return {
    onParse({ setParseFn }) {
      setParseFn((source, options) => {
        try {
          const document = parse(source, { ...options, maxTokens: limits.tokensMax });
          if (nestingOf(document) > NESTING_MAX) throw new RangeError('nested too deeply');
          return document;
        } catch (error) {
          // The parser is recursive: the stack ends first in a document of one long branch.
          if (error instanceof RangeError)
            throw tooComplex(`This document is nested deeper than ${NESTING_MAX} levels.`);
          const tooMany =
            error instanceof Error && error.message.includes('tokens. Parsing aborted');
          throw tooMany
            ? tooComplex(`This document has more than ${limits.tokensMax} tokens.`)
            : error;
        }
      });
      return ({ result, context: { params } }) => {
        if ('definitions' in result) expectOperation(result, params?.operationName ?? null);
      };
    },
    onValidate({ addValidationRule }) {
      addValidationRule(shape);
      if (mode !== 'dev') addValidationRule(NoSchemaIntrospectionCustomRule);
    },
    onExecute({ args, setResultAndStopExecution }) {
      const refused = refusal(args);
      if (refused !== null) setResultAndStopExecution(refused);
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const refused = refusal(args);
      if (refused !== null) setResultAndStopExecution(refused);
    },
  };
}

interface Result {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLError[];
}

/** Presents the errors of every result, single or streamed; logs defects; records metrics. */
function presentErrors({ log, metrics, mode }: GraphqlSettings): ApiPlugin {
  const suggests = mode === 'dev';
  const presenter = (requestId: string) => {
    const onDefect = (error: unknown) => {
      // A closed connection is not a defect.
      if (!(error instanceof Error && error.name === 'AbortError'))
        log[logLevelOf(error)]('An operation failed', { requestId, error });
    };
    return <Shown extends Result>(result: Shown): Shown => ({
      ...result,
      // Cuts by length and computed texts may end in half of a character.
      ...(result.data == null ? {} : { data: wellFormedJson(result.data) }),
      ...(result.errors === undefined
        ? {}
        : {
            errors: result.errors.map((error) =>
              presentError(error, { requestId, onDefect, suggests }),
            ),
          }),
    });
  };
  return {
    onExecute({ args }) {
      const present = presenter(args.contextValue.requestId);
      const startedMs = performance.now();
      const kind = getOperationAST(args.document, args.operationName)?.operation ?? 'query';
      return {
        onExecuteDone({ result, setResult }) {
          if (isIterable(result)) return;
          const shown = present(result);
          const code = String(shown.errors?.[0]?.extensions['code'] ?? 'ok');
          const ms = performance.now() - startedMs;
          metrics.operationEnded({ kind, code, seconds: ms / 1000 });
          log.debug('Operation', {
            requestId: args.contextValue.requestId,
            operation: kind,
            code,
            ms,
          });
          setResult(shown);
        },
      };
    },
    onSubscribe({ args }) {
      const present = presenter(args.contextValue.requestId);
      return {
        onSubscribeResult({ result, setResult }) {
          if (!isIterable(result)) return setResult(present(result));
          setResult(
            mapIterable(result, {
              map: present,
              onError: (error) => present({ errors: [error as GraphQLError] }),
              onEnd: metrics.subscriptionOpened(),
            }),
          );
        },
      };
    },
    // Errors before execution (syntax, validation, parameters) only reach this hook.
    onResultProcess({ result, setResult, serverContext }) {
      if (Array.isArray(result) || isIterable<object>(result)) return;
      const shown = presenter(serverContext.requestId)(result as Result);
      if (shown.data === undefined) shown.errors?.forEach(refuseRequest);
      setResult(shown);
    },
  };
}

/**
 * An answer without data is a refused request, such as one with a wrong variable: its status is 400
 * for clients that take application/graphql-response+json, as the specification says.
 */
function refuseRequest({ extensions }: GraphQLError): void {
  extensions['http'] ??= { status: 400, spec: true };
}

const isIterable = <One>(result: One | AsyncIterable<One>): result is AsyncIterable<One> =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
