import { SYSTEM_USER_ID } from '../../src/users/user.ts';
import type { TestClient } from './client.ts';

interface Page {
  readonly nodes: readonly { id: string; name: string; owner: { id: string } }[];
  readonly pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/**
 * Finds the Processes and Tools that ship with the product, by name. Tests share the database, and
 * a user of another test may share a Tool of the same name.
 */
export async function shipped(user: TestClient) {
  const [processes, tools] = [await idsOf(user, 'processes'), await idsOf(user, 'tools')];
  const find = (ids: ReadonlyMap<string, string>) => (name: string) => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`The installation has no ${name}.`);
    return id;
  };
  return { processId: find(processes), toolId: find(tools) };
}

async function idsOf(user: TestClient, field: 'processes' | 'tools'): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (let after: string | null = null; ; ) {
    const answer: Record<typeof field, Page> = await user.query(
      `query ($after: String) { ${field}(first: 200, after: $after) {
        nodes { id name owner { id } } pageInfo { hasNextPage endCursor } } }`,
      { after },
    );
    const { nodes, pageInfo } = answer[field];
    for (const { id, name, owner } of nodes) if (owner.id === SYSTEM_USER_ID) ids.set(name, id);
    if (!pageInfo.hasNextPage) return ids;
    after = pageInfo.endCursor;
  }
}
