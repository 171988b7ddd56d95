import { DESCRIPTION_CHARS_MAX, NAME_CHARS_MAX } from '../common/limits.ts';
import { type Problem, problem } from '../common/refusal.ts';

/** A name is required, is not blank, and has at most NAME_CHARS_MAX characters. */
export function checkName(
  name: string | null | undefined,
  path: readonly string[] = ['name'],
): Problem[] {
  if (name == null || name.trim() === '') return [problem('REQUIRED', path, 'A name is required.')];
  if (name.length > NAME_CHARS_MAX) {
    return [problem('INVALID', path, `A name has at most ${NAME_CHARS_MAX} characters.`)];
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names stand in lists, logs and headers of one line
  if (/[\u0000-\u001f\u007f]/.test(name)) {
    return [problem('INVALID', path, 'A name has no line breaks or control characters.')];
  }
  return [];
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

/** Names of the given fields of an input. An outbox entry lists them as `changed`. */
export function givenFields(input: object, except: readonly string[] = ['id']): string[] {
  return Object.entries(input)
    .filter(([name, value]) => value !== undefined && !except.includes(name))
    .map(([name]) => name);
}

/** A number with its noun: "1 Tool", "3 Tools", "2 Processes". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`;
}
