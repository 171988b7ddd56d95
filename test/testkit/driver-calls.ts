import type { JsonObject } from '../../src/common/json.ts';
import { OPERATIONS, type Operation } from '../../src/operations/operation.ts';
import type { Protocol } from '../../src/operations/operation-type.ts';
import type { DriverCall, DriverTarget } from '../../src/platform/drivers/driver.ts';

/** A call as the step activity makes it, with defaults for all other fields. */
export function driverCall<O extends Operation>(
  operation: O,
  target: Partial<DriverTarget> & { readonly connectionParams: JsonObject },
  given: Partial<DriverCall<O>> = {},
): DriverCall<O> {
  return {
    operation,
    target: { ...driverTarget(operation.type, target), ...target },
    inputs: {},
    ownerId: 'owner-1',
    workspace: 'workspace-1',
    idempotencyKey: 'run-1/step-1',
    maxOutputTokens: null,
    signal: new AbortController().signal,
    ...given,
  };
}

export function driverTarget(
  type: Operation['type'],
  target: Partial<DriverTarget> & { readonly connectionParams: JsonObject },
): DriverTarget {
  const protocol: Protocol = type === 'graph_query' ? 'bolt' : 'http';
  const { serviceType } = OPERATIONS[type];
  return { serviceType, protocol, secret: null, system: false, ...target };
}
