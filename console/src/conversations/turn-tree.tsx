import { type ConversationQuery, ShowVersionDocument } from '../generated/documents.ts';
import { firstLine } from '../ui/format.ts';
import { Problems } from '../ui/states.tsx';
import { useChange } from '../ui/use-change.ts';

type Conversation = NonNullable<ConversationQuery['conversation']>;
type TreeTurn = Conversation['turns']['nodes'][number];

/** Every version of every turn, indented by the version that it follows. */
export function TurnTree({
  conversation,
  again,
}: {
  readonly conversation: Conversation;
  readonly again: () => void;
}) {
  const show = useChange(ShowVersionDocument);
  const turns = conversation.turns.nodes;
  const byVersion = Map.groupBy(turns, ({ viaAlternative }) => viaAlternative?.id ?? null);
  const byParent = Map.groupBy(turns, ({ parent }) => parent?.id ?? null);

  const rows = (turn: TreeTurn, depth: number): React.ReactNode => (
    <li key={turn.id}>
      {turn.alternatives.map((version) => (
        <div key={version.id}>
          <button
            type="button"
            className={`tree-row${version.isActive ? ' active' : ''}`}
            style={{ paddingLeft: 12 + Math.min(depth, 12) * 14 }}
            disabled={version.isActive || show.isSending}
            aria-current={version.isActive ? 'true' : undefined}
            onClick={async () => {
              if ((await show.send({ input: { id: version.id } })) !== null) again();
            }}
          >
            <span className="tag">
              {turn.speaker === 'AGENT' ? 'agent' : turn.speaker.toLowerCase()}
            </span>
            <span className="clip">{firstLine(version.content, 80) || '…'}</span>
            {version.cacheStatus === 'STALE' ? <span className="tag">stale</span> : null}
          </button>
          <ul>{(byVersion.get(version.id) ?? []).map((child) => rows(child, depth + 1))}</ul>
        </div>
      ))}
      <ul>
        {(byParent.get(turn.id) ?? [])
          .filter(({ viaAlternative }) => viaAlternative == null)
          .map((child) => rows(child, depth + 1))}
      </ul>
    </li>
  );

  return (
    <div className="panel-body col">
      <h2>Tree of turns</h2>
      <p className="dim small">Choose a version to continue from it. The others stay.</p>
      <Problems problems={show.problems} />
      <ul className="tree">
        {turns.filter(({ parent }) => parent == null).map((turn) => rows(turn, 0))}
      </ul>
    </div>
  );
}
