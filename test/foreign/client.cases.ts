import type { ForeignCase } from './foreign-case.ts';

// Requests as clients of OpenAI's API, of GraphQL and of browsers send them.

type Said = readonly [role: string, content: string];
/** The messages that a Process gets, or the parameter that is refused. */
export type ReadBody = { readonly messages: readonly Said[] } | { readonly refused: string };

const hello = { role: 'user', content: 'Hello?' };
const body = (more: object) => ({ model: 'chat', messages: [hello], ...more });
const said = (...messages: object[]) => body({ messages });

/** Bodies of chat completions. */
export const BODIES: readonly ForeignCase<unknown, ReadBody>[] = [
  {
    title: 'an empty answer in the history is left out',
    source: 'vllm-project/vllm#21089',
    input: said({ role: 'user', content: 'A' }, { role: 'assistant', content: '' }, hello),
    right: {
      messages: [
        ['user', 'A'],
        ['user', 'Hello?'],
      ],
    },
  },
  {
    title: 'an answer of null without calls is left out',
    source: 'tashfeenahmed/freellmapi#165',
    input: said({ role: 'user', content: 'A' }, { role: 'assistant', content: null }, hello),
    right: {
      messages: [
        ['user', 'A'],
        ['user', 'Hello?'],
      ],
    },
  },
  {
    title: 'an answer without the field content is left out',
    source: 'defilantech/LLMKube#935',
    input: said({ role: 'user', content: 'A' }, { role: 'assistant' }, hello),
    right: {
      messages: [
        ['user', 'A'],
        ['user', 'Hello?'],
      ],
    },
  },
  {
    title: 'an answer of no parts is left out',
    source: 'tidyverse/ellmer#709',
    input: said({ role: 'user', content: 'A' }, { role: 'assistant', content: [] }, hello),
    right: {
      messages: [
        ['user', 'A'],
        ['user', 'Hello?'],
      ],
    },
  },
  {
    title: 'the calls of a tool in the history are refused at their message',
    source: 'open-webui/open-webui#12441',
    input: said(
      hello,
      { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function' }] },
      hello,
    ),
    right: { refused: 'messages.1.role' },
  },
  {
    title: 'parts of the type text are one text',
    source: 'ggml-org/llama.cpp#8367',
    input: said({
      role: 'user',
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    }),
    right: { messages: [['user', 'one\ntwo']] },
  },
  {
    title: 'parts are taken in system messages too',
    source: 'qualcomm/GenieX#683',
    input: said({ role: 'system', content: [{ type: 'text', text: 'Be brief.' }] }, hello),
    right: {
      messages: [
        ['system', 'Be brief.'],
        ['user', 'Hello?'],
      ],
    },
  },
  {
    title: 'a developer is the system',
    source: 'ayunis-core/ayunis-core#719',
    input: said({ role: 'developer', content: 'Be brief.' }, hello),
    right: {
      messages: [
        ['system', 'Be brief.'],
        ['user', 'Hello?'],
      ],
    },
  },
  {
    title: 'an image is refused, not left out',
    source: 'tashfeenahmed/freellmapi#75',
    input: said({
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      ],
    }),
    right: { refused: 'messages.0.content' },
  },
  {
    title: 'an empty message of a user',
    source: 'anthropics/claude-code#6774',
    input: said({ role: 'user', content: '' }),
    right: { refused: 'messages.0.content' },
  },
  {
    title: 'a message of blanks',
    source: 'own',
    input: said({ role: 'user', content: ' \n\t' }),
    right: { refused: 'messages.0.content' },
  },
  {
    title: 'a message of null',
    source: 'own',
    input: said({ role: 'user', content: null }),
    right: { refused: 'messages.0.content' },
  },
  {
    title: 'a message of empty parts',
    source: 'own',
    input: said({ role: 'user', content: [{ type: 'text', text: '' }] }),
    right: { refused: 'messages.0.content' },
  },
  {
    title: 'an empty message in the middle of the talk',
    source: 'anthropics/claude-code#4416',
    input: said(
      hello,
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: '' },
      hello,
    ),
    right: { refused: 'messages.2.content' },
  },
  {
    title: 'a number as content',
    source: 'own',
    input: said({ role: 'user', content: 5 }),
    right: { refused: 'messages.0.content' },
  },
  {
    title: 'a conversation that is no text',
    source: 'own',
    input: body({ metadata: { conversation: 5 } }),
    right: { refused: 'metadata.conversation' },
  },
  {
    title: 'a conversation that is an object',
    source: 'own',
    input: body({ metadata: { conversation: { id: 'c' } } }),
    right: { refused: 'metadata.conversation' },
  },
  {
    title: 'an empty conversation',
    source: 'own',
    input: body({ metadata: { conversation: '' } }),
    right: { refused: 'metadata.conversation' },
  },
  {
    title: 'metadata as a text',
    source: 'own',
    input: body({ metadata: 'conversation' }),
    right: { refused: 'metadata' },
  },
  {
    title: 'metadata as a list',
    source: 'own',
    input: body({ metadata: [] }),
    right: { refused: 'metadata' },
  },
  {
    title: 'tool events that are neither shown nor hidden',
    source: 'own',
    input: body({ metadata: { tool_events: true } }),
    right: { refused: 'metadata.tool_events' },
  },
  {
    title: 'metadata of null, and keys of the caller',
    source: 'own',
    input: body({ metadata: { conversation: null, chat_id: 7 } }),
    right: { messages: [['user', 'Hello?']] },
  },
  {
    title: 'a stream as a text',
    source: 'own',
    input: body({ stream: 'true' }),
    right: { refused: 'stream' },
  },
  {
    title: 'a body that is a list',
    source: 'own',
    input: [],
    right: { refused: '' },
  },
];

/** Headers of a page of an allowed origin, which its preflight asks for. */
export const PREFLIGHTS: readonly ForeignCase<string, 'allowed'>[] = [
  {
    title: 'the version of an Apollo client',
    source: 'apollographql/apollo-client#4164',
    input: 'apollographql-client-version,content-type',
    right: 'allowed',
  },
  {
    title: 'the name of an Apollo client',
    source: 'apollographql/router#127',
    input: 'apollographql-client-name, content-type',
    right: 'allowed',
  },
  {
    title: 'both, with a token',
    source: 'apollographql/apollo-server#3058',
    input: 'apollographql-client-name,apollographql-client-version,authorization,content-type',
    right: 'allowed',
  },
  {
    title: 'the operation of Apollo Kotlin',
    source: 'apollographql/apollo-kotlin#4574',
    input: 'x-apollo-operation-id,x-apollo-operation-name',
    right: 'allowed',
  },
  {
    title: 'a required preflight',
    source: 'jaydenseric/apollo-upload-client#310',
    input: 'Apollo-Require-Preflight, GraphQL-Preflight',
    right: 'allowed',
  },
  {
    title: 'the trace context of a browser',
    source: 'whatwg/fetch#911',
    input: 'traceparent,tracestate',
    right: 'allowed',
  },
  {
    title: 'baggage and the header of a vendor',
    source: 'getsentry/sentry-javascript#6077',
    input: 'baggage,sentry-trace',
    right: 'allowed',
  },
  {
    title: 'a key of idempotency',
    source: 'own',
    input: 'idempotency-key',
    right: 'allowed',
  },
  {
    title: 'a header of the application',
    source: 'apollographql/apollo-client#6564',
    input: 'x-custom-header',
    right: 'allowed',
  },
];

/** An Origin in dev, and what the refusal offers. */
export const DEV_ORIGINS: readonly ForeignCase<string, 'a setting' | 'nothing'>[] = [
  {
    title: 'Vite behind a proxy keeps the Origin of the browser',
    source: 'vitejs/vite#16558',
    input: 'http://localhost:5173',
    right: 'a setting',
  },
  {
    title: 'a dev server that proxies POST requests',
    source: 'react/create-react-app#1212',
    input: 'http://127.0.0.1:3000',
    right: 'a setting',
  },
  {
    title: 'a dev server over TLS',
    source: 'vitejs/vite#3649',
    input: 'https://localhost:8089',
    right: 'a setting',
  },
  { title: 'another site', source: 'own', input: 'https://evil.example', right: 'nothing' },
  {
    title: 'a site that looks like loopback',
    source: 'own',
    input: 'http://localhost.evil.example:5173',
    right: 'nothing',
  },
  { title: 'a file', source: 'own', input: 'null', right: 'nothing' },
];

const UUID = 'ef305a60-1f0c-7d1a-9c55-0f2b6f0a3c11';

interface Asked {
  readonly root: 'query' | 'mutation';
  readonly field: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Ids as client caches keep them, and the arguments that a resolver gets, or the refused path. */
export const NODE_IDS: readonly ForeignCase<Asked, object>[] = [
  {
    title: 'Node ids of relations in the input of a mutation',
    source: 'nuwave/lighthouse#236',
    input: {
      root: 'mutation',
      field: 'mergeEntities',
      args: { input: { keepUuid: `Entity:${UUID}`, mergeUuid: 'other' } },
    },
    right: { input: { keepUuid: UUID, mergeUuid: 'other' } },
  },
  {
    title: 'the Node id of what a mutation deletes',
    source: 'graphql-python/graphene#908',
    input: {
      root: 'mutation',
      field: 'forgetFact',
      args: { input: { uuid: `Fact:${UUID}` } },
    },
    right: { input: { uuid: UUID } },
  },
  {
    title: 'two Node ids in one input, as Relay sends them',
    source: 'rmosolgo/graphql-ruby#507',
    input: {
      root: 'mutation',
      field: 'setActiveEntity',
      args: { input: { conversationId: 'c', entityUuid: `Entity:${UUID}` } },
    },
    right: { input: { conversationId: 'c', entityUuid: UUID } },
  },
  {
    title: 'a Node id in the filter of a list',
    source: 'neo4j/graphql#1560',
    input: {
      root: 'query',
      field: 'search',
      args: { input: { query: 'x', centerEntityUuid: `Entity:${UUID}` } },
    },
    right: { input: { query: 'x', centerEntityUuid: UUID } },
  },
  {
    title: 'a type that does not exist is no type',
    source: 'absinthe-graphql/absinthe_relay#145',
    input: { root: 'query', field: 'entity', args: { uuid: `a:${UUID}` } },
    right: { uuid: `a:${UUID}` },
  },
  {
    title: 'a type of the schema that is no Node',
    source: 'g18e/ariadne-relay#6',
    input: { root: 'query', field: 'entity', args: { uuid: `UserError:${UUID}` } },
    right: { uuid: `UserError:${UUID}` },
  },
  {
    title: 'a name that each object of JavaScript has',
    source: 'own',
    input: { root: 'query', field: 'entity', args: { uuid: 'constructor:x' } },
    right: { uuid: 'constructor:x' },
  },
  {
    title: 'an id of another type in a mutation is refused, not null',
    source: 'graphile/crystal-pre-merge#404',
    input: {
      root: 'mutation',
      field: 'forgetEntity',
      args: { input: { uuid: `Fact:${UUID}` } },
    },
    right: { refused: ['input', 'uuid'] },
  },
  {
    title: 'an id of another type in a list',
    source: 'own',
    input: {
      root: 'query',
      field: 'exportBundle',
      args: { processIds: ['p', `Episode:${UUID}`] },
    },
    right: { refused: ['processIds', '1'] },
  },
];
