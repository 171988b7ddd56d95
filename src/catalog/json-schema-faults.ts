import type { ErrorObject } from 'ajv';
import { type Problem, problem } from '../common/refusal.ts';
import { pointerSteps } from './json-schema-walk.ts';

export function invalid(path: readonly (string | number)[], message: string): Problem {
  return problem('SCHEMA_INVALID', path, message);
}

export function violation(path: readonly (string | number)[], message: string): Problem {
  return problem('SCHEMA_VIOLATION', path, message);
}

/** Where in the value; what is missing or too much counts as a place. */
export function pathOf(error: ErrorObject): string[] {
  const steps = pointerSteps(error.instancePath);
  const params = error.params as Record<string, unknown>;
  for (const name of ['missingProperty', 'additionalProperty', 'unevaluatedProperty']) {
    if (typeof params[name] === 'string') return [...steps, params[name]];
  }
  return steps;
}

/** For a person, without its full stop; never holds the value. */
export function sentence({ keyword, message, params }: ErrorObject): string {
  if (keyword === 'required') return `${String(params['missingProperty'])} is required`;
  if (keyword === 'additionalProperties')
    return `${String(params['additionalProperty'])} is not among the properties`;
  if (keyword === 'enum') {
    const allowed = JSON.stringify(params['allowedValues']);
    return `This has to be one of ${allowed.length > 200 ? `${allowed.slice(0, 200)}...` : allowed}`;
  }
  if (keyword === 'pattern') return 'This does not match the pattern of its schema';
  return `This ${message ?? 'does not fit its schema'}`;
}
