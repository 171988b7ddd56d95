import { type Active, activePath } from './active.ts';
import { type Block, type Chunk, type Conversation, plainText } from './conversation.ts';

export interface ViewOptions {
  /** Default `show`. */
  readonly reasoning?: 'show' | 'hide';
  /** `collapse` shows adjacent calls as one line of names; default `show`. */
  readonly toolCalls?: 'show' | 'collapse' | 'hide';
  /** Default `nest`: runs started by a call are its children. */
  readonly subagents?: 'nest' | 'hide';
}

export interface ViewToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Absent until the call has a result. */
  readonly output?: unknown;
  readonly status: 'running' | 'waiting' | 'done';
  /** Latest progress reported by the call. */
  readonly progress?: unknown;
  /** Runs started by the call. */
  readonly children?: readonly ViewNode[];
}

/** A part of a message, in order of arrival. */
export type ViewBlock =
  | { readonly kind: 'text' | 'reasoning'; readonly id: string; readonly text: string }
  | { readonly kind: 'tool_call'; readonly id: string; readonly call: ViewToolCall }
  | {
      readonly kind: 'tool_result';
      readonly id: string;
      readonly name: string;
      readonly output: unknown;
    }
  | {
      readonly kind: 'tool_calls';
      readonly id: string;
      readonly names: readonly string[];
      readonly running: number;
    }
  | { readonly kind: 'error'; readonly id: string; readonly message: string };

/** One message on screen, or one run below a tool call. */
export interface ViewNode {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly ViewToolCall[];
  readonly blocks: readonly ViewBlock[];
  readonly children?: readonly ViewNode[];
  readonly status: Block['status'];
  readonly usage: Block['usage'];
  /** Position among the versions of its turn; absent below a tool call. */
  readonly versions?: { readonly ids: readonly string[]; readonly index: number };
}

/** The messages of the active path in order, ready to render (S1-PROJ-01, S1-HYPER-03). */
export function projectThread(
  conversation: Conversation,
  active: Active,
  options: ViewOptions = {},
): ViewNode[] {
  const below = blocksByCall(conversation);
  return activePath(conversation, active).flatMap((id) => {
    const message = conversation.messages.get(id);
    const block = conversation.blocks.get(id);
    if (message === undefined || block === undefined) return [];
    const ids = conversation.replies.get(message.parentId) ?? [id];
    const view = viewOf(conversation, block, message.role, below, options);
    return [{ ...view, versions: { ids, index: ids.indexOf(id) } }];
  });
}

/** Runs by the chunk that started them. */
function blocksByCall({ blocks }: Conversation): Map<string, Block[]> {
  const below = new Map<string, Block[]>();
  for (const block of blocks.values()) {
    if (block.parentChunkId === null) continue;
    const list = below.get(block.parentChunkId) ?? [];
    list.push(block);
    below.set(block.parentChunkId, list);
  }
  return below;
}

function viewOf(
  conversation: Conversation,
  block: Block,
  role: ViewNode['role'],
  below: ReadonlyMap<string, readonly Block[]>,
  options: ViewOptions,
): ViewNode {
  const chunks = block.chunkIds.flatMap((id) => conversation.chunks.get(id) ?? []);
  const nested = (callId: string): ViewNode[] =>
    options.subagents === 'hide'
      ? []
      : (below.get(callId) ?? []).map((inner) =>
          viewOf(conversation, inner, 'assistant', below, options),
        );
  const calls =
    options.toolCalls === 'hide' ? new Map<string, ViewToolCall>() : callsOf(chunks, nested);
  const reasoning = options.reasoning === 'hide' ? '' : textOf(chunks, 'reasoning');
  const shown = [...calls.values()];
  const children = shown.flatMap((call) => call.children ?? []);
  return {
    id: block.id,
    role,
    text: textOf(chunks, 'text'),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(shown.length === 0 || options.toolCalls === 'collapse' ? {} : { toolCalls: shown }),
    blocks: viewBlocks(chunks, calls, options),
    ...(children.length === 0 ? {} : { children }),
    status: block.status,
    usage: block.usage,
  };
}

function textOf(chunks: readonly Chunk[], kind: 'text' | 'reasoning'): string {
  return chunks
    .map((chunk) =>
      chunk.kind === kind
        ? chunk.content
        : chunk.kind === 'user' && kind === 'text'
          ? plainText(chunk.content)
          : '',
    )
    .join('');
}

/** Calls with their results, which may follow at any distance. */
function callsOf(
  chunks: readonly Chunk[],
  nested: (callId: string) => ViewNode[],
): Map<string, ViewToolCall> {
  const calls = new Map<string, ViewToolCall>();
  for (const chunk of chunks) {
    if (chunk.kind === 'tool_call') {
      const children = nested(chunk.id);
      const { id, name, input } = chunk;
      calls.set(id, {
        id,
        name,
        input,
        status: 'running',
        ...(children.length > 0 ? { children } : {}),
      });
      continue;
    }
    const id =
      chunk.kind === 'tool_result'
        ? callIdOf(chunk)
        : 'toolCallId' in chunk
          ? chunk.toolCallId
          : '';
    const call = calls.get(id);
    if (call === undefined) continue;
    if (chunk.kind === 'tool_result')
      calls.set(id, { ...call, output: chunk.output, status: 'done' });
    if (chunk.kind === 'tool_progress') calls.set(id, { ...call, progress: chunk.content });
    if (chunk.kind === 'relay' && call.status === 'running')
      calls.set(id, { ...call, status: 'waiting' });
  }
  return calls;
}

/** The id of a result is the id of its call with a suffix (S1-ID-02). */
export function callIdOf({ id }: { readonly id: string }): string {
  return id.replace(/:result$/, '');
}

function viewBlocks(
  chunks: readonly Chunk[],
  calls: ReadonlyMap<string, ViewToolCall>,
  { reasoning, toolCalls }: ViewOptions,
): ViewBlock[] {
  const blocks: ViewBlock[] = [];
  for (const chunk of chunks) {
    const { id } = chunk;
    if (chunk.kind === 'text') blocks.push({ kind: 'text', id, text: chunk.content });
    else if (chunk.kind === 'user')
      blocks.push({ kind: 'text', id, text: plainText(chunk.content) });
    else if (chunk.kind === 'reasoning' && reasoning !== 'hide') {
      blocks.push({ kind: 'reasoning', id, text: chunk.content });
    } else if (chunk.kind === 'error') blocks.push({ kind: 'error', id, message: chunk.message });
    else if (chunk.kind === 'tool_call') {
      const call = calls.get(id);
      if (call === undefined) continue;
      if (toolCalls === 'collapse') collapseInto(blocks, call);
      else blocks.push({ kind: 'tool_call', id, call });
    } else if (chunk.kind === 'tool_result' && toolCalls !== 'hide' && toolCalls !== 'collapse') {
      blocks.push({ kind: 'tool_result', id, name: chunk.name, output: chunk.output });
    }
  }
  return blocks;
}

function collapseInto(blocks: ViewBlock[], { id, name, status }: ViewToolCall): void {
  const last = blocks.at(-1);
  const running = status === 'done' ? 0 : 1;
  if (last?.kind === 'tool_calls') {
    blocks[blocks.length - 1] = {
      ...last,
      names: [...last.names, name],
      running: last.running + running,
    };
  } else blocks.push({ kind: 'tool_calls', id, names: [name], running });
}
