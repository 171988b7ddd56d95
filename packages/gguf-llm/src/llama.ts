import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { ApiError } from '../../local-llm/src/api-error.ts';
import { checkGguf } from './gguf-file.ts';
import { type GrammarSchema, grammarSchemaOf } from './grammar-schema.ts';
import type { ChatEnd, ChatJob, ChatModel, EmbeddingModel } from './model.ts';
import { runtimeEntry } from './runtime.ts';

// The part of node-llama-cpp's API that is used here. The package is not installed with Aiden, so
// its own types are not there.

interface LlamaModule {
  getLlama(options: object): Promise<Llama>;
  readonly LlamaChat: new (options: object) => LlamaChat;
}
interface Llama {
  loadModel(options: object): Promise<LlamaModel>;
  createGrammarForJsonSchema(schema: GrammarSchema): Promise<object>;
}
interface LlamaModel {
  readonly trainContextSize: number;
  readonly embeddingVectorSize: number;
  readonly fileInfo: { readonly metadata: { readonly tokenizer?: { chat_template?: unknown } } };
  readonly tokenizer: object;
  tokenize(text: string): readonly number[];
  createContext(options: object): Promise<{ readonly contextSize: number; getSequence(): object }>;
  createEmbeddingContext(options: object): Promise<LlamaEmbeddingContext>;
}
interface LlamaEmbeddingContext {
  getEmbeddingFor(text: string): Promise<{ readonly vector: readonly number[] }>;
}
type HistoryItem =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly string[] };
interface Chunk {
  readonly type: 'segment' | undefined;
  readonly text: string;
  readonly tokens: readonly number[];
}
interface LlamaChat {
  readonly chatWrapper: {
    generateContextState(options: { chatHistory: readonly HistoryItem[] }): {
      readonly contextText: { tokenize(tokenizer: object): readonly number[] };
    };
  };
  generateResponse(
    history: readonly HistoryItem[],
    options: object,
  ): Promise<{ readonly metadata: { readonly stopReason: string } }>;
}

export interface LlamaSettings {
  /** CPU threads; 0 = one less than the machine has cores, at least 1. */
  readonly threads: number;
  /** Maximum tokens of a request with its answer; less if the model was trained on less. */
  readonly contextTokens: number;
}

/** llama.cpp, loaded into this process. */
export interface LlamaRuntime {
  /** @throws Error that names the file and its fault */
  openChatModel(path: string, name: string): Promise<ChatModel>;
  /** @throws Error that names the file and its fault */
  openEmbeddingModel(path: string, name: string): Promise<EmbeddingModel>;
}

/** @param folder of installRuntime */
export async function openLlama(folder: string, given: LlamaSettings): Promise<LlamaRuntime> {
  // llama.cpp's threads wait for each other by spinning: where other processes need a core, one
  // thread too many makes an answer several times slower (bench/notes.md).
  const threads = given.threads > 0 ? given.threads : Math.max(1, availableParallelism() - 1);
  const settings = { ...given, threads };
  // The one place where the installed package meets the types above.
  const module = (await import(pathToFileURL(runtimeEntry(folder)).href)) as LlamaModule;
  const llama = await module.getLlama({
    gpu: process.platform === 'darwin' ? 'auto' : false,
    build: 'never',
    skipDownload: true,
    maxThreads: settings.threads,
    logLevel: 'error',
  });
  const load = async (path: string): Promise<LlamaModel> => {
    await checkGguf(path);
    try {
      return await llama.loadModel({ modelPath: path });
    } catch (error) {
      throw new Error(`${path} can not be loaded: ${messageOf(error)}`);
    }
  };
  return {
    async openChatModel(path, name) {
      const model = await load(path);
      const contextSize = Math.min(settings.contextTokens, model.trainContextSize);
      const context = await model
        .createContext({ contextSize, sequences: 1, threads: settings.threads })
        .catch((error: unknown) => {
          throw new Error(
            `${path} can not be used for chat with a context of ${contextSize} tokens: ` +
              `${messageOf(error)} Set a smaller AIDEN_LLM_CONTEXT, or use an embedding model ` +
              'with --embeddings.',
          );
        });
      const chat = new module.LlamaChat({ contextSequence: context.getSequence() });
      return new LlamaChatModel({ llama, model, chat, name, contextTokens: contextSize });
    },
    async openEmbeddingModel(path, name) {
      const model = await load(path);
      const contextTokens = Math.min(settings.contextTokens, model.trainContextSize);
      const context = await model.createEmbeddingContext({
        contextSize: contextTokens,
        // The whole of a text in one batch, as embedding models need it.
        batchSize: contextTokens,
        threads: settings.threads,
      });
      return {
        name,
        dimensions: model.embeddingVectorSize,
        async embed(text) {
          const tokens = model.tokenize(text).length;
          if (tokens > contextTokens - SPECIAL_TOKENS)
            throw tooLong(`A text has ${tokens} tokens`, contextTokens, 'input');
          const { vector } = await context.getEmbeddingFor(text);
          return { vector: unit(vector), tokens };
        },
      };
    },
  };
}

/** Tokens that the model adds around a text. */
const SPECIAL_TOKENS = 8;
/** Least tokens that have to be free for an answer. */
const ANSWER_TOKENS_MIN = 32;
/** A small model may repeat itself without end. */
const ANSWER_TOKENS_MAX = 2_048;
const DEFAULT_TEMPERATURE = 0.6;

class LlamaChatModel implements ChatModel {
  readonly name: string;
  readonly contextTokens: number;
  readonly #llama: Llama;
  readonly #model: LlamaModel;
  readonly #chat: LlamaChat;
  /** Grammars by schema text; making one takes longer than many answers. */
  readonly #grammars = new Map<string, Promise<object>>();

  constructor(parts: {
    llama: Llama;
    model: LlamaModel;
    chat: LlamaChat;
    name: string;
    contextTokens: number;
  }) {
    this.#llama = parts.llama;
    this.#model = parts.model;
    this.#chat = parts.chat;
    this.name = parts.name;
    this.contextTokens = parts.contextTokens;
  }

  async chat(job: ChatJob): Promise<ChatEnd> {
    const history = historyOf(job.messages);
    const promptTokens = this.#chat.chatWrapper
      .generateContextState({ chatHistory: history })
      .contextText.tokenize(this.#model.tokenizer).length;
    const free = this.contextTokens - promptTokens;
    if (free < ANSWER_TOKENS_MIN)
      throw tooLong(`The messages have ${promptTokens} tokens`, this.contextTokens, 'messages');
    let completionTokens = 0;
    const grammar = job.schema === null ? undefined : await this.#grammarOf(job.schema);
    const { metadata } = await this.#chat.generateResponse(history, {
      grammar,
      maxTokens: Math.min(job.maxTokens ?? ANSWER_TOKENS_MAX, free),
      temperature: job.temperature ?? (grammar === undefined ? DEFAULT_TEMPERATURE : 0),
      ...(job.topP === null ? {} : { topP: job.topP }),
      ...(job.seed === null ? {} : { seed: job.seed }),
      customStopTriggers: job.stop,
      signal: job.signal,
      onResponseChunk: ({ type, text, tokens }: Chunk) => {
        completionTokens += tokens.length;
        if (text === '') return;
        if (type === 'segment') job.onReasoning(text);
        else job.onText(text);
      },
    });
    const finishReason = metadata.stopReason === 'maxTokens' ? 'length' : 'stop';
    return { finishReason, promptTokens, completionTokens };
  }

  #grammarOf(schema: object): Promise<object> {
    const key = JSON.stringify(schema);
    const known = this.#grammars.get(key);
    if (known !== undefined) return known;
    const made = this.#llama
      .createGrammarForJsonSchema(grammarSchemaOf(schema))
      .catch((error: unknown) => {
        this.#grammars.delete(key);
        throw new ApiError(
          400,
          'unsupported_schema',
          `No grammar can be made of this schema: ${messageOf(error)}`,
          'response_format',
        );
      });
    if (this.#grammars.size >= GRAMMARS_MAX) this.#grammars.clear();
    this.#grammars.set(key, made);
    return made;
  }
}

const GRAMMARS_MAX = 200;

function historyOf(messages: ChatJob['messages']): HistoryItem[] {
  const items = messages.map(
    ({ role, content }): HistoryItem =>
      role === 'assistant' ? { type: 'model', response: [content] } : { type: role, text: content },
  );
  // The model writes on in the last item.
  return [...items, { type: 'model', response: [] }];
}

function tooLong(what: string, contextTokens: number, param: string): ApiError {
  return new ApiError(
    400,
    'context_length_exceeded',
    `${what}; the context has ${contextTokens}. AIDEN_LLM_CONTEXT sets it.`,
    param,
  );
}

function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? [...vector] : vector.map((component) => component / length);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
