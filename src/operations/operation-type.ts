import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../common/json.ts';
import type { Problem } from '../common/refusal.ts';
import { checkTemplate } from '../expressions/template.ts';

export const PROTOCOLS = ['bolt', 'bolt+s', 'http', 'https', 'stdio', 'sse'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** How far a health probe can know whether a call would work. */
export const HEALTH_TELLS = ['call', 'answer'] as const;
export type HealthTells = (typeof HEALTH_TELLS)[number];

/** All that the catalog knows of one type of operations; the row of a type in OPERATIONS. */
export interface TypeOfOperation<
  Schema extends z.ZodType = z.ZodType,
  Service extends string = string,
  Field extends string = string,
> {
  /** The operation as it is stored. */
  readonly schema: Schema;
  /** The type of the Services that its Tools use, and the protocols of these Services. */
  readonly serviceType: Service;
  readonly protocols: readonly Protocol[];
  /** Its field in the API's OperationInput: paths of problems match the caller's input. */
  readonly inputField: Field;
  /** Names of parameters that the driver may supply, so that no input has them. */
  readonly reserved?: readonly string[];
  /** Whether a Tool may change data, unless its author says otherwise (docs/decisions/0018). */
  mutatesByDefault(operation: z.infer<Schema>): boolean;
  /** Whether it passes its inputs on unchanged, so that inputSchema may declare any. */
  passesInputs?(operation: z.infer<Schema>): boolean;
  /** How far its health probe can know whether a call would work. */
  healthTells(operation: z.infer<Schema>): HealthTells;
  /** The variables that the operation uses, and its problems. */
  read(operation: z.infer<Schema>, path: Path): Reading;
}

/** Declares a type of operations. */
export const typeOfOperation = <
  Schema extends z.ZodType,
  const Service extends string,
  const Field extends string,
>(
  type: TypeOfOperation<Schema, Service, Field>,
) => type;

export type Path = readonly string[];

export interface Reading {
  readonly problems: readonly Problem[];
  /** The variables, each with the place of its use. */
  readonly uses: readonly { readonly name: string; readonly path: Path }[];
}

export const NOTHING: Reading = { problems: [], uses: [] };

export function together(...readings: readonly Reading[]): Reading {
  return {
    problems: readings.flatMap(({ problems }) => problems),
    uses: readings.flatMap(({ uses }) => uses),
  };
}

/** Reads every text inside a value as a template. */
export function readTexts(value: Json | undefined, path: Path): Reading {
  if (typeof value === 'string') {
    const { problems, variables } = checkTemplate(value, path);
    return { problems, uses: variables.map((name) => ({ name, path })) };
  }
  if (Array.isArray(value))
    return together(...value.map((item, index) => readTexts(item, [...path, String(index)])));
  if (isJsonObject(value))
    return together(...Object.entries(value).map(([key, item]) => readTexts(item, [...path, key])));
  return NOTHING;
}

export const jsonObject = z.custom<JsonObject>(isJsonObject, 'has to be a JSON object');
