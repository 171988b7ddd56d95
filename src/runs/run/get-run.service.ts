import { found } from '../../common/refusal.ts';
import type { Viewer } from '../../users/user.ts';
import type { RunDeps } from './ports.ts';
import { findRuns } from './run.cypher.ts';
import type { ProcessRun } from './run.ts';

/** The viewer's own run. @throws Refusal NOT_FOUND */
export async function getRun(
  deps: Pick<RunDeps, 'graph'>,
  viewer: Viewer,
  id: string,
  path: readonly string[] = ['id'],
): Promise<ProcessRun> {
  return found(await deps.graph.read((tx) => findRuns(tx, viewer.userId, [id])), 'run', path);
}
