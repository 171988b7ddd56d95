import { instant } from '../../src/common/clock.ts';
import { isUuid } from '../../src/common/id.ts';
import type { PageArgs } from '../../src/common/page.ts';
import {
  findStatements,
  listCausesOfEnds,
  listEntitiesOfStatements,
  listStatements,
  type StatementFilter,
} from '../../src/memory-graph/statements/statement.cypher.ts';
import type { Statement as StatementModel } from '../../src/memory-graph/statements/statement.ts';
import { settleSwitches } from '../../src/memory-graph/withdrawal/withdrawal.mutations.ts';
import { builder } from '../builder.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { argFields, nullable, outputFields } from '../fields.ts';
import { listLoader, mapLoader } from '../loader.ts';
import { keyedNode, Node } from '../nodes.ts';
import { Entity, loadEntity } from './entities.ts';
import { Episode, loadEpisode } from './episodes.ts';

export const Statement = keyedNode<StatementModel>('Statement', {
  key: ({ uuid }) => uuid,
  find: (context, uuid) => loadStatement(context, uuid),
  isDomainId: isUuid,
});
const StatementConnection = connectionOf('Statement', Statement);

export const loadStatement = listLoader(
  (tx, { userId }, uuids) => findStatements(tx, userId, uuids),
  ({ uuid }) => uuid,
);
const loadAbout = mapLoader(
  (tx, { userId }, uuids) => listEntitiesOfStatements(tx, userId, uuids),
  [],
);

const loadCause = mapLoader((tx, { userId }, uuids) => listCausesOfEnds(tx, userId, uuids), null);

/** The records of these uuids that are still there. */
const present = async <T>(found: readonly Promise<T | null>[]): Promise<T[]> =>
  (await Promise.all(found)).filter((one) => one !== null);

Statement.implement({
  description:
    'What was said of a person or a thing, word for word, with its times. A later statement of ' +
    'the same attribute ends it, and so does one that corrects it.',
  interfaces: [Node],
  fields: outputFields({
    uuid: ['ID', 'Uuid of the statement.'],
    text: ['String', "The speaker's own words."],
    speaker: ['String', 'Name of its speaker.', 'saidBy'],
    attribute: [
      'String?',
      'The attribute that it gives, of which one has one at a time, such as home or employer; ' +
        'null if it gives none.',
    ],
    saidAt: ['DateTime', 'Time when it was said.'],
    validAt: ['DateTime', 'Time from which it holds; the time of saying if no other is said.'],
    invalidAt: ['DateTime?', 'Time when it stopped being true; null if it still holds.'],
    recordedAt: ['DateTime', 'Time when memory recorded it.', 'createdAt'],
    expiredAt: ['DateTime?', 'Time when memory recorded its end.'],
    endedBy: [
      nullable(Episode),
      'The Episode whose words ended it; null if it still holds, or said its own end.',
      async ({ uuid, invalidAt, episodes }, _args, context) => {
        const cause = invalidAt === null ? null : await loadCause(context, uuid);
        return cause === null || episodes.includes(cause) ? null : loadEpisode(context, cause);
      },
    ],
    about: [
      [Entity],
      'The entities that it names, and its speaker; at most 50.',
      async ({ uuid }, _args, context) =>
        present((await loadAbout(context, uuid)).map((one) => loadEntity(context, one))),
    ],
    evidence: [
      [Episode],
      'The Episodes in which it was said.',
      ({ episodes }, _args, context) => present(episodes.map((one) => loadEpisode(context, one))),
    ],
  }),
});

async function listed(context: RequestContext, args: PageArgs & StatementFilter) {
  const { userId } = viewerOf(context);
  await settleSwitches(context, userId);
  return context.graph.read((tx) => listStatements(tx, userId, args, instant(context.clock)));
}

builder.objectField(Entity, 'statements', (t) =>
  t.field({
    type: StatementConnection,
    description: 'Statements that name it, the last said first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      ...argFields(t, {
        asOf: ['DateTime', 'Only those that held at this time. Default: those not ended.'],
        knownAt: ['DateTime', 'As memory knew at this time. Default: now.'],
        includeEnded: ['Boolean', 'Whether ended ones are listed, too. Default false.'],
      }),
    },
    resolve: ({ uuid: about }, args, context) => listed(context, { ...args, about }),
  }),
);

builder.queryField('statements', (t) =>
  t.field({
    type: StatementConnection,
    description: 'What was said, word for word, over all your conversations; the last said first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      ...argFields(t, {
        query: ['String', 'Words as they stand in the text, case-insensitive.'],
        about: ['ID', 'Uuid of an entity that they name.'],
        asOf: ['DateTime', 'Only those that held at this time. Default: those not ended.'],
        knownAt: ['DateTime', 'As memory knew at this time. Default: now.'],
        includeEnded: ['Boolean', 'Whether ended ones are listed, too. Default false.'],
      }),
    },
    resolve: (_root, args, context) => listed(context, args),
  }),
);
