import { firstLine } from '../ui/format.ts';
import { Day } from '../ui/time.tsx';
import { EntityLink, FactTimes } from './fact-parts.tsx';

interface StatementTimes {
  readonly speaker: string;
  readonly saidAt: string;
  readonly validAt: string;
  readonly invalidAt?: string | null;
  readonly recordedAt: string;
  readonly endedBy?: { readonly content: string } | null;
  readonly about?: readonly { readonly uuid: string; readonly name: string }[];
}

/** The speaker, the two times, the words that ended it and the entities of a statement. */
export function StatementLine({
  statement: { speaker, saidAt, validAt, invalidAt, recordedAt, endedBy, about = [] },
  without,
}: {
  readonly statement: StatementTimes;
  /** Uuid of the entity whose page this is; its own link adds nothing. */
  readonly without?: string;
}) {
  return (
    <p className="row wrap small dim">
      <span>
        said by {speaker} <Day at={saidAt} />
      </span>
      <FactTimes fact={{ validAt, invalidAt, createdAt: recordedAt }} />
      {endedBy == null ? null : <span>ended by “{firstLine(endedBy.content)}”</span>}
      {about
        .filter(({ uuid }) => uuid !== without)
        .map((entity) => (
          <EntityLink key={entity.uuid} entity={entity} />
        ))}
    </p>
  );
}
