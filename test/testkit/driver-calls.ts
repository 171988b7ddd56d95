import type { Operation, Protocol } from '../../src/catalog/tools/operation.ts';
import { SERVICE_TYPE_OF } from '../../src/catalog/tools/operation.ts';
import type { JsonObject } from '../../src/common/json.ts';
import type { DriverCall, DriverTarget } from '../../src/platform/drivers/driver.ts';

/** A call as the step activity makes it, with what a test does not care about filled in. */
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
  return { serviceType: SERVICE_TYPE_OF[type], protocol, secret: null, system: false, ...target };
}
