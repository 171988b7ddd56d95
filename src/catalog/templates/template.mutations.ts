import { instant } from '../../common/clock.ts';
import { notFound, Refusal, refuse } from '../../common/refusal.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import type { Viewer } from '../../users/user.ts';
import { checkMayWrite } from '../access.ts';
import { type CatalogDeps, catalogEntry } from '../deps.ts';
import { givenFields } from '../text-checks.ts';
import { updateTemplateNode } from './template.cypher.ts';
import {
  applyUpdate,
  checkUpdateTemplate,
  type TemplateLabel,
  type UpdateTemplate,
} from './template.ts';

/** Which of the two kinds, in the words of people and of entries. */
export interface TemplateKind<T extends TemplateLabel> {
  readonly noun: string;
  readonly entry: 'serviceTemplate' | 'toolTemplate';
  readonly find: (tx: ReadTx, viewer: Viewer, ids: readonly string[]) => Promise<T[]>;
}

/** S4-STPL-02, S4-TTPL-02. @throws Refusal NOT_FOUND, FORBIDDEN, INVALID */
export async function updateTemplateIn<T extends TemplateLabel>(
  tx: WriteTx,
  deps: CatalogDeps,
  viewer: Viewer,
  kind: TemplateKind<T>,
  input: UpdateTemplate,
): Promise<T> {
  await lockResources(tx, [input.id]);
  const [current] = await kind.find(tx, viewer, [input.id]);
  refuse([...checkMayWrite(viewer, kind.noun, current ?? null), ...checkUpdateTemplate(input)]);
  if (current === undefined) throw new Refusal([notFound(kind.noun)]);
  const template = applyUpdate(current, input, instant(deps.clock));
  const happened = !current.archived && template.archived ? 'archived' : 'updated';
  const entry = catalogEntry(deps, viewer, `${kind.entry}.${happened}`, template, {
    changed: givenFields(input),
  });
  await updateTemplateNode(tx, template, entry);
  return template;
}
