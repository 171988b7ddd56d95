import { IconNotebook } from '@tabler/icons-react';
import { useLiveQuery } from '../api/use-live-query.ts';
import { ArchiveNoteDocument, IntrospectionsDocument } from '../generated/documents.ts';
import { Empty, Problems, Unread } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';

/** Notes that the product wrote about the user's conversations, as models receive them. */
export function Notes() {
  const [{ data, error }, again] = useLiveQuery({ query: IntrospectionsDocument, variables: {} });
  const archive = useChange(ArchiveNoteDocument);
  if (data === undefined) return <Unread error={error} onRetry={again} />;
  if (data.introspections.length === 0)
    return (
      <Empty icon={<IconNotebook size={28} className="icon" stroke={1.5} />} title="No note yet">
        After some compressions of long conversations the product writes notes: open questions,
        plans, contradictions. Models receive them in turn.
      </Empty>
    );
  return (
    <div className="narrow pad-20 col gap-12">
      <Problems problems={archive.problems} />
      <ul className="card list">
        {data.introspections.map(({ id, content, createdAt }) => (
          <li key={id} className="hit">
            <p className="prose">{content}</p>
            <p className="row small dim">
              <span className="grow">
                <Time at={createdAt} />
              </span>
              <button
                type="button"
                className="button tiny"
                disabled={archive.isSending}
                onClick={async () => {
                  if ((await archive.send({ input: { id } })) === null) return;
                  notify('Models no longer receive this note. It stays in the archive.');
                  again();
                }}
              >
                Archive
              </button>
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
