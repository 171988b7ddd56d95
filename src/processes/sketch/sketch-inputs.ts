import { entryOf } from '../../common/entry-of.ts';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { variableNameFault } from '../../expressions/names.ts';
import { stemOf } from '../../text/stem.ts';
import { plainOf } from './plain.ts';

/** A value that a step may take: `step.feed` or `item`, with the schema of it. */
export interface Value {
  readonly path: string;
  readonly schema: JsonObject;
}

interface Note {
  readonly words: string;
  readonly text: string;
}

/** The inputs of one step, as far as its clause and the step before it give them. */
export interface SketchedInputs {
  readonly inputs: JsonObject;
  /** Variables that a run has to be given for it. */
  readonly context: readonly string[];
  readonly notes: readonly Note[];
  /** Inputs that the sentence does not give. */
  readonly open: readonly Note[];
}

const URL_IN = /https?:\/\/[^\s"'<>“”„«»]+/;
const MAIL_IN = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/;
const QUOTED = /"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»/;
const ZONE_IN = /\b(?:UTC|[A-Z][a-z]+\/[A-Z][A-Za-z_]+)\b/;
/** A name behind a word that is not the first: "in Berlin", "für Nora Lind". */
const NAME_IN = /(?<=\S\s)(?:\p{Lu}[\p{L}'-]+)(?:\s\p{Lu}[\p{L}'-]+)*/gu;

const IS_ADDRESS = /(?:^|_)(?:ur[il]|link|href|address|endpoint|feed)$/i;
const IS_MAIL = /mail|recipient|^to$/i;
const IS_ZONE = /time_?zone|^tz$/i;
const IS_PLACE = /city|town|place|location|country|person|^name$|^who$/i;
/** The main text of an input or of an output. */
const IS_TEXT = /^(?:text|content|message|body|summary|answer|input|prompt|paragraph)$/i;

/**
 * Fills inputs from the words of a clause: addresses, quoted texts, numbers, names. The first
 * required text takes the output of the step before; in the first step a run is given it.
 * @param before null: it is the first step
 * @param known variables that runs are given already
 */
export function inputsOf(
  words: string,
  schema: JsonObject,
  before: Value | null,
  known: readonly string[],
): SketchedInputs {
  const declared = entryOf(schema, 'properties');
  // Quoted words are a title or a question before they are the text itself.
  const properties = (isJsonObject(declared) ? Object.entries(declared) : []).sort(
    ([a], [b]) => Number(IS_TEXT.test(a)) - Number(IS_TEXT.test(b)),
  );
  const listed = entryOf(schema, 'required');
  const required = new Set(Array.isArray(listed) ? listed.map(String) : []);
  const inputs: Record<string, Json> = {};
  const context: string[] = [];
  const notes: Note[] = [];
  const open: Note[] = [];
  const literals = new Literals(words);
  const unfilled: (readonly [string, JsonObject])[] = [];
  for (const [name, property] of properties) {
    const one = isJsonObject(property) ? property : {};
    const isNeeded = required.has(name) && entryOf(one, 'default') === undefined;
    const literal = literals.of(name, one, isNeeded);
    if (literal !== null) {
      inputs[name] = literal;
      notes.push({ words: String(literal), text: `Its input ${name}.` });
    } else if (isNeeded) unfilled.push([name, one]);
  }
  const main = unfilled.find(([name]) => IS_TEXT.test(name)) ?? unfilled[0];
  for (const [name, one] of unfilled) {
    const value =
      name !== main?.[0] ? null : before === null ? fromRun(name) : fromStep(name, one, before);
    if (value === null) {
      open.push({ words, text: `Its input ${name} is not said. Fill it in.` });
      continue;
    }
    inputs[name] = value;
    if (before !== null) continue;
    if (!known.includes(name)) context.push(name);
    notes.push({ words, text: `Each run is given ${name}.` });
  }
  return { inputs, context, notes, open };
}

const fromRun = (name: string): string | null =>
  variableNameFault(name) === null ? `{context.${name}}` : null;

/** The output of the step before, or its main part; an object as a text, where a text is needed. */
function fromStep(name: string, input: JsonObject, before: Value): string | null {
  const path = pathFor(name, input, before);
  if (path !== null) return `{${path}}`;
  if (!typesOf(input).includes('string')) return null;
  return `${before.path.replace(/^step\./, '')}: {${before.path}}`;
}

/** The web and mail addresses of a text. */
export function addressesIn(text: string): string[] {
  const urls = text.match(new RegExp(URL_IN, 'g')) ?? [];
  const mails = text.replace(new RegExp(URL_IN, 'g'), ' ').match(new RegExp(MAIL_IN, 'g')) ?? [];
  return [...urls.map((url) => url.replace(/[.,;:!?)]+$/, '')), ...mails];
}

/** The text without its web addresses. */
export function withoutAddresses(text: string): string {
  return text.replace(new RegExp(URL_IN, 'g'), ' ');
}

/** Whether one of the inputs is a web address. */
export function takesAddress(schema: JsonObject): boolean {
  const declared = entryOf(schema, 'properties');
  return (
    isJsonObject(declared) &&
    Object.entries(declared).some(
      ([name, one]) =>
        IS_ADDRESS.test(name) || (isJsonObject(one) && entryOf(one, 'format') === 'uri'),
    )
  );
}

/** The part of a value that fits an input; null: none does. */
function pathFor(wanted: string, input: JsonObject, { path, schema }: Value): string | null {
  if (fits(input, schema)) return path;
  const declared = entryOf(schema, 'properties');
  const all = isJsonObject(declared) ? Object.entries(declared) : [];
  const inner = all.filter(
    ([name, one]) => variableNameFault(name) === null && isJsonObject(one) && fits(input, one),
  );
  const [only] = inner;
  const chosen =
    inner.find(([name]) => name === wanted) ??
    inner.find(([name]) => IS_TEXT.test(name)) ??
    (all.length === 1 ? only : undefined);
  return chosen === undefined ? null : `${path}.${chosen[0]}`;
}

/** Whether values of a schema may be values of an input, by their types alone. */
function fits(input: JsonObject, schema: JsonObject): boolean {
  const [wanted, has] = [typesOf(input), typesOf(schema)];
  return wanted.length === 0 || has.length === 0 || has.some((type) => wanted.includes(type));
}

function typesOf(schema: JsonObject): string[] {
  const type = entryOf(schema, 'type');
  return Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : [];
}

/** The literals of a clause; each is used once. A text in braces would be read as a reference. */
class Literals {
  readonly #words: string;
  readonly #used = new Set<string>();

  constructor(words: string) {
    this.#words = words;
  }

  of(name: string, schema: JsonObject, isNeeded: boolean): Json | null {
    const types = typesOf(schema);
    const choices = entryOf(schema, 'enum');
    if (Array.isArray(choices)) return this.#choice(choices);
    if (types.includes('integer') || types.includes('number')) return this.#number(name);
    if (types.length > 0 && !types.includes('string')) return null;
    const format = entryOf(schema, 'format');
    if (format === 'uri' || IS_ADDRESS.test(name)) return this.#first(URL_IN, /[.,;:!?)]+$/);
    if (format === 'email' || IS_MAIL.test(name)) return this.#first(MAIL_IN);
    if (IS_ZONE.test(name)) return this.#first(ZONE_IN);
    if (!isNeeded) return null;
    const quoted = this.#first(QUOTED);
    if (quoted !== null || !IS_PLACE.test(name)) return quoted;
    const names = this.#words.match(NAME_IN) ?? [];
    return names.length === 1 ? this.#once(names[0]) : null;
  }

  #first(pattern: RegExp, without?: RegExp): string | null {
    const match = pattern.exec(this.#words);
    const found = match?.slice(1).find((group) => group !== undefined) ?? match?.[0];
    return this.#once(without === undefined ? found : found?.replace(without, ''));
  }

  #once(text: string | undefined): string | null {
    if (text === undefined || this.#used.has(text) || /[{}]/.test(text)) return null;
    this.#used.add(text);
    return text;
  }

  /** The number before the word that names the input: "in 3 sentences". */
  #number(name: string): number | null {
    const wanted = stemOf(name.toLowerCase());
    for (const [, number = '', word = ''] of plainOf(this.#words).matchAll(/(\d{1,9}) (\p{L}+)/gu))
      if (stemOf(word) === wanted) return Number(number);
    return null;
  }

  #choice(choices: readonly Json[]): Json | null {
    const words = new Set(plainOf(this.#words).match(/[\p{L}\p{N}_-]+/gu));
    return choices.find((one) => typeof one === 'string' && words.has(one.toLowerCase())) ?? null;
  }
}
