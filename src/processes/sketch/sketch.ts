import { entryOf } from '../../common/entry-of.ts';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { firstChars } from '../../common/well-formed.ts';
import { variableNameFault } from '../../expressions/names.ts';
import { contentStems } from '../../text/content-stems.ts';
import { actionsIn, type Clause, clausesOf } from './clauses.ts';
import { type FoundSchedule, type SketchedSchedule, scheduleIn } from './schedule-words.ts';
import {
  addressesIn,
  inputsOf,
  takesAddress,
  type Value,
  withoutAddresses,
} from './sketch-inputs.ts';

/** Longest sentence, in characters. Texts that a Process works on are given to its runs. */
export const SENTENCE_CHARS_MAX = 2_000;
/** Stands in a definition where the author has to choose. The checks refuse it. */
export const BLANK = '?';

/** A Tool or Process that a step may call. */
export interface SketchTarget {
  readonly kind: 'tool' | 'process';
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  /** Whose it is: the author's, the system's, or another user's who shares it. */
  readonly owner: 'own' | 'system' | 'other';
}

/** A sentence, read without knowing any Tool. */
export interface Reading {
  readonly sentence: string;
  readonly clauses: readonly Clause[];
  readonly found: FoundSchedule;
}

/** A part of the sentence and what it became, or why it became nothing. */
export interface SketchNote {
  /** Words of the sentence. */
  readonly words: string;
  readonly text: string;
  /** The step that it is about; null: the Process as a whole. */
  readonly stepId: string | null;
}

/** A draft of a Process, in the words of bundles, with BLANK where a choice is open. */
export interface Sketch {
  /** Null: nothing of the sentence was understood. */
  readonly definition: JsonObject | null;
  readonly understood: readonly SketchNote[];
  readonly open: readonly SketchNote[];
  readonly schedule: SketchedSchedule | null;
}

/**
 * How alike a clause and a target are: `name` and `whole` are cosines on the scale of the bundled
 * sentence model (`likenessOn`). Null: there is no model, so words alone decide.
 */
export type Likeness = (
  clause: number,
  target: number,
) => { readonly name: number; readonly whole: number } | null;

/** Likeness from which a clause means a target. Measured: docs/decisions/0136. */
const ACCEPTED = 0.45;
/** The same for a clause without a known action, such as "as soon as possible". */
const ACCEPTED_ALONE = 0.55;
/** A description is longer than a name, so its cosine is lower. */
const WHOLE_BONUS = 0.1;
const ACTION_BONUS = 0.08;
const NAMED_BONUS = 0.2;
const OWNER_BONUS = { own: 0.05, system: 0, other: -0.05 } as const;
/** Share of the words of a name that a clause has to have where there is no model. */
const NAMED_ENOUGH = 0.5;
const NAME_CHARS = 60;

/** Reads a sentence of at most SENTENCE_CHARS_MAX characters. */
export function readSentence(sentence: string): Reading {
  const found = scheduleIn(sentence.trim());
  return { sentence: sentence.trim(), clauses: clausesOf(found.rest), found };
}

/** A clause as a model compares it: also in English words for its actions. */
export function textOfClause({ words, actions }: Clause): string {
  return actions.length === 0 ? words : `${actions.join(' ')}: ${words}`;
}

export function textOfTarget({ name, description }: SketchTarget): string {
  return firstChars(`${spoken(name)}. ${description}`, 200);
}

export function spoken(name: string): string {
  return name.replace(/[_-]+/g, ' ');
}

/** Makes the draft: a step for each clause that names an action or a target. */
export function sketchOf(
  { sentence, clauses, found }: Reading,
  targets: readonly SketchTarget[],
  likeness: Likeness,
): Sketch {
  const understood: SketchNote[] = [];
  const open: SketchNote[] = [];
  const steps: JsonObject[] = [];
  const context: string[] = [];
  const taken = new Set<string>();
  let before: Value | null = null;
  for (const [index, clause] of clauses.entries()) {
    const best = bestOf(clause, index, targets, likeness);
    if (best === null && clause.actions.length === 0) {
      const text = ['This was not understood.', ...lostWishes(clause)].join(' ');
      open.push({ words: clause.words, stepId: null, text });
      continue;
    }
    const stepId = freeName(best?.name ?? `step_${steps.length + 1}`, taken);
    taken.add(stepId);
    const note = (words: string, text: string) => understood.push({ words, text, stepId });
    const blank = (words: string, text: string) => open.push({ words, text, stepId });
    if (best === null)
      blank(
        clause.words,
        'None of the Tools that you may use does this. Choose one, or make one first.',
      );
    else note(clause.words, calledWords(best));
    const forEach: ForEach | null = clause.forEach === null ? null : forEachOf(before);
    if (clause.forEach !== null && forEach !== null) {
      if (forEach.list === BLANK)
        blank(clause.forEach, 'Once for each: choose the list in “For each” of the step.');
      else note(clause.forEach, `Once for each of ${forEach.list}.`);
    }
    const given: Value | null = forEach === null ? before : forEach.item;
    const filled = best === null ? null : inputsOf(clause.words, best.inputSchema, given, context);
    for (const one of filled?.notes ?? []) note(one.words, one.text);
    for (const one of filled?.open ?? []) blank(one.words, one.text);
    for (const name of filled?.context ?? []) {
      context.push(name);
      taken.add(name);
    }
    if (clause.approval !== null) note(clause.approval, 'Waits for your approval before it runs.');
    if (clause.condition !== null)
      blank(
        clause.condition,
        'A condition. Write it as a formula in “Only if” of the step; a draft makes no formula ' +
          'of your words.',
      );
    if (clause.attempts !== null)
      note(String(clause.attempts), `At most ${clause.attempts} attempts.`);
    const execution = {
      ...(clause.approval === null ? {} : { interactionMode: 'manual' }),
      ...(clause.condition === null ? {} : { condition: BLANK }),
      ...(forEach === null ? {} : { forEach: forEach.list }),
      ...(clause.attempts === null ? {} : { retry: { maximumAttempts: clause.attempts } }),
    };
    steps.push({
      stepId,
      ...descriptionOf(clause, best),
      calls: { [best?.kind ?? 'tool']: best?.name ?? BLANK },
      inputs: filled?.inputs ?? {},
      output: { variable: stepId },
      ...(Object.keys(execution).length === 0 ? {} : { execution }),
    });
    const output = best?.outputSchema ?? {};
    before = {
      path: `step.${stepId}`,
      schema: forEach === null ? output : { type: 'array', items: output },
    };
  }
  if (found.missed !== null)
    open.push({
      words: found.missed,
      stepId: null,
      text: 'When it runs: no schedule has these words. Make one after you saved the Process.',
    });
  open.push(...unused(sentence, steps));
  if (found.schedule !== null) understood.unshift(scheduleNote(found.schedule));
  if (steps.length === 0) return { definition: null, understood, open, schedule: found.schedule };
  const definition = {
    name: nameOf(clauses.map(({ words }) => words)),
    description: firstChars(sentence, 500),
    initialContext: context,
    steps,
    outputTemplate: outputOf(before),
  };
  return { definition, understood, open, schedule: found.schedule };
}

/** The wishes about a step that the draft does not have. */
function lostWishes({ approval, condition, forEach, attempts }: Clause): string[] {
  const lost = (wish: string | number, label: string) =>
    `“${wish}” is in no step either: set “${label}” in the step that it is about.`;
  return [
    ...(approval === null ? [] : [lost(approval, 'Waits for an approval')]),
    ...(condition === null ? [] : [lost(condition, 'Only if')]),
    ...(forEach === null ? [] : [lost(forEach, 'For each')]),
    ...(attempts === null ? [] : [lost(`${attempts} attempts`, 'Attempts')]),
  ];
}

/** Addresses of the sentence that stand in no step. */
function unused(sentence: string, steps: readonly JsonObject[]): SketchNote[] {
  const used = JSON.stringify(steps.map(({ inputs }) => inputs));
  return addressesIn(sentence)
    .filter((address) => !used.includes(address))
    .map((words) => ({ words, stepId: null, text: 'This address is in no step yet.' }));
}

function calledWords({ kind, name, owner }: SketchTarget): string {
  const whose = owner === 'other' ? ', which another user shares' : '';
  return `Calls the ${kind === 'tool' ? 'Tool' : 'Process'} “${name}”${whose}.`;
}

function scheduleNote({ cron, words, isAssumed }: SketchedSchedule): SketchNote {
  const assumed = isAssumed ? ' The time of day was not said.' : '';
  const text = `A schedule, ${cron}.${assumed} You make it after you saved the Process.`;
  return { words, text, stepId: null };
}

/** The words of the sentence, where the name of the target does not say them. */
function descriptionOf(
  { words, condition, forEach }: Clause,
  best: SketchTarget | null,
): JsonObject {
  const text = [condition, forEach, words].filter((part) => part !== null).join(' ');
  return best !== null && text.toLowerCase() === spoken(best.name).toLowerCase()
    ? {}
    : { description: firstChars(text, 500) };
}

function bestOf(
  clause: Clause,
  index: number,
  targets: readonly SketchTarget[],
  likeness: Likeness,
): SketchTarget | null {
  const words = contentStems(clause.words);
  // An address says where, and its words do not name a thing.
  const things = contentStems(thingsIn(withoutAddresses(clause.words))).size;
  const isAddressed = addressesIn(clause.words).some((one) => URL.canParse(one));
  let best: { readonly target: SketchTarget; readonly score: number } | null = null;
  for (const [at, target] of targets.entries()) {
    // "create" and "run" are in the names of many.
    const named = [...contentStems(thingsIn(target.name))];
    const shared = named.filter((stem) => words.has(stem)).length;
    const share = named.length === 0 ? 0 : shared / named.length;
    const does = actionsIn(spoken(target.name));
    const same = does.filter((one) => clause.actions.includes(one)).length;
    const alike = likeness(index, at);
    // Without a model, "fetch" alone is no reason to read a conversation, and "fetch" with an
    // address is none to call what takes no address.
    if (alike === null && shared === 0 && named.length > 0 && things > 0) continue;
    if (alike === null && shared === 0 && isAddressed && !takesAddress(target.inputSchema))
      continue;
    const score =
      alike === null
        ? (shared + same) / (named.length + does.length || 1) -
          NAMED_ENOUGH +
          ACCEPTED +
          OWNER_BONUS[target.owner]
        : Math.max(alike.name, alike.whole + WHOLE_BONUS) +
          share * NAMED_BONUS +
          (same > 0 ? ACTION_BONUS : 0) +
          OWNER_BONUS[target.owner];
    const wanted = clause.actions.length > 0 || shared > 0 ? ACCEPTED : ACCEPTED_ALONE;
    if (score >= wanted && score > (best?.score ?? 0)) best = { target, score };
  }
  return best?.target ?? null;
}

/** The words of a name that are no actions. */
const thingsIn = (name: string): string =>
  spoken(name)
    .split(' ')
    .filter((word) => actionsIn(word).length === 0)
    .join(' ');

interface ForEach {
  /** A path such as `step.feed.items`, or BLANK. */
  readonly list: string;
  readonly item: Value;
}

/** The list that the step before gives, as a whole or as its only list. */
function forEachOf(before: Value | null): ForEach {
  const item = (schema: Json | undefined): Value => ({
    path: 'item',
    schema: isJsonObject(schema) ? schema : {},
  });
  if (before === null) return { list: BLANK, item: item({}) };
  if (entryOf(before.schema, 'type') === 'array')
    return { list: before.path, item: item(entryOf(before.schema, 'items')) };
  const lists = Object.entries(propertiesOf(before.schema)).filter(
    ([name, schema]) => entryOf(schema, 'type') === 'array' && variableNameFault(name) === null,
  );
  const [only] = lists;
  if (only === undefined || lists.length > 1) return { list: BLANK, item: item({}) };
  return { list: `${before.path}.${only[0]}`, item: item(entryOf(only[1], 'items')) };
}

/** The schemas of the properties that a schema names. */
export function propertiesOf(schema: JsonObject): Record<string, JsonObject> {
  const properties = entryOf(schema, 'properties');
  if (!isJsonObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, one]) => (isJsonObject(one) ? [[name, one]] : [])),
  );
}

/** A text is printed as it is, any other value as JSON. */
function outputOf(last: Value | null): string {
  if (last === null) return '';
  const name = last.path.replace(/^step\./, '');
  return entryOf(last.schema, 'type') === 'string' ? `{{${name}}}` : `{{json ${name}}}`;
}

/** The beginning of what it does, as far as a name may be long. */
function nameOf(parts: readonly string[]): string {
  const [first = '', ...others] = parts.map((part) =>
    part
      .replace(/https?:\/\/(\S+)/g, '$1')
      .replace(/\s+/g, ' ')
      .replace(/[.,;:!?\s]+$/, ''),
  );
  let name =
    first.length <= NAME_CHARS ? first : firstChars(first, NAME_CHARS).replace(/\s\S*$/, '');
  for (const part of others) {
    if (name.length + part.length + 2 > NAME_CHARS) break;
    name += `, ${part}`;
  }
  return name === '' ? 'New Process' : name.charAt(0).toUpperCase() + name.slice(1);
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 60);
  const base = variableNameFault(plain) === null ? plain : `step_${plain}`.replace(/_+$/, '');
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) if (!taken.has(`${base}_${number}`)) return `${base}_${number}`;
}
