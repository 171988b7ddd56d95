import { findTurns } from '../../src/conversations/turn.cypher.ts';
import {
  findForgets,
  listTurnsOfForgotten,
} from '../../src/memory-graph/forgetting/forget.cypher.ts';
import {
  forgetEntity,
  forgetFact,
  forgetMemory,
  forgetStatement,
} from '../../src/memory-graph/forgetting/forget.mutations.ts';
import type {
  Forgets as ForgetsModel,
  Forgotten as ForgottenModel,
} from '../../src/memory-graph/forgetting/forgotten.ts';
import { findStatementsOn } from '../../src/memory-graph/statements/statement.cypher.ts';
import { builder, enumOf } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { ConversationTurn } from '../conversations/conversations.ts';
import { exposed, outputFields } from '../fields.ts';
import { loader } from '../loader.ts';
import { inputOf, mutation, payloadType } from '../payload.ts';
import { Entity, Fact } from './entities.ts';

export const MemoryKind = enumOf('MemoryKind', 'Kind of a memory that can be forgotten.', {
  fact: 'A fact.',
  entity: 'An entity.',
  statement: 'A statement.',
});

const Forgets = builder.objectRef<ForgetsModel>('Forgets').implement({
  description:
    'Numbers of the records that are deleted together with a fact, an entity or a statement.',
  fields: outputFields({
    facts: ['Int', 'Facts with their revisions. A fact counts itself.'],
    statements: [
      'Int',
      'Statements that name the entity, or that state the fact. A statement counts itself.',
    ],
    mentions: ['Int', 'Mentions of the entity by Episodes and Summaries. 0 for a fact.'],
    summaries: [
      'Int',
      "Summaries: the entity's own, and those of related entities that extraction or an " +
        'enrichment wrote and that name the lost end or state the fact. Summaries that a user ' +
        'wrote for a related entity stay.',
    ],
    vectors: ['Int', 'Vectors of facts and of the entity.'],
    conversations: ['Int', 'Conversations in which the entity is active. 0 for a fact.'],
  }),
});

const NO_FORGETS: ForgetsModel = {
  facts: 0,
  statements: 0,
  mentions: 0,
  summaries: 0,
  vectors: 0,
  conversations: 0,
};
const forgetsOf = (kind: 'fact' | 'entity') =>
  loader(async (context, uuids: readonly string[]) => {
    const { userId } = viewerOf(context);
    const of = kind === 'fact' ? { factUuids: uuids } : { entityUuids: uuids };
    const [found, told] = await context.graph.read(async (tx) => [
      await findForgets(tx, userId, kind, uuids),
      await findStatementsOn(tx, userId, of),
    ]);
    return uuids.map((uuid) => ({
      ...(found.get(uuid) ?? NO_FORGETS),
      statements: told.get(uuid)?.length ?? 0,
    }));
  });
const loadForgetsOfFact = forgetsOf('fact');
const loadForgetsOfEntity = forgetsOf('entity');

builder.objectFields(
  Fact,
  outputFields({
    forgets: [
      Forgets,
      'The records that forgetFact would delete now.',
      ({ uuid }, _args, context) => loadForgetsOfFact(context, uuid),
    ],
  }),
);
builder.objectFields(
  Entity,
  outputFields({
    forgets: [
      Forgets,
      'The records that forgetEntity would delete now.',
      ({ uuid }, _args, context) => loadForgetsOfEntity(context, uuid),
    ],
  }),
);

const Forgotten = builder.objectRef<ForgottenModel>('Forgotten').implement({
  description: 'A forgotten fact, entity or statement. Its words are not kept.',
  fields: (t) => ({
    ...exposed(t, {
      uuid: ['ID', 'Uuid that it had.'],
      memory: [MemoryKind, 'Its kind.', 'kind'],
      deletedAt: ['DateTime', 'Time of the deletion.', 'forgottenAt'],
      deleted: [Forgets, 'The records that were deleted.', (forgotten) => forgotten],
    }),
    turns: t.field({
      type: [ConversationTurn],
      description:
        'Turns of yours whose words still tell it, the newest first, at most 50. Search and ' +
        'recall may quote them; nothing is learned from them again.',
      async resolve({ uuid }, _args, context) {
        const { userId } = viewerOf(context);
        return context.graph.read(async (tx) => {
          const ids = await listTurnsOfForgotten(tx, userId, uuid);
          const turns = await findTurns(tx, userId, ids);
          return turns.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
        });
      },
    }),
  }),
});
const ForgetPayload = payloadType('ForgetPayload', 'forgotten', Forgotten);

const ForgetFactInput = inputOf('ForgetFactInput', 'Input of forgetFact.', {
  uuid: ['ID!', 'Uuid of the fact.'],
});
const confirmFacts =
  'Number of facts that you expect to lose, as `forgets` says. If the entity has another number ' +
  'now, nothing is deleted (CONFLICT). Default: not checked.';
const ForgetInput = inputOf('ForgetInput', 'Input of forget.', {
  uuid: ['ID!', 'Uuid of the fact, the statement or the entity.'],
  confirmFacts: ['Int', `For an entity. ${confirmFacts}`],
});
const ForgetStatementInput = inputOf('ForgetStatementInput', 'Input of forgetStatement.', {
  uuid: ['ID!', 'Uuid of the statement.'],
});
const ForgetEntityInput = inputOf('ForgetEntityInput', 'Input of forgetEntity.', {
  uuid: ['ID!', 'Uuid of the entity, or of one merged into it.'],
  confirmFacts: ['Int', confirmFacts],
});

// The descriptions say which words stay, because a user may expect more of the name.
const STAYS =
  'The words of the conversation stay (`turns` names them): Episodes, Summaries of ' +
  'conversations, introspections and the table of contents can still be read, and search and ' +
  'recall may quote them. Extraction does not learn it again from anything said before; words ' +
  'said later can. Backups and the records of runs keep it until they expire. Calling it again ' +
  'answers the same.';

mutation('forget', {
  description:
    'Deletes the fact, the statement or the entity of yours that has this uuid, as forgetFact, ' +
    `forgetStatement and forgetEntity do. It can't be undone. ${STAYS}`,
  input: [ForgetInput, 'The memory.'],
  payload: ForgetPayload,
  run: forgetMemory,
});
mutation('forgetStatement', {
  description:
    "Deletes a statement of yours with the facts that it states. It can't be undone. " + STAYS,
  input: [ForgetStatementInput, 'The statement.'],
  payload: ForgetPayload,
  run: forgetStatement,
});
mutation('forgetFact', {
  description:
    'Deletes a fact of yours with its vector, its revisions, the statements of it, and the ' +
    'summaries of its two ' +
    `entities that rest on it. It can't be undone. ${STAYS}`,
  input: [ForgetFactInput, 'The fact.'],
  payload: ForgetPayload,
  run: forgetFact,
});
mutation('forgetEntity', {
  description:
    'Deletes an entity of yours with its facts, statements, summaries, mentions, vectors and ' +
    'the uuids ' +
    `merged into it. It can't be undone. ${STAYS}`,
  input: [ForgetEntityInput, 'The entity.'],
  payload: ForgetPayload,
  run: forgetEntity,
});
