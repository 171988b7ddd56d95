import { Link } from 'wouter';
import { Dialog } from '../ui/dialog.tsx';
import { HELP_KEY } from '../ui/help-button.tsx';
import { PLACES } from './places.ts';

const KEYS = [
  { keys: ['Ctrl', 'K'], does: 'Search or go to' },
  { keys: ['/'], does: 'Search this screen' },
  { keys: ['?'], does: 'Help' },
  { keys: [HELP_KEY], does: 'What the field takes, from the docs' },
  { keys: ['Esc'], does: 'Close a dialog or panel' },
  { keys: ['Alt', '← ↑ ↓ →'], does: 'Move a step in the graph of a Process' },
  { keys: ['Ctrl', 'S'], does: 'Save a Process' },
  { keys: ['Ctrl', 'Z'], does: 'Take the last change of a Process back' },
  { keys: ['Enter'], does: 'Send a message' },
  { keys: ['Shift', 'Enter'], does: 'A new line in a message' },
  { keys: ['Ctrl', 'Enter'], does: 'Start a run' },
];

/** The words of the console, in the order in which a newcomer meets them. */
const WORDS = [
  ['Service', 'A place where work is done: a database, an HTTP API, a model or an MCP server.'],
  ['Tool', 'One thing that a Service can do, with the inputs it takes.'],
  ['Secret', 'A password or key that Tools use. Nobody can read it again.'],
  ['Process', 'Steps that call Tools or other Processes, in an order and under conditions.'],
  ['Run', 'One execution of a Process, kept with all that went in and came out.'],
  ['Approval', 'A step that waits until a person has agreed.'],
  ['Version', 'A message or an answer that was written again; none is lost.'],
  ['Stale', 'Below a message that was changed: it answers the former version.'],
  ['Entity', 'A person, place or thing that memory knows by name.'],
  ['Fact', 'How two entities are related, from when to when.'],
  ['Statement', 'What someone said, in their own words, with the time it holds.'],
  ['Summary', 'The older part of a conversation, shortened for the model.'],
  ['Note', 'What the memory concluded by itself from several conversations.'],
  ['Contents', 'The table of contents of the memory: lines by time, each with its proof.'],
] as const;

/** Words of the console and its keys. */
export function Help({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const rows = [
    ...KEYS,
    ...PLACES.map(({ key, label }) => ({ keys: ['G', key.toUpperCase()], does: `Go to ${label}` })),
  ];
  return (
    <Dialog title="Help" isOpen={isOpen} onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to take the keyboard */}
      <div className="col" tabIndex={0}>
        <p>
          <Link href="/docs/authoring" className="link" onClick={onClose}>
            Read the docs
          </Link>
        </p>
        <h3>Words</h3>
        <dl className="words">
          {WORDS.map(([word, meaning]) => (
            <div key={word}>
              <dt className="strong">{word}</dt>
              <dd className="dim">{meaning}</dd>
            </div>
          ))}
        </dl>
        <h3>Keys</h3>
        <ul className="col">
          {rows.map(({ keys, does }) => (
            <li key={does} className="row spread">
              <span>{does}</span>
              <span className="row gap-4">
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
