import { openLanguage } from '../../packages/local-llm/src/language.ts';
import { findNames } from '../../packages/local-llm/src/names.ts';
import { statementsIn } from '../../packages/local-llm/src/statements.ts';
import { NOTHING_EXTRACTED } from '../../src/memory-graph/extraction/extraction.ts';
import {
  type KnownStatement,
  planStatements,
} from '../../src/memory-graph/statements/statement-plan.ts';
import { isReplaced } from '../supersession/by-meaning.ts';
import type { SeenBlind } from './play.ts';
import type { BlindTalk } from './talk.ts';

// The statements of a blind talk as local-llm reads them turn by turn and the product plans them,
// without servers. Entities, triples and answers are left out.

const OWNER = 'Runa';
const language = openLanguage();

export function readOffline(talk: BlindTalk): SeenBlind {
  const known = new Map<string, KnownStatement>();
  for (const [at, turns] of talk.conversations.entries())
    for (const { speaker, saidAt, text } of turns) {
      if (speaker === 'AGENT') continue;
      const { sentences } = language.parse(`${OWNER}: ${text}`);
      const given = statementsIn(sentences, findNames(sentences), saidAt).map((one) => ({
        ...{ text: one.text, validAt: one.validAt, invalidAt: one.invalidAt },
        ...{ attribute: null, about: [], ends: [] },
      }));
      const plan = planStatements(given, [...known.values()], {
        extraction: NOTHING_EXTRACTED,
        ...{ saidBy: OWNER, isOwner: true, ownerName: OWNER, groupId: 'g' },
        ...{ saidAt, now: saidAt, episodeUuid: saidAt, conversationId: `c${at}` },
        uuidOf: ({ text: words }) => `${saidAt} ${words}`,
        replaces: isReplaced,
      });
      for (const [uuid, end] of plan.ended) {
        const before = known.get(uuid);
        if (before !== undefined) known.set(uuid, { ...before, ...end });
      }
      for (const created of plan.created) known.set(created.uuid, created);
    }
  const statements = [...known.values()].filter(({ invalidAt }) => invalidAt === null);
  return { statements, entities: [], triples: [], answers: [] };
}
