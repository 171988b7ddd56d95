/** What a template may call beside its variables (docs/decisions/0019); also names no variable may have. */
export const TEMPLATE_HELPERS = [
  'json',
  'join',
  'truncate',
  'default',
  'eq',
  'ne',
  'gt',
  'lt',
  'and',
  'or',
  'not',
  'lookup',
] as const;
export type TemplateHelper = (typeof TEMPLATE_HELPERS)[number];

export const TEMPLATE_BLOCKS = ['if', 'unless', 'each', 'with'] as const;
export type TemplateBlock = (typeof TEMPLATE_BLOCKS)[number];

const RESERVED: ReadonlySet<string> = new Set([
  ...TEMPLATE_HELPERS,
  ...TEMPLATE_BLOCKS,
  ...['log', 'helperMissing', 'blockHelperMissing', 'this', 'else'],
]);

/** Path segments through which a value's prototype could be reached. Refused wherever a path is written. */
export function isPrototypeKey(name: string): boolean {
  return name === 'constructor' || name === 'prototype' || name.startsWith('__');
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Why a text can't name a variable, or null where it can. The message continues "The name `x` ...". */
export function variableNameFault(name: string): string | null {
  if (!VARIABLE.test(name) || name.length > 100) {
    return 'has to be a letter or _ followed by letters, digits and _, 100 at most';
  }
  if (RESERVED.has(name)) return 'is a word of the template language';
  // Whatever every object has already (toString, valueOf, ...) must not look like a variable that is there.
  if (isPrototypeKey(name) || name in {}) return 'is reserved';
  return null;
}
