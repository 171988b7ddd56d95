import { IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useLiveQuery } from '../api/use-live-query.ts';
import { RateDocument, RatedDocument, type VersionFragment } from '../generated/documents.ts';
import { firstLine } from '../ui/format.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Empty, Problems, Unread } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { useChange } from '../ui/use-change.ts';
import { useKept } from '../ui/use-kept.ts';

const VERDICTS = {
  UP: { label: 'A good answer', Icon: IconThumbUp },
  DOWN: { label: 'Not a good answer', Icon: IconThumbDown },
} as const;
const VALUES = ['UP', 'DOWN'] as const;
const LISTED = 100;

/** The user's verdict on an answer: two buttons. The chosen one takes it back. */
export function RatingButtons({ version: { id, rating } }: { readonly version: VersionFragment }) {
  const rate = useChange(RateDocument);
  return (
    <span className={`row gap-0${rating == null ? ' message-actions' : ''}`}>
      {VALUES.map((value) => {
        const { label, Icon } = VERDICTS[value];
        const isChosen = rating?.value === value;
        return (
          <IconButton
            key={value}
            label={label}
            className="tiny"
            aria-pressed={isChosen}
            disabled={rate.isSending}
            onClick={() => void rate.send({ input: { id, value: isChosen ? null : value } })}
          >
            <Icon size={14} className="icon" />
          </IconButton>
        );
      })}
    </span>
  );
}

/** The word that goes with a verdict. */
export function RatingWord({ version: { id, rating } }: { readonly version: VersionFragment }) {
  const rate = useChange(RateDocument);
  const [isOpen, setOpen] = useState(false);
  const stored = rating?.comment ?? '';
  const { value: word, set, drop } = useKept(`rating ${id}`, () => stored);
  if (rating == null) return null;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const input = { id, value: rating.value, comment: word };
    if ((await rate.send({ input })) === null) return;
    drop();
    setOpen(false);
  };
  if (!isOpen && word === stored)
    return (
      <p className="row small dim">
        {stored === '' ? null : <span className="grow">Your word on it: {stored}</span>}
        <button type="button" className="button plain tiny" onClick={() => setOpen(true)}>
          {stored === '' ? 'Say why' : 'Change'}
        </button>
      </p>
    );
  return (
    <form className="row" onSubmit={(event) => void save(event)}>
      <input
        className="input grow"
        dir="auto"
        aria-label="Your word on the answer"
        placeholder="Your word on it"
        maxLength={2_000}
        value={word}
        onChange={({ target }) => set(target.value)}
      />
      <button type="submit" className="button" disabled={rate.isSending}>
        Keep it
      </button>
      <Problems problems={rate.problems} />
    </form>
  );
}

/** The filter of the rated answers that stands in the URL. */
export function ratedVariables(search: URLSearchParams) {
  return { value: VALUES.find((one) => one === search.get('verdict')) ?? null, first: LISTED };
}

/** The answers that the user rated, newest first. */
export function Ratings() {
  const [search, setSearch] = useSearchParams();
  const variables = ratedVariables(search);
  const { value } = variables;
  const [{ data, error }, again] = useLiveQuery({ query: RatedDocument, variables });
  const choice = (
    <select
      className="input"
      aria-label="Verdict"
      value={value ?? ''}
      onChange={({ target }) =>
        setSearch(
          { view: 'rated', ...(target.value === '' ? {} : { verdict: target.value }) },
          { replace: true },
        )
      }
    >
      <option value="">All verdicts</option>
      {VALUES.map((one) => (
        <option key={one} value={one}>
          {VERDICTS[one].label}
        </option>
      ))}
    </select>
  );
  if (data === undefined) return <Unread error={error} onRetry={again} />;
  const { nodes, totalCount } = data.ratedAlternatives;
  if (totalCount === 0 && value === null)
    return (
      <Empty icon={<IconThumbUp size={28} className="icon" stroke={1.5} />} title="No rated answer">
        Each answer in a conversation has a thumb up and a thumb down. What you say of it is kept
        here.
      </Empty>
    );
  return (
    <div className="narrow col gap-12 pad-20">
      <div className="row">
        {choice}
        <span className="faint small num">
          {totalCount > nodes.length ? `the newest ${nodes.length} of ` : ''}
          {totalCount}
        </span>
      </div>
      <ul className="card list">
        {nodes.map(({ id, content, rating, respondsTo, turn: { conversation } }) => {
          if (rating == null) return null;
          const { value: given, comment, updatedAt } = rating;
          const { label, Icon } = VERDICTS[given];
          return (
            <li key={id} className="hit">
              <span className="row">
                <span className={`status tone-${given === 'UP' ? 'ok' : 'bad'}`}>
                  <Icon size={14} className="icon" aria-hidden />
                  {label}
                </span>
                <span className="grow" />
                <span className="small faint">
                  <Time at={updatedAt} />
                </span>
              </span>
              {comment == null ? null : <p dir="auto">{comment}</p>}
              <p className="small dim clip-2" dir="auto">
                {firstLine(respondsTo?.content ?? '', 120)} → {firstLine(content, 200)}
              </p>
              <Link href={`/conversations/${conversation.id}`} className="link small run-link">
                {conversation.title ?? 'Untitled'}
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
