import { instant } from '../common/clock.ts';
import {
  notFound,
  type Problem,
  problem,
  Refusal,
  refuse,
  refuseMissing,
  refuseState,
} from '../common/refusal.ts';
import type { Graph, WriteTx } from '../platform/neo4j/graph.ts';
import { lockResources } from '../platform/neo4j/lock.ts';
import { findUsers } from '../users/user.cypher.ts';
import { type BaseDeps, isAdmin, SYSTEM_USER_ID, type Viewer } from '../users/user.ts';
import {
  countUsesByOthers,
  insertDataRequest,
  listDataRequests,
  unshareAll,
} from './data-request.cypher.ts';
import {
  type DataRequest,
  type DataRequestKind,
  DELETE_MY_DATA,
  deleteUserPhrase,
} from './data-request.ts';

export interface PersonalDataDeps extends BaseDeps {
  readonly graph: Graph;
}

/**
 * Asks for an archive of all data of the viewer.
 * @throws Refusal STATE while another request of the viewer is open
 */
export async function exportMyData(deps: PersonalDataDeps, viewer: Viewer): Promise<DataRequest> {
  return insert(deps, viewer.userId, 'export', async () => []);
}

/**
 * Asks for the deletion of everything of the viewer. It can't be undone; sign-in ends.
 * @throws Refusal INVALID at `confirm`; IN_USE while others use shared things of the viewer; STATE
 */
export async function deleteMyData(
  deps: PersonalDataDeps,
  viewer: Viewer,
  { confirm }: { readonly confirm: string },
): Promise<DataRequest> {
  refuse(checkPhrase(confirm, DELETE_MY_DATA));
  return insert(deps, viewer.userId, 'deletion', (tx) => checkUses(tx, viewer.userId));
}

/**
 * As deleteMyData, for another user; admins only.
 * @throws Refusal FORBIDDEN, NOT_FOUND at `userId`, and as deleteMyData
 */
export async function deleteUser(
  deps: PersonalDataDeps,
  viewer: Viewer,
  { userId, confirm }: { readonly userId: string; readonly confirm: string },
): Promise<DataRequest> {
  if (!isAdmin(viewer)) throw Refusal.of('FORBIDDEN', [], 'Only an admin may delete users.');
  if (userId === SYSTEM_USER_ID)
    throw Refusal.of('IMMUTABLE', ['userId'], 'The system is no user to delete.');
  refuse(checkPhrase(confirm, deleteUserPhrase(userId)));
  return insert(deps, userId, 'deletion', (tx) => checkUses(tx, userId));
}

function checkPhrase(confirm: string, phrase: string): Problem[] {
  const text = `To confirm, give exactly: ${phrase}`;
  return confirm === phrase ? [] : [problem('INVALID', ['confirm'], text)];
}

async function checkUses(tx: WriteTx, userId: string): Promise<Problem[]> {
  // Before the count, so that no use begins between the count and the deletion.
  await unshareAll(tx, userId);
  const uses = Object.entries(await countUsesByOthers(tx, userId));
  if (uses.length === 0) return [];
  const text = uses.map(([kind, count]) => `${count} × ${kind}`).join(', ');
  const message = `Others use what this user shares: ${text}. They have to stop first.`;
  return [problem('IN_USE', [], message)];
}

const insert = async (
  { graph, newId, clock }: PersonalDataDeps,
  userId: string,
  kind: DataRequestKind,
  check: (tx: WriteTx) => Promise<Problem[]>,
): Promise<DataRequest> =>
  graph.write(async (tx) => {
    refuseMissing(await findUsers(tx, [userId]), 'User', ['userId']);
    await lockResources(tx, [userId]);
    const known = await listDataRequests(tx, userId);
    if (known.some(({ status }) => status === 'waiting' || status === 'working')) {
      const message = 'A request of this user is open; wait for its end.';
      refuseState([], message);
    }
    refuse(await check(tx));
    const request = await insertDataRequest(tx, { id: newId(), kind, userId, now: instant(clock) });
    if (request === null) throw new Refusal([notFound('User', ['userId'])]);
    return request;
  });
