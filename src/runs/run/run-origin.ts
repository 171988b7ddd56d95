import { z } from 'zod';
import { textOrNull } from '../../common/stored.ts';
import { firstChars } from '../../common/well-formed.ts';

/**
 * Who asked for a run: a user (by a start, a message, a schedule), or the product for its own
 * background work. A sub-run has the origin of the run that called it (docs/decisions/0024).
 */
export const RUN_ORIGINS = ['user', 'system'] as const;
export type RunOrigin = (typeof RUN_ORIGINS)[number];

/** Kinds of things that background runs work for. */
export const RUN_WORK_KINDS = ['episode', 'entity', 'conversation', 'toc_node'] as const;
export type RunWorkKind = (typeof RUN_WORK_KINDS)[number];

/** The thing that a background run works for. */
export interface RunWork {
  readonly kind: RunWorkKind;
  readonly id: string;
  /** Its name or title when the run was requested; null where it had none. */
  readonly name: string | null;
}

const NAME_CHARS_MAX = 200;

/**
 * Origin and work of a run as properties of its node.
 * @param origin default: a run with work is the product's own
 */
export function originParams(workFor: RunWork | null | undefined, origin?: RunOrigin) {
  return {
    origin: origin ?? (workFor == null ? 'user' : 'system'),
    workKind: workFor?.kind ?? null,
    workId: workFor?.id ?? null,
    workName: workFor?.name == null ? null : firstChars(workFor.name, NAME_CHARS_MAX),
  };
}

/** The properties of originParams in a row. A run that a migration has not reached is a user's. */
export const OriginRow = {
  origin: z.enum(RUN_ORIGINS).nullish(),
  workKind: z.enum(RUN_WORK_KINDS).nullish(),
  workId: textOrNull,
  workName: textOrNull,
};

export function workOf(row: {
  readonly workKind?: RunWorkKind | null | undefined;
  readonly workId: string | null;
  readonly workName: string | null;
}): RunWork | null {
  const { workKind: kind, workId: id, workName: name } = row;
  return kind == null || id === null ? null : { kind, id, name };
}
