import { z } from 'zod';
import type { Json, JsonObject } from '../common/json.ts';
import { Refusal, refuse } from '../common/refusal.ts';
import { findAnsweredBy } from '../conversations/said.cypher.ts';
import type { MemoryGraphDeps } from '../memory-graph/deps.ts';
import { rememberFact } from '../memory-graph/extraction/remember.mutations.ts';
import { writeAndWake } from '../outbox/write-and-wake.mutations.ts';
import type { Viewer } from '../users/user.ts';
import { listNotes } from '../working-memory/introspections/introspection.cypher.ts';
import { writeNotesIn } from '../working-memory/introspections/introspection.mutations.ts';
import {
  checkNoteContent,
  NOTE_CONTEXT_CHARS_MAX,
} from '../working-memory/introspections/introspection.ts';

const Remember = z.object({
  statement: z.string(),
  subject: z.string().nullish(),
  relation: z.string().nullish(),
  object: z.string().nullish(),
  since: z.string().nullish(),
  until: z.string().nullish(),
});

/**
 * Remembers a statement out of the message that the run answers: a fact with that message as its
 * evidence where it names subject, relation and object, else a note in the owner's carousel. A
 * repeated call writes nothing more.
 * @param rootRunId absent where no run calls
 * @throws Refusal STATE outside a conversation; REQUIRED, INVALID, NOT_FOUND
 */
export async function remember(
  deps: MemoryGraphDeps,
  viewer: Viewer,
  { inputs, rootRunId }: { readonly inputs: JsonObject; readonly rootRunId: string | undefined },
): Promise<Json> {
  const { statement, subject, relation, object, since, until } = Remember.parse(inputs);
  const parts = [subject, relation, object].filter((part) => part != null && part.trim() !== '');
  if (parts.length > 0 && parts.length < 3)
    throw Refusal.of(
      'REQUIRED',
      ['subject'],
      'A fact has subject, relation and object; a note none.',
    );
  const answered =
    rootRunId === undefined
      ? null
      : await deps.graph.read((tx) =>
          findAnsweredBy(tx, viewer.userId, { runId: rootRunId, chars: NOTE_CONTEXT_CHARS_MAX }),
        );
  if (answered === null || rootRunId === undefined)
    throw Refusal.of('STATE', ['statement'], 'Only a run that answers a message can remember it.');
  const { id: alternativeId, conversationId, content } = answered;
  const evidence = { alternativeId, conversationId };
  if (parts.length === 3) {
    const fact = {
      statement,
      subject: subject ?? '',
      relation: relation ?? '',
      object: object ?? '',
      since: since ?? null,
      until: until ?? null,
    };
    const written = await rememberFact(deps, viewer, { fact, alternativeId, runId: rootRunId });
    const { factUuids, entityUuids, episodeUuid } = written;
    const uuids = { factUuids: [...factUuids], entityUuids: [...entityUuids] };
    return { remembered: 'fact', ...uuids, evidence: { ...evidence, episodeUuid } };
  }
  const note = statement.trim();
  refuse(checkNoteContent(note).map((one) => ({ ...one, path: ['statement'] })));
  const id = await writeNote(deps, viewer, { note, conversationId, context: content });
  return { remembered: 'note', introspectionId: id, evidence };
}

/** Writes the note unless the carousel has it. @returns its id */
async function writeNote(
  deps: MemoryGraphDeps,
  { userId: ownerId, workspace }: Viewer,
  given: { readonly note: string; readonly conversationId: string; readonly context: string },
): Promise<string> {
  const { note, conversationId, context: conversationContext } = given;
  const { introspectionMaxRotation: maxRotation } = await deps.settings.current();
  return writeAndWake(deps, async (tx) => {
    const known = (await listNotes(tx, ownerId)).find((one) => one.content === note);
    if (known !== undefined) return known.id;
    const notes = [{ position: null, content: note }];
    const at = { ownerId, workspace, conversationId, conversationContext };
    const [written] = await writeNotesIn(deps, tx, { ...at, notes, maxRotation });
    return written ?? '';
  });
}
