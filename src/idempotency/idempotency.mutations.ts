import { createHash } from 'node:crypto';
import { instant } from '../common/clock.ts';
import { canonicalJson } from '../common/json.ts';
import type { Maybe } from '../common/maybe.ts';
import { Refusal } from '../common/refusal.ts';
import type { Graph, WriteTx } from '../platform/neo4j/graph.ts';
import type { BaseDeps, Viewer } from '../users/user.ts';
import { claimIdempotencyKey } from './idempotency.cypher.ts';
import { recordKeyOf } from './idempotency-key.ts';

/** A request that is done once per idempotency key of its input; without a key, each time. */
export interface OnceRequest {
  readonly operation: string;
  /** A repeated request has the same input, apart from the key itself. */
  readonly input: { readonly idempotencyKey?: Maybe<string> };
  /** Id of the thing that the work creates. */
  readonly resultId: string;
}

export interface OnceDeps extends BaseDeps {
  readonly graph: Graph;
  /** Wakes the relay after a commit that wrote entries. Does not wait for it. */
  wake(): void;
  /** Offers a committed run to the run starter of this process. */
  startSoon?(runId: string): void;
}

/**
 * Does `work` in one transaction with the claim of the request's key, then wakes the relay. If the
 * work is refused, the key is free again.
 * @param work returns the id of the run that it wrote, which is started soon; null: it wrote none
 * @returns the id that the first request with this key made
 * @throws Refusal as claimKey, and of the work
 */
export async function once(
  deps: OnceDeps,
  viewer: Viewer,
  request: OnceRequest,
  work: (tx: WriteTx) => Promise<string | null>,
): Promise<string> {
  const { id, runId } = await deps.graph.write(async (tx) => {
    const known = await claimKey(deps, tx, viewer, request);
    if (known !== null) return { id: known, runId: null };
    return { id: request.resultId, runId: await work(tx) };
  });
  deps.wake();
  if (runId !== null) deps.startSoon?.(runId);
  return id;
}

/**
 * Claims the request's idempotency key in a transaction of the caller.
 * @returns the id that the first request with this key made; null where this request is the first,
 * or has no key
 * @throws Refusal CONFLICT where the first request had another input
 */
export async function claimKey(
  deps: BaseDeps,
  tx: WriteTx,
  viewer: Viewer,
  { operation, input, resultId }: OnceRequest,
): Promise<string | null> {
  const { idempotencyKey, ...unkeyedInput } = input;
  if (idempotencyKey === null || idempotencyKey === undefined) return null;
  const key = recordKeyOf(viewer.userId, operation, idempotencyKey);
  const inputHash = createHash('sha256').update(canonicalJson(unkeyedInput)).digest('hex');
  const now = instant(deps.clock);
  const first = await claimIdempotencyKey(tx, { key, inputHash, resultId, now });
  if (first.resultId === resultId) return null;
  if (first.inputHash === inputHash) return first.resultId;
  const message = 'This idempotency key was used with another input.';
  throw Refusal.of('CONFLICT', ['idempotencyKey'], message);
}
