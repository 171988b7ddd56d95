import { Day } from '../ui/time.tsx';
import { EntityLink, FactTimes } from './fact-parts.tsx';

interface StatementTimes {
  readonly speaker: string;
  readonly saidAt: string;
  readonly validAt: string;
  readonly invalidAt?: string | null;
  readonly recordedAt: string;
  readonly about?: readonly { readonly uuid: string; readonly name: string }[];
}

/** The speaker, the two times and the entities of a statement. */
export function StatementLine({
  statement: { speaker, saidAt, validAt, invalidAt, recordedAt, about = [] },
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
      {about
        .filter(({ uuid }) => uuid !== without)
        .map((entity) => (
          <EntityLink key={entity.uuid} entity={entity} />
        ))}
    </p>
  );
}
