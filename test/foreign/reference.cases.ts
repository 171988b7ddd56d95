import { type ForeignCase, rows } from './foreign-case.ts';

/** A text of a step's inputs. */
export interface InputText {
  readonly text: string;
  readonly inForEach?: boolean;
}

/** The reference that the message names; `refused` where none is known; `text` where it is sent. */
export type Meant = { readonly meant: string } | 'refused' | 'text' | 'reference';

/**
 * Steps before have the outputs `v` and `names`, and one with the id `find` has the output `found`;
 * the context has `a`, `article`, `price` and `same`, which is the id of a step too.
 */
export const INPUT_TEXTS: readonly ForeignCase<InputText, Meant>[] = rows<
  [string, string, string, Meant]
>('reference', 'INPUT_TEXTS').map(([title, source, text, right]) => ({
  title,
  source,
  input: { text },
  right,
}));

/** Templates that can not be read, and the hint of their message. */
export const TEMPLATES: readonly ForeignCase<string, RegExp | null>[] = rows(
  'reference',
  'TEMPLATES',
);

/** Texts of an output template, and the value that the message names. */
export const TEMPLATE_TEXTS: readonly ForeignCase<string, string | null>[] = rows<
  [string, string, string | null]
>('reference', 'TEMPLATE_TEXTS').map(([title, input, right]) => ({
  title,
  source: 'own',
  input,
  right,
}));

/** Names of a template or an expression that no value has, and the meant one. */
export const NAMES_ELSEWHERE: readonly ForeignCase<
  { readonly text: string; readonly name: string },
  { readonly template: string | null; readonly condition: string | null }
>[] = rows<[string, string, string, string | null, string | null]>(
  'reference',
  'NAMES_ELSEWHERE',
).map(([title, text, name, template, condition]) => ({
  title,
  source: 'own',
  input: { text, name },
  right: { template, condition },
}));

/** Expressions with braces and signs, and the value that the message names. */
export const EXPRESSIONS: readonly ForeignCase<string, string | null>[] = rows<
  [string, string, string | null]
>('reference', 'EXPRESSIONS').map(([title, input, right]) => ({
  title,
  source: 'own',
  input,
  right,
}));
