import { DESCRIPTION_CHARS_MAX, NAME_CHARS_MAX } from '../common/limits.ts';
import { type Problem, problem } from '../common/refusal.ts';

/**
 * A name is required, has a visible character, no blank at an end and none that a person can't see,
 * and has at most NAME_CHARS_MAX characters.
 */
export function checkName(
  name: string | null | undefined,
  path: readonly string[] = ['name'],
): Problem[] {
  if (name == null || name.trim() === '') return [problem('REQUIRED', path, 'A name is required.')];
  if (name.length > NAME_CHARS_MAX)
    return [problem('INVALID', path, `A name has at most ${NAME_CHARS_MAX} characters.`)];
  // Names stand in lists, logs and headers of one line.
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name))
    return [problem('INVALID', path, 'A name has no line breaks or control characters.')];
  if (INVISIBLE.test(name) || !VISIBLE.test(name)) {
    const message =
      'A name has no invisible characters, such as zero-width blanks and marks of direction.';
    return [problem('INVALID', path, message)];
  }
  if (name.trim() !== name)
    return [problem('INVALID', path, 'A name has no blank at its beginning or end.')];
  return [];
}

// Two joiners are part of words in some scripts, and of emoji; between other characters they are
// invisible. The last four are letters without a shape.
const INVISIBLE =
  /(?![\u200c\u200d])\p{Cf}|\p{Cs}|[\u034f\u115f\u1160\u2800\u3164\uffa0]|^[\u200c\u200d]|[\u200c\u200d]$|[\p{Script=Latin}\p{N}\p{Zs}][\u200c\u200d]|[\u200c\u200d]{2}/u;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Names with one key look the same to a person: in either Unicode form, with blanks at an end. */
export function nameKey(name: string): string {
  return name.normalize('NFC').trim();
}

/** The spellings under which a resource with the same name may be stored. */
export function nameForms(name: string): string[] {
  const trimmed = name.trim();
  return [...new Set([name, trimmed, trimmed.normalize('NFC'), trimmed.normalize('NFD')])];
}

export function checkDescription(
  description: string | null | undefined,
  path: readonly string[] = ['description'],
): Problem[] {
  if (description == null || description.length <= DESCRIPTION_CHARS_MAX) return [];
  return [
    problem('INVALID', path, `A description has at most ${DESCRIPTION_CHARS_MAX} characters.`),
  ];
}

/** Inputs that name the resource or what its writer has seen of it. */
const NO_CHANGE = ['id', 'expectedUpdatedAt'];

/** Names of the given fields of an input. An outbox entry lists them as `changed`. */
export function givenFields(input: object): string[] {
  return Object.entries(input)
    .filter(([name, value]) => value !== undefined && !NO_CHANGE.includes(name))
    .map(([name]) => name);
}

/** A number with its noun: "1 Tool", "3 Tools", "2 Processes". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`;
}
