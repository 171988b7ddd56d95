import { plural } from '../ui/format.ts';
import type { DraftNote, SentenceDraft } from './sentence-draft.ts';

const NOTHING =
  'Nothing of this became a step. Name what it does with words such as fetch, summarise or send.';
const BY_MODEL = 'A model wrote this draft: read it before you save.';
const BY_WORDS = 'Made by words that are alike; no model wrote it.';

/** The parts of a sentence that became steps, and the choices that are left to its author. */
export function DraftNotes({
  draft: { begun, understood, open, byModel, nearest },
  onNearest,
  onStep = null,
}: {
  readonly draft: SentenceDraft;
  /** Begins from a Process of this name instead. */
  readonly onNearest: (name: string) => void;
  /** Opens a step of the draft; null: it has no editor beside it. */
  readonly onStep?: ((stepId: string) => void) | null;
}) {
  const parts = plural(understood.length, 'part');
  const counts =
    `A draft of your sentence, not saved yet: ${parts} understood, ` +
    `${plural(open.length, 'choice')} left to you.`;
  return (
    <details className="draft-notes small" open>
      <summary>{begun === null ? NOTHING : `${counts} ${byModel ? BY_MODEL : BY_WORDS}`}</summary>
      <div className="draft-notes-lists">
        <Notes title="Left to you" notes={open} onStep={onStep} />
        <Notes title="Understood" notes={understood} onStep={onStep} />
        {nearest.length === 0 ? null : (
          <section className="col gap-4">
            <h2>Or begin from</h2>
            <div className="row wrap">
              {nearest.map((name) => (
                <button
                  key={name}
                  type="button"
                  className="button tiny"
                  onClick={() => onNearest(name)}
                >
                  {name}
                </button>
              ))}
            </div>
          </section>
        )}
      </div>
    </details>
  );
}

function Notes({
  title,
  notes,
  onStep,
}: {
  readonly title: string;
  readonly notes: readonly DraftNote[];
  readonly onStep: ((stepId: string) => void) | null;
}) {
  if (notes.length === 0) return null;
  return (
    <section className="col gap-4">
      <h2>{title}</h2>
      <ul className="col gap-4">
        {notes.map(({ words, text, stepId }, index) => (
          // Two notes may be equal, and the list never changes.
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
          <li key={index}>
            {stepId === null ? null : onStep === null ? (
              <span className="mono faint">{stepId} </span>
            ) : (
              <>
                <button type="button" className="link mono" onClick={() => onStep(stepId)}>
                  {stepId}
                </button>{' '}
              </>
            )}
            {words === '' ? null : <span className="strong">“{words}” </span>}
            <span className="dim">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
