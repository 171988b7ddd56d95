import type { JsonObject } from '../../common/json.ts';
import { FOLLOW_UP_MS } from '../../common/limits.ts';
import { redactorOf } from '../../common/redact.ts';
import type { NumberedEntry } from '../../outbox/entry.ts';
import type { Projection } from '../../outbox/projector.service.ts';
import { findSystemRuns } from '../../runs/run/run-origin.cypher.ts';
import type { RunOrigin } from '../../runs/run/run-origin.ts';
import type { SettingsSource } from '../../settings/settings.projection.ts';
import type { Settings } from '../../settings/settings.ts';
import { agentName, OWN_KINDS, type OwnRun, ownEvents, ownSessionId } from './own-events.ts';
import { findProcessNames } from './raw-event.cypher.ts';
import type { RawEvent } from './raw-event.ts';
import { type SessionGraphDeps, writeRawEvents } from './write-events.service.ts';

export interface OwnRunsDeps extends SessionGraphDeps {
  readonly settings: SettingsSource;
}

/**
 * Projects Aiden's own runs into the session graph. A conversation is a root session, and so are a
 * root run outside of a conversation and a background run of the product; a sub-process run is a
 * forked session. Idempotent: the id of an event is derived from its entry.
 */
export function ownRunsProjection(deps: OwnRunsDeps): Projection {
  return {
    name: 'raw-stream',
    gatherMs: FOLLOW_UP_MS,
    kinds: OWN_KINDS,
    handle: async (entries) => {
      const settings = await deps.settings.current();
      const [names, systemRuns] = await Promise.all([
        processNames(deps, entries),
        deps.graph.read((tx) => findSystemRuns(tx, rootRunIds(entries))),
      ]);
      const originOf = ({ rootRunId }: NumberedEntry): RunOrigin =>
        systemRuns.has(rootRunId ?? '') ? 'system' : 'user';
      const events = entries.flatMap((entry) => {
        const { ownerId, workspace } = entry;
        const origin = originOf(entry);
        // A background run is a session of its own, not a part of its conversation's.
        const placed = origin === 'system' ? { ...entry, conversationId: null } : entry;
        return ownEvents(placed, runOf(placed, names)).map((event) => ({
          event: redacted(event, settings),
          ...{ ownerId, workspace, origin },
        }));
      });
      const outcomes = await writeRawEvents(deps, 'aiden', events);
      const refused = outcomes.find((outcome) => typeof outcome === 'object');
      // The relay retries the entry and dead-letters it if the retries fail.
      if (typeof refused === 'object')
        throw new Error(`The session graph refused an event of the product: ${refused.message}`);
    },
  };
}

// Never redacted: ids of the product may look like secrets, and nodes are connected by them.
const ID_KEYS = [
  'run_id',
  'process_id',
  'step_id',
  'current_step',
  'approval_id',
  'tool_call_id',
  'parallel_group_id',
  'sub_session_id',
  'parent_session_id',
  'parent',
  'parent_id',
  'metadata',
];

function redacted(event: RawEvent, settings: Settings): RawEvent {
  const ids = Object.entries(event.data).filter(([key]) => ID_KEYS.includes(key));
  return {
    ...event,
    data: { ...(redactorOf(settings).json(event.data) as JsonObject), ...Object.fromEntries(ids) },
  };
}

const rootRunIds = (entries: readonly NumberedEntry[]) => entries.map(({ rootRunId }) => rootRunId);

async function processNames(
  { graph }: SessionGraphDeps,
  entries: readonly NumberedEntry[],
): Promise<Map<string, string>> {
  const ids = [...new Set(entries.flatMap(({ runPath }) => runPath.slice(1)))];
  if (ids.length === 0) return new Map();
  return graph.read((tx) => findProcessNames(tx, ids));
}

function runOf(entry: NumberedEntry, names: ReadonlyMap<string, string>): OwnRun | null {
  const { runId, runPath, conversationId } = entry;
  if (runId === null) return null;
  const sessionOf = (id: string, path: readonly string[]) =>
    ownSessionId({ runId: id, runPath: path, conversationId, processName: names.get(id) ?? '' });
  const parentId = runPath.at(-2);
  return {
    runId,
    conversationId,
    sessionId: sessionOf(runId, runPath),
    parentSessionId: parentId === undefined ? null : sessionOf(parentId, runPath.slice(0, -1)),
    agent: agentName(names.get(runId) ?? processNameIn(entry)),
  };
}

const processNameIn = ({ payload }: NumberedEntry): string =>
  typeof payload['processName'] === 'string' ? payload['processName'] : '';
