import type { Clock } from '../src/common/clock.ts';
import { entryOf } from '../src/common/entry-of.ts';
import type { HealthStatus } from '../src/common/health.ts';
import type { NewId } from '../src/common/id.ts';
import { checkTemplate } from '../src/expressions/template.ts';
import type { OperationType } from '../src/operations/operation.ts';
import type { DriverTarget, Probe, ToolDrivers } from '../src/platform/drivers/driver.ts';
import type { Graph } from '../src/platform/neo4j/graph.ts';
import type { Renderer } from '../src/platform/renderer/renderer.ts';
import type { Vault } from '../src/platform/vault/vault.ts';
import { planStages } from '../src/processes/definition/plan.ts';
import type { ProcessStep } from '../src/processes/process.ts';
import { findStep, toolSource } from '../src/runs/agent/find-step.ts';
import { type OfferedTool, offeredTools } from '../src/runs/agent/offered-tool.ts';
import type { StepRecords } from '../src/runs/attempts/step-records.service.ts';
import type { Payloads } from '../src/runs/run/payloads.service.ts';
import type { RunObserver } from '../src/runs/run/ports.ts';
import {
  localToolsOf,
  type ProcessSnapshot,
  type RunSnapshot,
  type ToolSnapshot,
  type ToolTypes,
  toolTypesOf,
} from '../src/runs/run/snapshot.ts';
import type { Snapshots } from '../src/runs/run/snapshots.service.ts';
import type { SettingsSource } from '../src/settings/settings.projection.ts';
import type { WorkerSlots } from '../src/workers/slots.ts';
import type { Circuits } from './run-step/circuits.ts';
import type { LocalCallLimits, QuickTools } from './run-step/quick-tools.ts';

/**
 * Probes a Tool's target and records the result. Used where the last result is down or older than
 * 30 s.
 */
export interface HealthProbes {
  probe(tool: {
    readonly id: string;
    readonly serviceId: string;
    readonly type: OperationType;
    readonly target: DriverTarget;
    readonly status: HealthStatus;
  }): Promise<Probe>;
}

/** Dependencies of the activities of runs, opened once by a worker's main. */
export interface ActivityDeps {
  readonly graph: Graph;
  readonly clock: Clock;
  readonly newId: NewId;
  wake(): void;
  readonly drivers: ToolDrivers;
  readonly vault: Pick<Vault, 'decrypt'>;
  readonly health: HealthProbes;
  readonly renderer: Renderer;
  readonly payloads: Payloads;
  /** Those of the run starter too: one process reads each snapshot once. */
  readonly snapshots: Snapshots;
  readonly runObserver: RunObserver;
  /** The operator's settings, which may change at run time. */
  readonly settings: SettingsSource;
  /** Gets the size of each group of writes; absent: not measured. */
  readonly onGroup?: (members: number) => void;
  /** Absent where this process has no registered Workers (tests, tools). */
  readonly slots?: WorkerSlots;
  /** For tests on a busy machine. */
  readonly localCallLimits?: LocalCallLimits;
  /** Logs a defect with its cause. The run's own error does not contain the cause. */
  onDefect(error: unknown, where: string): void;
}

/** The dependencies, with the caches that are made once per worker. */
export interface RunContext extends Omit<ActivityDeps, 'snapshots'> {
  readonly snapshots: SnapshotCache;
  readonly circuits: Circuits;
  readonly quickTools: QuickTools;
  readonly steps: StepRecords;
}

/** Snapshots by hash, each prepared once per worker. */
export interface SnapshotCache {
  get(hash: string): Promise<KnownSnapshot>;
}
export interface KnownSnapshot {
  readonly snapshot: RunSnapshot;
  /**
   * @throws Error where the snapshot has none. Tools and Processes that the owner could not use are
   * not in a snapshot.
   */
  process(id: string): ProcessSnapshot;
  findProcess(id: string): ProcessSnapshot | null;
  findTool(id: string): ToolSnapshot | null;
  /** A step by the id of its StepRun: defined, or a round or call of a step that offers tools. */
  findStep(processId: string, id: string): ProcessStep | null;
  /** The tools that a step offers. */
  offered(processId: string, stepId: string): readonly OfferedTool[];
  toolTypes(processId: string): ToolTypes;
  localTools(processId: string): readonly string[];
  /** Ids of the steps that may run beside each other, in order. */
  stages(processId: string): readonly (readonly string[])[];
  /** The top-level names an outputTemplate uses. */
  templateNames(processId: string): ReadonlySet<string>;
}

export function createSnapshotCache(snapshots: Snapshots): SnapshotCache {
  const known = new WeakMap<RunSnapshot, KnownSnapshot>();
  return {
    async get(hash) {
      const snapshot = await snapshots.get(hash);
      const found = known.get(snapshot) ?? knownSnapshot(snapshot);
      known.set(snapshot, found);
      return found;
    },
  };
}

function knownSnapshot(snapshot: RunSnapshot): KnownSnapshot {
  const names = new Map<string, ReadonlySet<string>>();
  const process = (id: string): ProcessSnapshot => {
    const found = entryOf(snapshot.processes, id);
    if (found === undefined) throw new Error(`The snapshot has no Process ${id}.`);
    return found;
  };
  const source = toolSource(snapshot);
  const offered = new Map<string, readonly OfferedTool[]>();
  const stages = new Map<string, string[][]>();
  return {
    snapshot,
    process,
    ...source,
    findStep: (processId, id) => findStep(source, processId, id),
    offered(processId, stepId) {
      const key = `${processId}/${stepId}`;
      let tools = offered.get(key);
      if (tools === undefined) {
        const step = findStep(source, processId, stepId);
        tools = step === null ? [] : offeredTools(step, source);
        offered.set(key, tools);
      }
      return tools;
    },
    toolTypes: (processId) => toolTypesOf(snapshot, processId),
    localTools: (processId) => localToolsOf(snapshot, processId),
    stages(processId) {
      const found = stages.get(processId) ?? planStages(process(processId).steps);
      stages.set(processId, found);
      return found;
    },
    templateNames(processId) {
      let found = names.get(processId);
      if (found === undefined) {
        found = new Set(checkTemplate(process(processId).outputTemplate, []).variables);
        names.set(processId, found);
      }
      return found;
    },
  };
}
