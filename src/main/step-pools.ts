import { beating } from '../../activities/beating.ts';
import type { RunActivities, RunNotes } from '../../activities/contract.ts';
import { OPERATION_TYPES, type OperationType } from '../catalog/operation.ts';
import type { FleetSettings } from '../platform/temporal/fleet.ts';
import { queueOf } from '../runs/run.ts';
import { HOSTING_TYPES } from '../runs/start/workflow-placement.ts';

/**
 * One pool per operation type, with as many steps at once as the type has Workers (S4-WRK-02, S4-WRK-04). Those that host workflows are there
 * without any Worker of the type too, so that a run that lives there can always be cancelled and come to its end.
 * @param sizes Workers per type
 */
export function stepPools(
  queuePrefix: string,
  sizes: Readonly<Record<OperationType, number>>,
  {
    executeStep,
    recordSteps,
    reserveItems,
    waitForBudget,
  }: Pick<RunActivities, 'executeStep'> & RunNotes,
): FleetSettings['pools'] {
  const notes = beating({ recordSteps, reserveItems, waitForBudget });
  return OPERATION_TYPES.flatMap((type) => {
    const hostsWorkflows = HOSTING_TYPES.includes(type);
    if (sizes[type] === 0 && !hostsWorkflows) return [];
    return [
      {
        taskQueue: queueOf(queuePrefix, type),
        size: sizes[type],
        // A workflow's notes are taken where it lives.
        activities: hostsWorkflows ? { ...notes, executeStep } : { executeStep },
        hostsWorkflows,
      },
    ];
  });
}
