import { instant } from '../common/clock.ts';
import { entryOf } from '../common/entry-of.ts';
import { NAME_CHARS_MAX } from '../common/limits.ts';
import type { Maybe } from '../common/maybe.ts';
import { type Problem, problem, Refusal, refuse } from '../common/refusal.ts';
import { findConversations } from '../conversations/conversation.cypher.ts';
import {
  type ConversationDeps,
  openConversation,
} from '../conversations/conversation.mutations.ts';
import { appendTurn } from '../conversations/turn.mutations.ts';
import type { Turn } from '../conversations/turn.ts';
import { derivedId } from '../memory-graph/derived-id.service.ts';
import type { Viewer } from '../users/user.ts';

export interface RememberText {
  /** What the user said, in the user's words. */
  readonly text: string;
  /** Time at which it was said, RFC 3339. Default: now. */
  readonly saidAt?: Maybe<string>;
  /** The program that asks, such as the name of an editor. Default: `memory`. */
  readonly source?: Maybe<string>;
  readonly idempotencyKey?: Maybe<string>;
}

const SOURCE_DEFAULT = 'memory';
/** Conversations of one source and month: another one begins where the user archived one. */
const PER_MONTH_MAX = 20;

/**
 * Remembers a text of the user outside of a talk: appends it as a turn without an answer to the
 * conversation of this source and month. It is found at once, and read like any other turn.
 * @throws Refusal INVALID at `source`; STATE at `source` where the user archived too many of its
 * conversations; as appendTurn at `text`, `saidAt` and `idempotencyKey`
 */
export async function rememberText(
  deps: ConversationDeps,
  viewer: Viewer,
  { text, source, ...rest }: RememberText,
): Promise<Turn> {
  const name = (source ?? '').trim() || SOURCE_DEFAULT;
  refuse(checkSource(name));
  try {
    const conversationId = await openMonth(deps, viewer, name);
    return await appendTurn(deps, viewer, { ...rest, conversationId, content: text });
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(error.problems.map(asAsked)) : error;
  }
}

function checkSource(name: string): Problem[] {
  if (name.length <= NAME_CHARS_MAX / 2) return [];
  return [problem('INVALID', ['source'], `At most ${NAME_CHARS_MAX / 2} characters.`)];
}

const ASKED_AS: Readonly<Record<string, string>> = { content: 'text', conversationId: 'source' };

/** The caller gave a text and a source, no content and no conversation. */
function asAsked({ code, path, message }: Problem): Problem {
  const [first = '', ...rest] = path;
  const named = entryOf(ASKED_AS, String(first)) ?? first;
  return problem(code, [named, ...rest], message);
}

async function openMonth(deps: ConversationDeps, viewer: Viewer, source: string): Promise<string> {
  const month = instant(deps.clock).slice(0, 'YYYY-MM'.length);
  const ids = Array.from({ length: PER_MONTH_MAX }, (_, index) =>
    derivedId('remembered', viewer.userId, source, month, String(index)),
  );
  const known = await deps.graph.read((tx) => findConversations(tx, viewer.userId, ids));
  const archived = new Set(known.flatMap(({ id, status }) => (status === 'archived' ? [id] : [])));
  const id = ids.find((one) => !archived.has(one));
  if (id === undefined) {
    const message = `You archived ${PER_MONTH_MAX} conversations of "${source}" in ${month}.`;
    throw Refusal.of('STATE', ['source'], message);
  }
  const isOpen = known.some((one) => one.id === id);
  if (!isOpen)
    await openConversation(deps, viewer, { id, title: `Remembered by ${source}, ${month}` });
  return id;
}
