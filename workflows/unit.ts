import type { InputSource, ItemSource } from '../activities/contract.ts';
import { jsonBytes } from '../src/common/json.ts';
import { INLINE_PAYLOAD_BYTES_MAX } from '../src/common/limits.ts';
import type { ProcessStep } from '../src/processes/process.ts';
import type { Values } from './values.ts';

/** A place in a step: the step itself (index null), or one of its items. */
export interface Unit {
  readonly step: ProcessStep;
  readonly index: number | null;
  readonly item: ItemSource | null;
  /** An input or output above this goes by reference. */
  readonly share: number;
}

// All outputs (and all inputs) of one stage together, in history: far below its 50 MB, whatever the number of calls.
const STAGE_BYTES_MAX = 8 * 1024 * 1024;
const SHARE_BYTES_MIN = 1024;

/** What each of so many calls of one stage may put into history. */
export function shareOf(units: number): number {
  const share = Math.floor(STAGE_BYTES_MAX / Math.max(1, units));
  return Math.min(INLINE_PAYLOAD_BYTES_MAX, Math.max(SHARE_BYTES_MIN, share));
}

/** The inputs bound here, or the order to bind them from the record. */
export function sourceOf(values: Values, { step, index, item, share }: Unit): InputSource {
  if (item !== null && !('value' in item)) return { kind: 'recorded', item };
  const bound = values.bind(
    step,
    item === null || index === null ? null : { value: item.value, index },
  );
  return bound !== null && jsonBytes(bound) <= share
    ? { kind: 'bound', inputs: bound }
    : { kind: 'recorded', item };
}
