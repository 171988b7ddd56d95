import { isRecord } from './context-schema.ts';

/** An error message as a sentence, and the answer of a service that stood in it. */
export interface ErrorWords {
  readonly words: string;
  /** The rest of the message, to show on demand; null where the words are all of it. */
  readonly body: string | null;
}

/** Longer sentences are cut; the whole message is the body then. */
const WORDS_MAX = 240;
/** Fields of an answer that say what is wrong, the most usual first. */
const FIELDS = ['message', 'detail', 'error_description', 'title', 'reason', 'error'];

/** Takes the sentence out of a message that ends in the body of an answer, such as JSON. */
export function errorWords(message: string): ErrorWords {
  const at = message.search(/:\s*[{[]/);
  if (at >= 0) {
    const body = message.slice(at + 1).trim();
    const said = saidIn(body);
    if (said !== null) return { words: cut(`${message.slice(0, at)}: ${said}`), body };
  }
  const html = /:\s*<(?:!doctype|html)/i.exec(message);
  if (html !== null)
    return {
      words: cut(`${message.slice(0, html.index)}, with a page in place of an answer.`),
      body: message.slice(html.index + 1).trim(),
    };
  return message.length <= WORDS_MAX
    ? { words: message, body: null }
    : { words: cut(message), body: message };
}

function cut(text: string): string {
  return text.length <= WORDS_MAX ? text : `${text.slice(0, WORDS_MAX).toWellFormed()}…`;
}

function saidIn(body: string): string | null {
  try {
    return saidBy(JSON.parse(body));
  } catch {
    // A body that was cut short still has its first words.
    const found = /"(?:message|detail|title|error)"\s*:\s*"((?:\\.|[^"\\])*)"/.exec(body)?.[1];
    if (found === undefined) return null;
    try {
      return JSON.parse(`"${found}"`);
    } catch {
      return found;
    }
  }
}

function saidBy(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  if (Array.isArray(value)) return value.length === 0 ? null : saidBy(value[0]);
  if (!isRecord(value)) return null;
  for (const field of FIELDS) {
    const said = Object.hasOwn(value, field) ? saidBy(value[field]) : null;
    if (said !== null) return said;
  }
  return Array.isArray(value['errors']) ? saidBy(value['errors']) : null;
}
