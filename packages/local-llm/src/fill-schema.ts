import { entryOf } from './entry-of.ts';
import { type Finding, listFindings } from './findings.ts';
import { resolveShape, type Shape, typesOf } from './json-shape.ts';
import type { Language } from './language.ts';
import { contentStems } from './language.ts';
import { SCHEMA_DEPTH_MAX, SCHEMA_VALUES_MAX } from './limits.ts';
import { relevance } from './rank.ts';
import { enumForKind, isEntityKind, otherMember, wordsOfName } from './roles.ts';
import { scalarOf } from './scalars.ts';
import { bounded, emptyText, firstNumber, matches, pieceMatching } from './schema-values.ts';
import type { Source } from './source.ts';
import { shorten } from './summary.ts';

/**
 * Where a value stands: the property's name, and the finding (a name, a fact, a sentence) its list
 * item is about.
 */
interface Place {
  readonly name: string;
  readonly finding: Finding | null;
  readonly depth: number;
  readonly required: boolean;
}

/**
 * Nothing in the text for this: left out where optional, null where allowed, else the type's empty
 * value.
 */
const NOTHING = Symbol('nothing');
type Filled = unknown | typeof NOTHING;

/**
 * A value of the schema filled from the text; a field without a value in the text stays empty.
 * Keeps types, required properties, enums, consts, lengths, bounds, formats and patterns as far as
 * a filler can; `not`, `if` and conditional keywords are not read.
 */
export function fillSchema(language: Language, source: Source, schema: Shape): unknown {
  let values = 0;

  function fill(given: unknown, place: Place): Filled {
    const shape = resolveShape(given, schema);
    if (++values > SCHEMA_VALUES_MAX || place.depth > SCHEMA_DEPTH_MAX) return empty(shape, place);
    if (shape.const !== undefined) return shape.const;
    if (Array.isArray(shape.enum)) return fillEnum(shape.enum, place, shape);
    const choices = shape.anyOf ?? shape.oneOf;
    if (Array.isArray(choices)) return fillChoice(choices, place);
    const types = typesOf(shape);
    const type = types.find((one) => one !== 'null') ?? types[0];
    const value = fillType(type, shape, place);
    return value === NOTHING ? empty(shape, place) : value;
  }

  function fillType(type: string | undefined, shape: Shape, place: Place): Filled {
    switch (type) {
      case 'object':
        return fillObject(shape, place);
      case 'array':
        return fillArray(shape, place);
      case 'integer':
      case 'number':
        return fillNumber(shape, place, type === 'integer');
      case 'boolean':
        return fillBoolean(shape, place);
      case 'null':
        return null;
      default:
        return fillString(shape, place);
    }
  }

  function fillObject(shape: Shape, place: Place): Filled {
    const required = new Set(shape.required ?? []);
    const entries: [string, unknown][] = [];
    for (const [name, inner] of Object.entries(shape.properties ?? {})) {
      const value = fill(inner, {
        name,
        depth: place.depth + 1,
        required: required.has(name),
        finding: place.finding,
      });
      if (value !== NOTHING && (required.has(name) || place.finding?.repeats?.(name) !== true))
        entries.push([name, value]);
    }
    // fromEntries defines own properties, so `__proto__` in a schema stays a name.
    return Object.fromEntries(entries);
  }

  function fillArray(shape: Shape, place: Place): Filled {
    if (Array.isArray(shape.prefixItems)) {
      return shape.prefixItems.map((inner) => {
        const value = fill(inner, { ...place, depth: place.depth + 1, required: true });
        return value === NOTHING ? null : value;
      });
    }
    const item = resolveShape(shape.items ?? {}, schema);
    const fields = Object.keys(item.properties ?? {});
    // An id can't be found by reading, and is never made up.
    const ids = (item.required ?? []).filter((field) => /^(?:uuid|id)$/i.test(field));
    if (ids.some((id) => typesOf(entryOf(item.properties ?? {}, id) ?? {}).includes('string')))
      return [];
    const most = Math.min(shape.maxItems ?? 100, 500);
    const findings =
      place.finding === null
        ? listFindings(source, place.name, {
            fields,
            description: shape.description ?? '',
            language,
          })
        : place.finding.parts(place.name);
    const list: unknown[] = [];
    const seen = new Set<string>();
    for (const finding of findings) {
      if (list.length >= most || values > SCHEMA_VALUES_MAX) break;
      const value = fill(shape.items ?? {}, {
        name: place.name,
        finding,
        depth: place.depth + 1,
        required: true,
      });
      const key = JSON.stringify(value);
      // The same thing twice says nothing new, so lists are sets here whether the schema asks or
      // not.
      if (value === NOTHING || seen.has(key)) continue;
      seen.add(key);
      list.push(value);
    }
    while (list.length < Math.min(shape.minItems ?? 0, 100)) {
      const filler = fill(shape.items ?? {}, {
        name: place.name,
        finding: null,
        depth: place.depth + 1,
        required: true,
      });
      list.push(filler === NOTHING ? null : filler);
    }
    return list;
  }

  function fillEnum(members: readonly unknown[], place: Place, shape: Shape): Filled {
    const kind = place.finding?.kind;
    if (
      kind !== undefined &&
      isEntityKind(kind) &&
      /\b(type|kind|category|label|class)\b/.test(wordsOfName(place.name))
    ) {
      // Rather no category than a wrong one.
      if (kind === 'other' && !place.required) return NOTHING;
      const member = enumForKind(kind, members);
      if (member !== undefined) return member;
    }
    if (place.finding === null && place.name === 'category') {
      const member = kindOfSubject(members);
      if (member !== undefined || !place.required) return member ?? NOTHING;
    }
    const number = place.finding?.number(wordsOfName(place.name)) ?? null;
    if (number !== null && members.includes(number)) return number;
    const texts = members.filter((member): member is string => typeof member === 'string');
    const text = (place.finding?.text ?? source.reading.material).toLowerCase();
    const named = texts
      .map((member) => ({ member, at: text.indexOf(wordsOfName(member)) }))
      .filter(({ at, member }) => at >= 0 && member !== '')
      .sort((left, right) => left.at - right.at)[0]?.member;
    const fallback = named ?? otherMember(texts) ?? (members.includes(null) ? null : undefined);
    if (fallback !== undefined) return fallback;
    return place.required || shape.default !== undefined ? (shape.default ?? members[0]) : NOTHING;
  }

  /**
   * The category of the entity that the instruction names; undefined where the text does not show
   * it.
   */
  function kindOfSubject(members: readonly unknown[]): unknown {
    const { instruction } = source.reading;
    const subject = source.entities().find(({ name }) => instruction.includes(name));
    return subject === undefined || subject.kind === 'other'
      ? undefined
      : enumForKind(subject.kind, members);
  }

  function fillChoice(choices: readonly Shape[], place: Place): Filled {
    const shapes = choices.slice(0, 50).map((choice) => resolveShape(choice, schema));
    const nullable = shapes.some(
      (shape) => typesOf(shape).includes('null') || shape.const === null,
    );
    const real = shapes.find(
      (shape) => !typesOf(shape).every((type) => type === 'null') || typesOf(shape).length === 0,
    );
    if (real === undefined) return null;
    const value = fill(real, {
      ...place,
      depth: place.depth + 1,
      required: place.required && !nullable,
    });
    return value === NOTHING && nullable ? null : value;
  }

  function fillString(shape: Shape, place: Place): Filled {
    const wantsText = typesOf(shape).length === 0 || typesOf(shape).includes('string');
    if (!wantsText) return NOTHING;
    const candidates = scalarOf(source, place.name, {
      finding: place.finding,
      format: shape.format ?? null,
      description: shape.description ?? '',
      language,
    });
    const most = shape.maxLength ?? 20_000;
    const least = shape.minLength ?? 0;
    // A shorter text that fits whole is better than a longer one that is cut.
    for (const candidate of [...candidates, ...candidates.map((text) => shorten(text, most))]) {
      const fits = candidate.length >= least && candidate.length <= most;
      if (fits && candidate !== '' && matches(candidate, shape)) return candidate;
    }
    // A pattern may be met by a piece of the text even where no role fits: codes, versions, order
    // numbers.
    const piece =
      shape.pattern === undefined
        ? null
        : pieceMatching(shape, place.finding?.text ?? source.reading.material);
    return piece ?? NOTHING;
  }

  function fillNumber(shape: Shape, place: Place, whole: boolean): Filled {
    const words = wordsOfName(place.name);
    let value: number | null = place.finding?.number(words) ?? null;
    if (
      value === null &&
      /\b(confidence|score|relevance|importance|weight|probability)\b/.test(words)
    ) {
      // The value was not measured, so use the middle of the allowed range.
      const [low, high] = [shape.minimum ?? 0, shape.maximum ?? 1];
      value = whole ? Math.round((low + high) / 2) : (low + high) / 2;
    }
    if (value === null) value = numberNear(words, shape.description ?? '', place.finding);
    if (value === null) return NOTHING;
    return bounded(value, shape, whole);
  }

  function numberNear(words: string, description: string, finding: Finding | null): number | null {
    if (finding !== null) return firstNumber(finding.text);
    const query = language.parse(`${words} ${description}`).sentences.flatMap(contentStems);
    const scores = relevance(source.ranked, query);
    const best = Math.max(...scores, 0);
    return best === 0
      ? null
      : firstNumber(source.parsed.sentences[scores.indexOf(best)]?.text ?? '');
  }

  function fillBoolean(shape: Shape, place: Place): Filled {
    const asked = language
      .parse(wordsOfName(place.name).replace(/^(is|has|are|does|was) /, ''))
      .sentences.flatMap(contentStems);
    const text = place.finding?.text ?? null;
    const said =
      text === null
        ? relevance(source.ranked, asked).some((score) => score > 0)
        : language
            .parse(text)
            .sentences.some((sentence) =>
              asked.some((stem) => contentStems(sentence).includes(stem)),
            );
    if (said) return true;
    return typeof shape.default === 'boolean' ? shape.default : false;
  }

  function empty(shape: Shape, place: Place): Filled {
    if (shape.default !== undefined) return shape.default;
    if (!place.required) return NOTHING;
    const types = typesOf(shape);
    if (types.includes('null')) return null;
    switch (types[0]) {
      case 'object':
        return {};
      case 'array':
        return [];
      case 'integer':
      case 'number':
        return bounded(0, shape, types[0] === 'integer');
      case 'boolean':
        return false;
      default:
        return emptyText(shape);
    }
  }

  const value = fill(schema, { name: '', finding: null, depth: 0, required: true });
  return value === NOTHING ? {} : value;
}
