import type { PlannedCall } from '../../src/runs/agent/agent-loop.ts';

/** The loop of one step that offers tools, between two of its activities. */
export interface AgentState {
  isBegun: boolean;
  /** The round to ask for, or whose calls are made. From 1. */
  round: number;
  /** The calls of this round; null where the model has to be asked first. */
  calls: PlannedCall[] | null;
  made: number;
  seen: Readonly<Record<string, number>>;
  /** Why this round is the last; null for any other. */
  last: string | null;
  /** Step executions that are reserved in the run tree's limit, and those that were used. */
  reserved: number;
  used: number;
  deadlineMs: number | null;
  /** Calls of the first asked round that ended in the run that is retried. */
  ended?: readonly string[];
}

export interface CarriedAgents {
  /** By key of the StepRun. */
  readonly steps: Readonly<Record<string, AgentState>>;
  /** Ids of Tools and Processes that may be called without asking for the rest of the run. */
  readonly allowed: readonly string[];
}

/** The loops of a run. One per workflow. */
export interface Agents {
  of(key: string): AgentState;
  close(key: string): void;
  readonly allowed: Set<string>;
  /** Null where no step of the run offers tools. */
  carry(): CarriedAgents | null;
}

export function createAgents(carried: CarriedAgents | null): Agents {
  const steps = new Map<string, AgentState>(
    Object.entries(carried?.steps ?? {}).map(([key, state]) => [key, structuredCopy(state)]),
  );
  const allowed = new Set(carried?.allowed ?? []);
  return {
    of(key) {
      let state = steps.get(key);
      if (state === undefined) {
        state = { ...FRESH };
        steps.set(key, state);
      }
      return state;
    },
    close: (key) => void steps.delete(key),
    allowed,
    carry: () =>
      steps.size === 0 && allowed.size === 0
        ? null
        : { steps: Object.fromEntries(steps), allowed: [...allowed] },
  };
}

const FRESH: AgentState = {
  isBegun: false,
  round: 1,
  calls: null,
  made: 0,
  seen: {},
  last: null,
  reserved: 0,
  used: 0,
  deadlineMs: null,
};

function structuredCopy(state: AgentState): AgentState {
  return { ...state, calls: state.calls?.map((call) => ({ ...call })) ?? null };
}
