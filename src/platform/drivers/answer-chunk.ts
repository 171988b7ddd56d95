import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';

/**
 * A chunk of an answer with only the fields that the SDK reads, each in the type that it reads. The
 * SDK refuses the whole answer where one field has another type, also fields that no one needs.
 */
export function evenChunk({ choices, usage }: JsonObject): JsonObject {
  return {
    choices: Array.isArray(choices) ? choices.filter(isJsonObject).map(evenChoice) : [],
    ...(isJsonObject(usage) ? { usage: evenUsage(usage) } : {}),
  };
}

function evenUsage({ prompt_tokens, completion_tokens }: JsonObject): JsonObject {
  return { prompt_tokens: toCount(prompt_tokens), completion_tokens: toCount(completion_tokens) };
}

function toCount(given: Json | undefined): number | null {
  const count = Number(given ?? Number.NaN);
  return Number.isFinite(count) && count >= 0 ? count : null;
}

function evenChoice(choice: JsonObject): JsonObject {
  const { delta, message, text } = choice;
  const isWhole = !isJsonObject(delta) && isJsonObject(message);
  // A server for completions without a chat has `text`.
  const said = isJsonObject(delta) ? delta : isJsonObject(message) ? message : { content: text };
  return { delta: evenDelta(said, isWhole), finish_reason: toReason(choice['finish_reason']) };
}

/** SGLang writes Python's None as a text. */
function toReason(given: Json | undefined): string | null {
  const reason = isJsonObject(given) ? given['type'] : given;
  return typeof reason === 'string' && !/^(?:none|null|)$/i.test(reason) ? reason : null;
}

interface Said {
  readonly content?: Json | undefined;
  readonly [field: string]: Json | undefined;
}

function evenDelta(said: Said, isWhole: boolean): JsonObject {
  const parts = partsOf(said.content);
  const even: JsonObject = {};
  const [field = 'reasoning', thought = ''] = thoughtOf(said) ?? [];
  const reasoning = thought + textOf(parts, 'reasoning');
  if (reasoning !== '') even[field] = reasoning;
  if (parts !== null) even['content'] = textOf(parts, 'text');
  if (typeof said['refusal'] === 'string') even['refusal'] = said['refusal'];
  const calls = callsOf(said).map((call, index) => evenCall(call, isWhole ? index : null));
  if (calls.length > 0) even['tool_calls'] = calls;
  return even;
}

interface Part {
  readonly kind: 'text' | 'reasoning';
  readonly text: string;
}

/** Content is a text, a part, or a list of both; null where there is none. */
function partsOf(content: Json | undefined): Part[] | null {
  if (content === undefined || content === null) return null;
  return (Array.isArray(content) ? content : [content]).flatMap((part): Part[] => {
    if (typeof part === 'string') return [{ kind: 'text', text: part }];
    if (!isJsonObject(part)) return [];
    const { type, text } = part;
    if (type === 'thinking' || type === 'reasoning') {
      const thought = partsOf(part['thinking'] ?? text) ?? [];
      return thought.map((inner) => ({ kind: 'reasoning', text: inner.text }));
    }
    return typeof text === 'string' ? [{ kind: 'text', text }] : [];
  });
}

const textOf = (parts: readonly Part[] | null, kind: Part['kind']): string =>
  (parts ?? []).flatMap((part) => (part.kind === kind ? [part.text] : [])).join('');

/** The thought and its field; servers that send it in several fields send the same text. */
function thoughtOf(said: Said): ['reasoning_content' | 'reasoning', string] | null {
  const { reasoning_content: thought } = said;
  if (typeof thought === 'string' && thought !== '') return ['reasoning_content', thought];
  const others = [
    said['reasoning'],
    said['reasoning_text'],
    said['thinking'],
    said['reasoning_details'],
  ];
  for (const other of others) {
    const text = thoughtText(other);
    if (text !== '') return ['reasoning', text];
  }
  return null;
}

function thoughtText(given: Json | undefined): string {
  if (typeof given === 'string') return given;
  if (Array.isArray(given)) return given.map(thoughtText).join('');
  if (!isJsonObject(given)) return '';
  return thoughtText(given['text'] ?? given['content'] ?? given['summary']);
}

/** One call may come without its list, none as an empty object, and one in the older field. */
function callsOf(said: Said): JsonObject[] {
  const given = said['tool_calls'];
  const older = said['function_call'];
  if (Array.isArray(given)) return given.filter(isJsonObject);
  if (isJsonObject(given)) return 'function' in given ? [given] : [];
  if (!isJsonObject(older)) return [];
  // Some servers send the older field without a call beside a text.
  const isCall = [older['name'], older['arguments']].some((one) => (one ?? '') !== '');
  return isCall ? [{ index: 0, function: older }] : [];
}

/** `place` is the index of the call in a whole answer; null in a stream. */
function evenCall(call: JsonObject, place: number | null): JsonObject {
  const index = toCount(call['index']) ?? place;
  const { id } = call;
  // Some servers leave out the object `function` around both.
  const { name, arguments: given } = isJsonObject(call['function']) ? call['function'] : call;
  const signature = signatureOf(call);
  return {
    ...(index === null ? {} : { index }),
    ...(typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {}),
    function: {
      ...(typeof name === 'string' ? { name } : {}),
      ...(given === undefined || given === null
        ? place === null
          ? {}
          : { arguments: '' }
        : { arguments: typeof given === 'string' ? given : JSON.stringify(given) }),
    },
    ...(signature === null ? {} : { extra_content: { google: { thought_signature: signature } } }),
  };
}

function signatureOf({ extra_content: extra }: JsonObject): string | null {
  const google = isJsonObject(extra) ? extra['google'] : null;
  const signature = isJsonObject(google) ? google['thought_signature'] : null;
  return typeof signature === 'string' ? signature : null;
}
