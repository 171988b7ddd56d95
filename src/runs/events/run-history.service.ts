import { RUN_GRAPH_BYTES_MAX, RUN_GRAPH_EVENTS_MAX } from '../../common/limits.ts';
import { problem, Refusal } from '../../common/refusal.ts';
import type { Graph } from '../../platform/neo4j/graph.ts';
import { projectRunEvents, RUN_EVENT_KINDS, type RunEvent } from './run-event.ts';
import { type AskedRun, listRunHistories, measureRunHistories } from './run-stream.cypher.ts';

export interface HistoryLimits {
  /** Entries of the event log, over all runs asked for. */
  readonly entriesMax: number;
  /** Characters of their payloads, over all runs asked for. */
  readonly charactersMax: number;
}
const LIMITS: HistoryLimits = {
  entriesMax: RUN_GRAPH_EVENTS_MAX,
  charactersMax: RUN_GRAPH_BYTES_MAX,
};

/**
 * The events of these runs so far, with their sub-runs: the same events that `runEvents` streams
 * from the beginning. Takes two statements for any number of runs. A run that exceeds the limits
 * gets a Refusal (TOO_LARGE at `graph`) instead. The caller has checked that the viewer may read
 * the runs.
 */
export async function loadRunHistories(
  { graph }: { readonly graph: Graph },
  runs: readonly AskedRun[],
  { entriesMax, charactersMax }: HistoryLimits = LIMITS,
): Promise<(readonly RunEvent[] | Refusal)[]> {
  return graph.read(async (tx) => {
    const asked = { runs, kinds: RUN_EVENT_KINDS, limit: entriesMax + 1 };
    const sizes = await measureRunHistories(tx, asked);
    let entries = 0;
    let characters = 0;
    const fitting = runs.filter(({ id }) => {
      const size = sizes.get(id) ?? { entries: 0, characters: 0 };
      const fits =
        entries + size.entries <= entriesMax && characters + size.characters <= charactersMax;
      if (fits) {
        entries += size.entries;
        characters += size.characters;
      }
      return fits;
    });
    const histories =
      fitting.length === 0 ? null : await listRunHistories(tx, { ...asked, runs: fitting });
    return runs.map((run) =>
      fitting.includes(run)
        ? eventsUntilEnd(histories?.get(run.id) ?? [], run.id)
        : new Refusal([tooLarge(entriesMax, charactersMax)]),
    );
  });
}

/** Entries after the end of a run do not belong to its stream. */
function eventsUntilEnd(
  entries: readonly Parameters<typeof projectRunEvents>[0][],
  runId: string,
): RunEvent[] {
  const end = entries.findIndex((entry) => entry.kind === 'run.ended' && entry.runId === runId);
  return (end < 0 ? entries : entries.slice(0, end + 1)).flatMap(projectRunEvents);
}

function tooLarge(entriesMax: number, charactersMax: number) {
  const size = `${entriesMax} events or ${Math.round(charactersMax / 1024)} KiB`;
  return problem(
    'TOO_LARGE',
    ['graph'],
    `The graphs asked for together have more than ${size}. Ask for one run, or fold its ` +
      'runEvents with @aiden/client.',
  );
}
