import { IconEraser } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import {
  ForgetDocument,
  ForgetsDocument,
  type ForgetsFieldsFragment,
  type ProblemFragment,
} from '../generated/documents.ts';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { plural } from '../ui/format.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Fault, Loading, Problems } from '../ui/states.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';

interface Memory {
  /** Id of the node, which the preview reads. */
  readonly id: string;
  readonly uuid: string;
  /** Name of the entity, or the words of the fact or statement. */
  readonly text: string;
}

interface Forgetting {
  readonly memory: Memory;
  readonly onDone: () => void;
}

/** The dialog says in words what is deleted with a statement: the API counts none of it. */
const WITH_A_STATEMENT = ['the statement', 'the facts that it states'];

/** The button in the row of a fact or a statement. */
export function ForgetRow({
  kind,
  memory,
  onDone,
}: Forgetting & { readonly kind: 'fact' | 'statement' }) {
  const [isOpen, setOpen] = useState(false);
  const change = useChange(ForgetDocument);
  const variables = { input: { uuid: memory.uuid } };
  return (
    <>
      <ForgetIcon text={memory.text} onClick={() => setOpen(true)} />
      {isOpen ? (
        <ForgetDialog
          title={`Forget this ${kind}`}
          memory={memory}
          goes={kind === 'statement' ? WITH_A_STATEMENT : null}
          problems={change.problems}
          isSending={change.isSending}
          copy={
            <CopyMenu document={ForgetDocument} variables={variables} cli={commandOf(memory)} />
          }
          onForget={async () => {
            if ((await change.send(variables)) === null) return;
            notify(`Forgot the ${kind}.`);
            setOpen(false);
            onDone();
          }}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}

/** The button of an entity's page, or the small one of its row. */
export function ForgetEntity({
  memory,
  isRow = false,
  onDone,
}: Forgetting & { readonly isRow?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const change = useChange(ForgetDocument);
  const { uuid } = memory;
  return (
    <>
      {isRow ? (
        <ForgetIcon text={memory.text} onClick={() => setOpen(true)} />
      ) : (
        <button type="button" className="button" onClick={() => setOpen(true)}>
          <IconEraser size={15} className="icon" />
          Forget
        </button>
      )}
      {isOpen ? (
        <ForgetDialog
          title={`Forget ${memory.text}`}
          memory={memory}
          goes={null}
          problems={change.problems}
          isSending={change.isSending}
          copy={
            <CopyMenu
              document={ForgetDocument}
              variables={{ input: { uuid } }}
              cli={commandOf(memory)}
            />
          }
          onForget={async (facts) => {
            // A fact that was read since the dialog opened is not lost unseen.
            const done = await change.send({ input: { uuid, confirmFacts: facts } });
            if (done === null) return;
            notify(`Forgot ${memory.text}.`);
            setOpen(false);
            onDone();
          }}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}

function ForgetIcon({ text, onClick }: { readonly text: string; readonly onClick: () => void }) {
  return (
    <IconButton label={`Forget “${text}”`} className="tiny" onClick={onClick}>
      <IconEraser size={15} className="icon" />
    </IconButton>
  );
}

function commandOf({ id }: Memory): string {
  return `npx aiden memory forget ${id}`;
}

function ForgetDialog({
  title,
  memory,
  goes,
  problems,
  isSending,
  copy,
  onForget,
  onClose,
}: {
  readonly title: string;
  readonly memory: Memory;
  /** What is deleted. Null: the dialog asks the API. */
  readonly goes: readonly string[] | null;
  readonly problems: readonly ProblemFragment[];
  readonly isSending: boolean;
  readonly copy: ReactNode;
  /** Called with the number of facts that go. */
  readonly onForget: (facts: number) => Promise<void>;
  readonly onClose: () => void;
}) {
  const [{ data, error }, again] = useQuery({
    query: ForgetsDocument,
    variables: { id: memory.id },
    requestPolicy: 'network-only',
    pause: goes !== null,
  });
  const node = data?.node;
  const forgets = node != null && 'forgets' in node ? node.forgets : undefined;
  const lines = goes ?? (forgets === undefined ? undefined : linesOf(forgets));
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      {title.includes(memory.text) ? null : <p className="prose">{memory.text}</p>}
      {lines === undefined ? (
        error === undefined && data === undefined ? (
          <Loading rows={3} />
        ) : error === undefined ? (
          <p className="dim">It is forgotten already.</p>
        ) : (
          <Fault error={error} onRetry={again} />
        )
      ) : (
        <>
          <p className="dim small">This is deleted:</p>
          <ul className="list boxed" aria-label="Goes with it">
            {lines.map((line) => (
              <li key={line} className="item">
                {line}
              </li>
            ))}
          </ul>
          <p className="small dim">
            It can't be undone. The words of the conversation stay, and search may quote them. Only
            words that are said from now on can bring it back.
          </p>
        </>
      )}
      <Problems problems={problems} />
      <div className="row">
        <button
          type="button"
          className="button danger"
          disabled={lines === undefined || isSending}
          onClick={() => void onForget(forgets?.facts ?? 0)}
        >
          <IconEraser size={15} className="icon" />
          {isSending ? 'Forgetting …' : 'Forget'}
        </button>
        {problems.some(({ code }) => code === 'CONFLICT') ? (
          <button type="button" className="button" onClick={() => again()}>
            Look again
          </button>
        ) : null}
        {copy}
      </div>
    </Dialog>
  );
}

function linesOf({
  facts,
  statements,
  mentions,
  summaries,
  vectors,
  conversations,
}: ForgetsFieldsFragment) {
  return [
    facts > 0 ? plural(facts, 'fact') : '',
    statements > 0 ? plural(statements, 'statement') : '',
    mentions > 0 ? plural(mentions, 'mention') : '',
    summaries > 0 ? plural(summaries, 'summary') : '',
    vectors > 0 ? plural(vectors, 'vector') : '',
    conversations > 0 ? `its place in ${plural(conversations, 'conversation')}` : '',
  ].filter((line) => line !== '');
}
