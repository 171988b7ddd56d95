import {
  IconBinaryTree2,
  IconBrain,
  IconChevronLeft,
  IconChevronRight,
  IconCopy,
  IconGitFork,
  IconPencil,
  IconPlayerStop,
  IconRefresh,
  IconSearchOff,
  IconSend2,
} from '@tabler/icons-react';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import {
  AddVersionDocument,
  AnswerDocument,
  CancelRunDocument,
  ConversationDocument,
  type ConversationQuery,
  ForkDocument,
  RenameConversationDocument,
  SendDocument,
  ShowVersionDocument,
  type TurnFragment,
} from '../generated/documents.ts';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { copyText } from '../ui/copy-text.ts';
import { firstLine } from '../ui/format.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { NameBesideIcon } from '../ui/name-beside-icon.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Problems, Unread } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { useKept } from '../ui/use-kept.ts';
import { useMedia } from '../ui/use-media.ts';
import { useAnswerers, useFirstAnswerer } from './answerers.ts';
import { attachedOf, partOf, wordsOf } from './attached.ts';
import {
  AttachButton,
  AttachedChips,
  pastedFiles,
  useAttachments,
  useDrop,
} from './attachments.tsx';
import { ConversationActions } from './conversation-actions.tsx';
import { MemoryPanel } from './memory-panel.tsx';
import { MessageContent } from './message-content.tsx';
import { RatingButtons, RatingWord } from './ratings.tsx';
import { StalePart, staleFrom, useAnsweringAgain, versionOf } from './stale-part.tsx';
import { TurnTree } from './turn-tree.tsx';
import { useConversation } from './use-conversation.ts';

type Conversation = NonNullable<ConversationQuery['conversation']>;

/** One conversation: its active path as a chat, its tree, and the memory that a model is shown. */
export function Talk({
  id,
  side,
  newButton,
  onWriting,
}: {
  readonly id: string;
  readonly side: ReactNode;
  readonly newButton: ReactNode;
  /** Called when an answer on screen begins to be written, and when none is any more. */
  readonly onWriting: (isWriting: boolean) => void;
}) {
  const [{ data, error }, again] = useConversation(id);
  const conversation = data?.conversation;
  const isWriting =
    conversation?.activePath.some(({ alternatives }) =>
      alternatives.some(({ isActive, cacheStatus }) => isActive && cacheStatus === 'GENERATING'),
    ) === true;
  useEffect(() => {
    onWriting(isWriting);
    return () => onWriting(false);
  }, [isWriting, onWriting]);
  const crumbs = [{ label: 'Conversations', to: '/conversations' }];
  if (conversation == null)
    return (
      <Page title="Conversation" crumbs={crumbs} actions={newButton}>
        {data !== undefined || error?.graphQLErrors[0]?.extensions['code'] === 'BAD_USER_INPUT' ? (
          <Empty
            icon={<IconSearchOff size={28} className="icon" stroke={1.5} />}
            title="No such conversation"
          >
            Nothing has the id <code>{id}</code>, or it belongs to another user.
          </Empty>
        ) : (
          <Unread rows={8} error={error} onRetry={again} />
        )}
      </Page>
    );
  return <Loaded conversation={conversation} side={side} newButton={newButton} again={again} />;
}

type Side = 'memory' | 'tree' | 'none';

/** Narrower than this, tree and working memory are pages over the chat. */
const NARROW = '(max-width: 1100px)';

function Loaded({
  conversation,
  side,
  newButton,
  again,
}: {
  readonly conversation: Conversation;
  readonly side: ReactNode;
  readonly newButton: ReactNode;
  readonly again: () => void;
}) {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('side');
  const atFirst: Side = useMedia(NARROW) ? 'none' : 'memory';
  const shown: Side = asked === 'tree' || asked === 'memory' || asked === 'none' ? asked : atFirst;
  const show = (next: Side) => setSearch(next === atFirst ? {} : { side: next }, { replace: true });
  const path = conversation.activePath;
  const from = staleFrom(path);
  const answering = useAnsweringAgain(path, from, again);
  const last = path.at(-1);
  const end = useRef<HTMLDivElement>(null);
  // A link to a source names the turn to come to.
  const wanted = search.get('turn');
  const isElsewhere = wanted !== null && !path.some(({ id }) => id === wanted);
  const reached = useRef<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const lastKey = `${path.length} ${last?.alternatives.find(({ isActive }) => isActive)?.id}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the end of the path changes
  useEffect(() => {
    const turn = wanted === null || reached.current === wanted ? null : turnElement(wanted);
    reached.current = wanted;
    turn?.focus({ preventScroll: true });
    const arrive = () => {
      if (turn !== null) turn.scrollIntoView({ block: 'center' });
      else end.current?.scrollIntoView({ block: 'end' });
    };
    arrive();
    // An answer grows when its Markdown is drawn. One that is being written moves no reader.
    const isWriting = writingRun(conversation) !== null;
    return isWriting || list.current === null ? undefined : stayAt(list.current, arrive);
  }, [lastKey, wanted]);
  useEffect(() => {
    // A second click on the link changes nothing of the address, and leads there all the same.
    const come = () => {
      const isSame = wanted !== null && new URLSearchParams(location.search).get('turn') === wanted;
      const turn = isSame ? turnElement(wanted) : null;
      if (turn !== null) comeTo(turn);
    };
    addEventListener('pushState', come);
    return () => removeEventListener('pushState', come);
  }, [wanted]);

  return (
    <Page
      title={conversation.title ?? 'Untitled'}
      crumbs={[{ label: 'Conversations', to: '/conversations' }]}
      meta={
        conversation.forkedFrom == null ? null : (
          <Link href={`/conversations/${conversation.forkedFrom.conversation.id}`} className="tag">
            <IconGitFork size={13} className="icon" />
            from {conversation.forkedFrom.conversation.title ?? 'Untitled'}
          </Link>
        )
      }
      actions={
        <>
          <button
            type="button"
            className="button plain"
            aria-pressed={shown === 'tree'}
            onClick={() => show(shown === 'tree' ? 'none' : 'tree')}
          >
            <IconBinaryTree2 size={15} className="icon" />
            <NameBesideIcon>Tree</NameBesideIcon>
          </button>
          <button
            type="button"
            className="button plain"
            aria-pressed={shown === 'memory'}
            onClick={() => show(shown === 'memory' ? 'none' : 'memory')}
          >
            <IconBrain size={15} className="icon" />
            <NameBesideIcon>Working memory</NameBesideIcon>
          </button>
          <ConversationActions conversation={conversation} again={again} />
          <CopyMenu
            document={ConversationDocument}
            variables={{ id: conversation.id }}
            cli={`npx aiden chat --conversation ${conversation.id}`}
          />
          {newButton}
        </>
      }
    >
      <div className={`talk${shown === 'none' ? ' wide' : ''}`}>
        {side}
        <div className="talk-main">
          <div className="messages" ref={list}>
            {path.length === 0 ? (
              <Empty
                icon={<IconSend2 size={26} className="icon" stroke={1.5} />}
                title="Say something"
              >
                The Process you choose below answers. It sees this conversation and the memories
                that your message calls for.
              </Empty>
            ) : (
              path.map((turn, index) => (
                <Fragment key={turn.id}>
                  {index === from ? (
                    <StalePart path={path} from={from} answering={answering} again={again} />
                  ) : null}
                  <Message
                    turn={turn}
                    above={path[index - 1]}
                    below={path[index + 1]}
                    isStale={index >= from}
                    isWanted={turn.id === wanted}
                    isFirstSeen={turn.id === wanted || index >= path.length - FIRST_SEEN}
                    conversation={conversation}
                    again={again}
                  />
                </Fragment>
              ))
            )}
            {isElsewhere ? (
              <p className="notice stale-part" role="status">
                The message you came for stands in another version of this conversation. The Tree
                has them all.
              </p>
            ) : null}
            <div ref={end} />
          </div>
          <Composer conversation={conversation} again={again} />
        </div>
        {shown === 'none' ? null : (
          <aside
            className="panel talk-side"
            aria-label={shown === 'tree' ? 'Tree of turns' : 'Working memory'}
          >
            {shown === 'tree' ? (
              <TurnTree
                conversation={conversation}
                at={lastKey + conversation.updatedAt}
                onShown={() => {
                  if (atFirst === 'none') show('none');
                  again();
                }}
              />
            ) : (
              <MemoryPanel id={conversation.id} at={lastKey + conversation.updatedAt} />
            )}
          </aside>
        )}
      </div>
    </Page>
  );
}

/** The number of messages at the end that a screen may show at once. */
const FIRST_SEEN = 3;

function turnElement(id: string): HTMLElement | null {
  return document.getElementById(`turn-${id}`);
}

/** Events by which a reader scrolls, points or types. */
const OF_A_READER = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Comes to a place again whenever the messages grow, until the reader does something. */
function stayAt(messages: HTMLElement, arrive: () => void): () => void {
  const sizes = new ResizeObserver(arrive);
  for (const message of messages.children) sizes.observe(message);
  const stop = () => {
    sizes.disconnect();
    for (const event of OF_A_READER) removeEventListener(event, stop, { capture: true });
  };
  for (const event of OF_A_READER) addEventListener(event, stop, { capture: true });
  return stop;
}

/** Shows a message, and lets keys and screen readers go on from it. */
function comeTo(turn: HTMLElement): void {
  turn.focus({ preventScroll: true });
  turn.scrollIntoView({ block: 'center' });
}

function Message({
  turn,
  above,
  below,
  isStale,
  isWanted,
  isFirstSeen,
  conversation,
  again,
}: {
  readonly turn: TurnFragment;
  readonly above: TurnFragment | undefined;
  readonly below: TurnFragment | undefined;
  readonly isStale: boolean;
  /** Whether a link led to it. */
  readonly isWanted: boolean;
  /** Whether it is on screen when the conversation opens. */
  readonly isFirstSeen: boolean;
  readonly conversation: Conversation;
  readonly again: () => void;
}) {
  const [, go] = useLocation();
  const { value: draft, set: setDraft } = useKept<string | null>(`edit ${turn.id}`, () => null);
  const show = useChange(ShowVersionDocument);
  const add = useChange(AddVersionDocument);
  const generate = useChange(AnswerDocument);
  const fork = useChange(ForkDocument);
  const version = versionOf(turn);
  if (version === undefined) return null;
  const isAgent = turn.speaker === 'AGENT';
  const at = turn.alternatives.findIndex(({ id }) => id === version.id);
  const words = wordsOf(version.content, version.parts);
  // Another tab may have switched versions; a new version answers the one on this screen.
  const answered = versionOf(above);
  const follows = answered === undefined ? {} : { respondsToId: answered.id };

  const step = async (by: number) => {
    const next = turn.alternatives[at + by];
    if (next !== undefined && (await show.send({ input: { id: next.id } })) !== null) again();
  };
  const edit = async () => {
    if (draft === null || draft.trim() === '') return;
    const parts = attachedOf(version.parts).map(partOf);
    const input = { turnId: turn.id, content: draft, parts, ...follows };
    const done = await add.send({ input });
    const edited = done?.addAlternative.alternative?.id;
    if (edited === undefined) return;
    setDraft(null);
    // A stale message is edited where it was said, so the versions above it come back.
    if (isStale) await show.send({ input: { id: edited, wholePath: true } });
    again();
    if (await answer(edited)) again();
  };
  /** Lets the new version be answered: by the turn below, else by the conversation's Process. */
  const answer = async (edited: string) => {
    if (below?.speaker === 'AGENT')
      return (await add.send({ input: { turnId: below.id, respondsToId: edited } })) !== null;
    const processId = conversation.defaultProcess?.id;
    if (processId === undefined) return false;
    const input = { conversationId: conversation.id, parentAlternativeId: edited, processId };
    return (await generate.send({ input })) !== null;
  };
  const regenerate = async () => {
    if ((await add.send({ input: { turnId: turn.id, ...follows } })) !== null) again();
  };
  const branch = async () => {
    const done = await fork.send({
      input: { conversationId: conversation.id, turnId: turn.id, alternativeId: version.id },
    });
    const id = done?.forkConversation.conversation?.id;
    if (id === undefined) return;
    notify('A new conversation continues from here.');
    go(`/conversations/${id}`);
  };

  return (
    <article
      id={`turn-${turn.id}`}
      tabIndex={-1}
      className={[
        'message',
        turn.speaker.toLowerCase(),
        ...(isStale ? ['stale'] : []),
        ...(isWanted ? ['wanted'] : []),
      ].join(' ')}
      aria-label={speakerOf(turn)}
    >
      <header className="row small">
        <span className="strong">{speakerOf(turn)}</span>
        {version.executedBy == null ? null : (
          <span className="faint">{version.executedBy.name}</span>
        )}
        <span className="faint">
          <Time at={version.saidAt} />
        </span>
        {isStale ? (
          <span
            className="status tone-wait"
            title="It, or a message above it, answers another version. A model does not see it."
          >
            Stale
          </span>
        ) : null}
        <span className="grow" />
        {turn.alternatives.length < 2 ? null : (
          <span className="row gap-0 versions">
            <IconButton
              label="Earlier version"
              className="tiny"
              disabled={at === 0 || show.isSending}
              onClick={() => void step(-1)}
            >
              <IconChevronLeft size={14} className="icon" />
            </IconButton>
            <span className="num small">
              {at + 1}/{turn.alternatives.length}
            </span>
            <IconButton
              label="Later version"
              className="tiny"
              disabled={at === turn.alternatives.length - 1 || show.isSending}
              onClick={() => void step(1)}
            >
              <IconChevronRight size={14} className="icon" />
            </IconButton>
          </span>
        )}
        {isAgent ? <RatingButtons version={version} /> : null}
        <span className="row gap-0 message-actions">
          {isAgent ? (
            <IconButton
              label="Regenerate"
              className="tiny"
              aria-busy={add.isSending}
              disabled={add.isSending || version.cacheStatus === 'GENERATING'}
              onClick={() => void regenerate()}
            >
              <IconRefresh size={14} className="icon" />
            </IconButton>
          ) : (
            <IconButton label="Edit" className="tiny" onClick={() => setDraft(words)}>
              <IconPencil size={14} className="icon" />
            </IconButton>
          )}
          <IconButton
            label="Copy the message"
            className="tiny"
            onClick={() => copyText(version.content)}
          >
            <IconCopy size={14} className="icon" />
          </IconButton>
          <IconButton
            label="Fork from here"
            className="tiny"
            aria-busy={fork.isSending}
            disabled={fork.isSending}
            onClick={() => void branch()}
          >
            <IconGitFork size={14} className="icon" />
          </IconButton>
        </span>
      </header>
      {draft === null ? (
        <>
          <MessageContent
            key={version.id}
            version={version}
            isAgent={isAgent}
            isFirstSeen={isFirstSeen}
            conversationId={conversation.id}
            questionTurnId={above?.id ?? null}
          />
          {isAgent ? <RatingWord key={version.id} version={version} /> : null}
        </>
      ) : (
        <div className="col">
          <textarea
            className="input"
            rows={4}
            aria-label="Edited message"
            dir="auto"
            value={draft}
            onChange={({ target }) => setDraft(target.value)}
          />
          <div className="row">
            <button
              type="button"
              className="button primary"
              aria-busy={add.isSending}
              disabled={add.isSending || draft.trim() === ''}
              onClick={() => void edit()}
            >
              Save and answer
            </button>
            <button type="button" className="button plain" onClick={() => setDraft(null)}>
              Cancel
            </button>
            <span className="small dim">
              It is answered anew. What follows becomes stale; nothing is deleted.
            </span>
          </div>
        </div>
      )}
      <Problems
        problems={[...show.problems, ...add.problems, ...generate.problems, ...fork.problems]}
      />
    </article>
  );
}

function speakerOf({ speaker }: TurnFragment): string {
  return speaker === 'AGENT' ? 'Agent' : speaker === 'USER' ? 'You' : 'System';
}

const TITLE_CHARS = 60;

/** Id of the run that writes the answer on screen; null where none does. */
function writingRun({ activePath }: Conversation): string | null {
  const versions = activePath.flatMap(({ alternatives }) => alternatives);
  const found = versions.find(
    ({ isActive, cacheStatus, run }) => isActive && cacheStatus === 'GENERATING' && run != null,
  );
  return found?.run?.id ?? null;
}

function Composer({
  conversation,
  again,
}: {
  readonly conversation: Conversation;
  readonly again: () => void;
}) {
  const { value: text, set: setText } = useKept(`message ${conversation.id}`, () => '');
  const [processId, setProcessId] = useState<string | null>(null);
  const send = useChange(SendDocument);
  const answerers = useAnswerers();
  const first = useFirstAnswerer();
  const chosen = processId ?? conversation.defaultProcess?.id ?? first?.id ?? '';
  const rename = useChange(RenameConversationDocument);
  const cancel = useChange(CancelRunDocument);
  const writing = writingRun(conversation);
  const path = conversation.activePath;
  const attached = useAttachments(conversation.id);
  const isReady =
    (text.trim() !== '' || attached.files.length > 0) && chosen !== '' && !attached.isUploading;
  const submit = async () => {
    if (!isReady || send.isSending) return;
    // Another tab may have switched versions; the message follows the one on this screen.
    const parent = versionOf(path[staleFrom(path) - 1]);
    const follows = parent === undefined ? {} : { parentAlternativeId: parent.id };
    const done = await send.send({
      input: {
        conversationId: conversation.id,
        content: text.trim() === '' ? '' : text,
        parts: attached.files.map(partOf),
        processId: chosen,
        activateParent: true,
        ...follows,
      },
    });
    if (done === null) return;
    // More may be typed meanwhile.
    setText((typed) => (typed.startsWith(text) ? typed.slice(text.length) : typed));
    attached.clear();
    again();
    if (conversation.title !== null || conversation.activePath.length > 0) return;
    const title = firstLine(
      text.trim() === '' ? (attached.files[0]?.name ?? '') : text,
      TITLE_CHARS,
    );
    if ((await rename.send({ input: { id: conversation.id, title } })) !== null) again();
  };
  const stop = async (id: string) => {
    if ((await cancel.send({ input: { id, reason: 'Stopped in the chat' } })) !== null) again();
  };
  const isOver = useDrop((files) => void attached.add(files));
  return (
    <div className="composer">
      <Problems problems={[...send.problems, ...cancel.problems]} />
      <div className={`composer-box${isOver ? ' over' : ''}`}>
        <AttachedChips
          files={attached.files}
          isUploading={attached.isUploading}
          onRemove={attached.remove}
        />
        <textarea
          rows={2}
          placeholder={isOver ? 'Drop the files to attach them' : 'Write a message'}
          aria-label="Message"
          dir="auto"
          data-pastes="files"
          // biome-ignore lint/a11y/noAutofocus: people open this screen to write.
          autoFocus
          value={text}
          onChange={({ target }) => setText(target.value)}
          onPaste={(event) => {
            const files = pastedFiles(event.clipboardData);
            if (files.length === 0) return;
            event.preventDefault();
            void attached.add(files);
          }}
          onKeyDown={(event) => {
            // Enter ends the composition of a word in Japanese or Chinese.
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            void submit();
          }}
        />
        <div className="row">
          <AttachButton onChoose={(files) => void attached.add(files)} />
          <label className="row gap-4 small dim composer-by">
            Answered by
            <select
              className="input"
              value={chosen}
              onChange={({ target }) => setProcessId(target.value)}
            >
              {answerers.map(({ id, name, owner }) => (
                <option key={id} value={id}>
                  {/* Another user may share a Process of the same name. */}
                  {answerers.some((other) => other.id !== id && other.name === name)
                    ? `${name} of ${owner.name}`
                    : name}
                </option>
              ))}
              {conversation.defaultProcess != null &&
              !answerers.some(({ id }) => id === conversation.defaultProcess?.id) ? (
                <option value={conversation.defaultProcess.id}>
                  {conversation.defaultProcess.name}
                </option>
              ) : null}
            </select>
          </label>
          <span className="grow" />
          <span className="faint small composer-hint">Enter sends, Shift Enter for a new line</span>
          {writing === null ? null : (
            <button
              type="button"
              className="button"
              aria-busy={cancel.isSending}
              disabled={cancel.isSending}
              onClick={() => void stop(writing)}
            >
              <IconPlayerStop size={15} className="icon" />
              Stop
            </button>
          )}
          <button
            type="button"
            className="button primary"
            aria-busy={send.isSending}
            disabled={send.isSending || !isReady}
            onClick={() => void submit()}
          >
            <IconSend2 size={15} className="icon" />
            Send
          </button>
        </div>
      </div>
    </div>
  );
}
