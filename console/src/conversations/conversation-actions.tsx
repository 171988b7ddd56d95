import { IconArchive, IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { RenameConversationDocument } from '../generated/documents.ts';
import { UNDO_MS } from '../ui/deletions.ts';
import { Dialog } from '../ui/dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Problems } from '../ui/states.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';

/** Renames a conversation, and archives it or takes it up again. */
export function ConversationActions({
  conversation: { id, title, status },
  again,
}: {
  readonly conversation: {
    readonly id: string;
    readonly title: string | null;
    readonly status: string;
  };
  readonly again: () => void;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const update = useChange(RenameConversationDocument);
  const rename = async () => {
    if (draft === null || (await update.send({ input: { id, title: draft.trim() } })) === null)
      return;
    setDraft(null);
    again();
  };
  const isArchived = status === 'ARCHIVED';
  const setStatus = async (next: 'ACTIVE' | 'ARCHIVED') => {
    if ((await update.send({ input: { id, status: next } })) === null) return;
    again();
    if (next === 'ARCHIVED')
      notify('Archived. It takes no more messages.', 'ok', () => void setStatus('ACTIVE'), UNDO_MS);
  };
  return (
    <>
      <IconButton label="Rename" onClick={() => setDraft(title ?? '')}>
        <IconPencil size={16} className="icon" />
      </IconButton>
      <IconButton
        label={isArchived ? 'Take up again' : 'Archive'}
        aria-pressed={isArchived}
        disabled={update.isSending}
        onClick={() => void setStatus(isArchived ? 'ACTIVE' : 'ARCHIVED')}
      >
        <IconArchive size={16} className="icon" />
      </IconButton>
      <Dialog
        title="Rename the conversation"
        isOpen={draft !== null}
        onClose={() => setDraft(null)}
      >
        <form
          className="col gap-12"
          onSubmit={(event) => {
            event.preventDefault();
            void rename();
          }}
        >
          <input
            className="input"
            aria-label="Title"
            maxLength={200}
            value={draft ?? ''}
            onChange={({ target }) => setDraft(target.value)}
          />
          <Problems problems={update.problems} />
          <div className="row">
            <button
              type="submit"
              className="button primary"
              aria-busy={update.isSending}
              disabled={update.isSending || (draft ?? '').trim() === ''}
            >
              Rename
            </button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
