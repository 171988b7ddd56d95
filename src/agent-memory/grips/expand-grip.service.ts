import type { Maybe } from '../../common/maybe.ts';
import { problem, refuse } from '../../common/refusal.ts';
import type { Viewer } from '../../users/user.ts';
import type { AgentMemoryDeps } from '../events/event-list.service.ts';
import { realmOf } from '../store.ts';
import { type ExpandedGrip, findExpandedGrip } from './grip.cypher.ts';
import { GRIP_CONTEXT_DEFAULT, GRIP_CONTEXT_MAX, GRIP_EVENTS_MAX, isGripId } from './grip.ts';

/**
 * Finds the events that a grip's excerpt was taken from, with some events before and after
 * (S2-GRIP-05). Null if the viewer has no such grip (S2-GRIP-06).
 * @throws Refusal INVALID
 */
export async function expandGrip(
  { graph, memoryMode }: AgentMemoryDeps,
  viewer: Viewer,
  input: { gripId: string; eventsBefore?: Maybe<number>; eventsAfter?: Maybe<number> },
): Promise<ExpandedGrip | null> {
  const before = input.eventsBefore ?? GRIP_CONTEXT_DEFAULT;
  const after = input.eventsAfter ?? GRIP_CONTEXT_DEFAULT;
  const wrong = (name: string, value: number) =>
    Number.isInteger(value) && value >= 0 && value <= GRIP_CONTEXT_MAX
      ? []
      : [problem('INVALID', [name], `${name} is a whole number from 0 to ${GRIP_CONTEXT_MAX}.`)];
  refuse([...wrong('eventsBefore', before), ...wrong('eventsAfter', after)]);
  if (!isGripId(input.gripId)) return null;
  const realm = realmOf(viewer, memoryMode);
  const wanted = { realm, gripId: input.gripId, before, after, most: GRIP_EVENTS_MAX };
  return graph.read((tx) => findExpandedGrip(tx, wanted));
}
