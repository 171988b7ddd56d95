import { IconX } from '@tabler/icons-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';

export function Dialog({
  title,
  note,
  className = '',
  isOpen,
  onClose,
  children,
}: {
  readonly title: string;
  readonly note?: string;
  readonly className?: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="overlay" />
        <Radix.Content
          className={`dialog ${className}`}
          onOpenAutoFocus={(event) => {
            // The first field, or the dialog itself; not the button that closes.
            const dialog = event.currentTarget;
            if (!(dialog instanceof HTMLElement)) return;
            const field = dialog.querySelector<HTMLElement>(
              '.body input, .body select, .body textarea',
            );
            event.preventDefault();
            (field ?? dialog).focus();
          }}
          {...(note === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <header>
            <Radix.Title asChild>
              <h2>{title}</h2>
            </Radix.Title>
            <Radix.Close asChild>
              <IconButton label="Close" className="tiny">
                <IconX size={16} className="icon" />
              </IconButton>
            </Radix.Close>
          </header>
          <div className="body col gap-12">
            {note === undefined ? null : (
              <Radix.Description className="dim small">{note}</Radix.Description>
            )}
            {children}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
