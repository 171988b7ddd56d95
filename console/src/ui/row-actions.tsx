import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** The head of a column of buttons. */
export function ActionsHead() {
  return (
    <th>
      <span className="visually-hidden">Actions</span>
    </th>
  );
}

/** The buttons of a row, at its end. */
export function RowActions({ children }: { readonly children: ReactNode }) {
  return (
    <span className="row gap-0" style={{ justifyContent: 'flex-end' }}>
      {children}
    </span>
  );
}

/** Icon of the button that resumes what is paused, and pauses what is not. */
export function PauseIcon({ isPaused }: { readonly isPaused: boolean }) {
  const Icon = isPaused ? IconPlayerPlay : IconPlayerPause;
  return <Icon size={16} className="icon" />;
}
