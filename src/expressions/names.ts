/**
 * Helpers that a template may call (docs/decisions/0019). No variable may have one of these names.
 */
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

/** Path segments that could reach the prototype of a value. Every parser of paths refuses them. */
export function isPrototypeKey(name: string): boolean {
  return name === 'constructor' || name === 'prototype' || name.startsWith('__');
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Why a text can't name a variable; null if it can. The message continues "The name `x` ...". */
export function variableNameFault(name: string): string | null {
  if (!VARIABLE.test(name) || name.length > 100)
    return 'has to be a letter or _ followed by letters, digits and _, 100 at most';
  if (RESERVED.has(name)) return 'is a word of the template language';
  // Every object inherits toString, valueOf and others. A template would take them for variables.
  if (isPrototypeKey(name) || name in {}) return 'is reserved';
  return null;
}
