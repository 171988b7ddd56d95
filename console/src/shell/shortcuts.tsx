import { Dialog } from '../ui/dialog.tsx';
import { PLACES } from './places.ts';

const KEYS = [
  { keys: ['Ctrl', 'K'], does: 'Search or go to' },
  { keys: ['/'], does: 'Search this screen' },
  { keys: ['?'], does: 'This list' },
  { keys: ['Esc'], does: 'Close a dialog or panel' },
  { keys: ['Alt', '← ↑ ↓ →'], does: 'Move a step in the graph of a Process' },
  { keys: ['Ctrl', 'S'], does: 'Save a Process' },
  { keys: ['Ctrl', 'Z'], does: 'Take the last change of a Process back' },
  { keys: ['Enter'], does: 'Send a message' },
  { keys: ['Shift', 'Enter'], does: 'A new line in a message' },
  { keys: ['Ctrl', 'Enter'], does: 'Start a run' },
];

export function Shortcuts({
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
    <Dialog title="Shortcuts" isOpen={isOpen} onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to take the keyboard */}
      <ul className="col" tabIndex={0}>
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
    </Dialog>
  );
}
