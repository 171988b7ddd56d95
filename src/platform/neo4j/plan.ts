import { Neo4jError, type Session } from 'neo4j-driver';

/**
 * Where a statement stands in its transaction. Neo4j keeps one plan for a transaction that has
 * written nothing yet, and another one for its later statements.
 */
export type PlanPlace = 'first' | 'after a write';

/** A statement at a place: what Neo4j keeps a plan of. */
export const planKey = (cypher: string, place: PlanPlace) => `${place}: ${cypher}`;

/** Opens a session that may read only, or write too. */
export type OpenSession = (mode: 'READ' | 'WRITE') => Session;

const NO_VALUES = { p: {} };
/** A read without values finds nothing, or is ended. A young JVM plans for up to five seconds. */
const MS_MAX = 20_000;
const WRITES = 'Neo.ClientError.Statement.AccessMode';
const IS_WRONG = /^Neo\.ClientError\.Statement\.(SyntaxError|SemanticError)$/;
/** Errors of the missing values; the statement was planned before. */
const IS_OF_VALUES = /^Neo\.ClientError\.(Statement|Procedure|General)\./;

/**
 * Lets Neo4j prepare a statement whose parameters are in one map, `$p`. It keeps the parsed text
 * and the plan apart: EXPLAIN makes the plan alone, and the first run would take 50 ms more for the
 * text (docs/decisions/0139). So the text itself is sent where it can't write.
 * @param place `after a write`: for both places
 * @throws Neo4jError for a statement that can't be planned, or where Neo4j is away
 */
export async function planStatement(
  open: OpenSession,
  text: string,
  place: PlanPlace,
): Promise<void> {
  const isWrite = await withSession(open('READ'), (session) => sendForReading(session, text));
  const explained = `EXPLAIN ${text}`;
  if (isWrite) await withSession(open('READ'), (session) => session.run(explained, NO_VALUES));
  if (place === 'after a write')
    await withSession(open('WRITE'), async (session) => {
      const tx = session.beginTransaction({ timeout: MS_MAX });
      try {
        await tx.run('CREATE (:Resource)');
        await tx.run(explained, NO_VALUES);
      } finally {
        await tx.rollback();
      }
    });
}

/** @returns whether Neo4j refused it as a write, with its text parsed */
async function sendForReading(session: Session, text: string): Promise<boolean> {
  try {
    await session.run(text, NO_VALUES, { timeout: MS_MAX });
    return false;
  } catch (error) {
    if (!(error instanceof Neo4jError)) throw error;
    if (error.code === WRITES) return true;
    if (IS_WRONG.test(error.code) || !IS_OF_VALUES.test(error.code)) throw error;
    return false;
  }
}

async function withSession<T>(session: Session, work: (session: Session) => Promise<T>) {
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}
