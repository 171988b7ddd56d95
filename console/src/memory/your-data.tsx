import { IconDownload, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useClient } from 'urql';
import { useLiveQuery } from '../api/use-live-query.ts';
import {
  DeleteMyDataDocument,
  ExportMyDataDocument,
  MyDataDocument,
} from '../generated/documents.ts';
import { Section } from '../runs/section.tsx';
import { download } from '../ui/download.ts';
import { plural } from '../ui/format.ts';
import { Problems, Unread } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { REQUEST_STATES } from '../ui/words.ts';

const CONFIRMATION = 'delete all my data';

/** An archive of everything of the user, or its deletion. */
export function YourData() {
  const [{ data, error }, again] = useLiveQuery({
    query: MyDataDocument,
    variables: {},
    everyMs: 3_000,
  });
  const exporting = useChange(ExportMyDataDocument);
  const deleting = useChange(DeleteMyDataDocument);
  const [confirm, setConfirm] = useState('');
  const remove = async (event: FormEvent) => {
    event.preventDefault();
    if ((await deleting.send({ input: { confirm } })) === null) return;
    notify('Everything of yours is deleted in about a minute.');
    again();
  };
  if (data === undefined) return <Unread error={error} onRetry={again} />;
  return (
    <div className="narrow pad-20 col gap-24">
      <Section title="Take it with you">
        <p className="dim">
          An archive of everything of yours, as gzipped JSON lines. It is kept for seven days.
        </p>
        <Problems problems={exporting.problems} />
        <span>
          <button
            type="button"
            className="button"
            aria-busy={exporting.isSending}
            disabled={exporting.isSending}
            onClick={async () => {
              if ((await exporting.send({})) !== null) again();
            }}
          >
            <IconDownload size={15} className="icon" />
            Make an archive
          </button>
        </span>
        {data.myDataRequests.length === 0 ? null : (
          <ul className="card list" aria-label="Requests">
            {data.myDataRequests.map((request) => (
              <li key={request.id} className="item row wrap">
                <span className="strong">{request.kind === 'EXPORT' ? 'Archive' : 'Deletion'}</span>
                <span className="tag">{REQUEST_STATES[request.status]}</span>
                <span className="grow dim clip small">{request.error ?? request.phase ?? ''}</span>
                <span className="faint small num">{plural(request.records, 'record')}</span>
                <span className="faint small">
                  <Time at={request.createdAt} />
                </span>
                {request.archive == null ? null : (
                  <Download uri={request.archive} at={request.createdAt} />
                )}
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="Forget everything">
        <p className="dim">
          It deletes your catalog, Processes, runs, conversations, memories, records, files and
          schedules, and your user. It begins about a minute after you ask and cannot be undone. It
          is refused while others use what you share.
        </p>
        <Problems problems={deleting.problems} />
        <form className="row wrap" onSubmit={(event) => void remove(event)}>
          <input
            className="input"
            aria-label={`Type “${CONFIRMATION}”`}
            placeholder={CONFIRMATION}
            value={confirm}
            onChange={({ target }) => setConfirm(target.value)}
          />
          <button
            type="submit"
            className="button danger"
            aria-busy={deleting.isSending}
            disabled={confirm !== CONFIRMATION || deleting.isSending}
          >
            <IconTrash size={15} className="icon" />
            Delete everything of mine
          </button>
        </form>
      </Section>
    </div>
  );
}

/** Saves an archive as a file. */
function Download({ uri, at }: { readonly uri: string; readonly at: string }) {
  const client = useClient();
  const [share, setShare] = useState<number | null>(null);
  return (
    <button
      type="button"
      className="button tiny"
      aria-busy={share !== null}
      disabled={share !== null}
      onClick={async () => {
        setShare(0);
        const name = `aiden-${at.split('T', 1)[0]}.jsonl.gz`;
        const fault = await download(client, uri, name, setShare);
        setShare(null);
        if (fault !== null) notify(fault, 'bad');
      }}
    >
      <IconDownload size={14} className="icon" />
      {share === null ? 'Download' : `${Math.round(share * 100)} %`}
    </button>
  );
}
