import { z } from 'zod';
import { textOrNull } from '../../common/stored.ts';

/**
 * What was said of a person or a thing, word for word, with its times: the documents' TemporalFact
 * (docs/decisions/0117).
 */
export const Statement = z.object({
  uuid: z.string(),
  text: z.string(),
  groupId: z.string(),
  /** The name of its speaker. */
  saidBy: z.string(),
  /** Whom or what it is about: `user` for the owner, else the key of a name. */
  subject: z.string(),
  /** A key such as `home`, of which a subject has one at a time; null where it gives none. */
  attribute: textOrNull,
  saidAt: z.string(),
  /** When it began to hold; its time of saying where no other was said. */
  validAt: z.string(),
  /** When it ceased to hold; null = it still holds. */
  invalidAt: textOrNull,
  /** When memory recorded it. */
  createdAt: z.string(),
  /** When memory recorded that it had ended. */
  expiredAt: textOrNull,
  /** Uuids of the Episodes that state it. */
  episodes: z.array(z.string()),
});
export type Statement = z.infer<typeof Statement>;

/** A statement as a model gives it. */
export interface ExtractedStatement {
  readonly text: string;
  /** Names; the first one has the attribute. Empty: it is the speaker's. */
  readonly about: readonly string[];
  /** A key such as `home`, of which one has one at a time; null: it is none. */
  readonly attribute: string | null;
  readonly validAt: string | null;
  readonly invalidAt: string | null;
  /** What it makes no longer true, in earlier words. */
  readonly ends: readonly string[];
}

/** A model's statements, and what its comparison with known facts said of them. */
export interface ReadStatements {
  readonly statements: readonly ExtractedStatement[];
  /** By the sentence's key: uuid of the known statement with the same meaning. */
  readonly repeated: ReadonlyMap<string, string>;
  /** By the sentence's key: uuids of known statements that it ends. */
  readonly ended: ReadonlyMap<string, readonly string[]>;
}

/** The subject of statements in which the owner of the memory speaks of themselves. */
export const OWNER_SUBJECT = 'user';
