import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export function Menu({
  trigger,
  children,
  align = 'end',
}: {
  readonly trigger: ReactNode;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
}) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu" align={align} sideOffset={6} collisionPadding={8}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function MenuItem({
  onSelect,
  isDisabled = false,
  children,
}: {
  readonly onSelect: () => void;
  readonly isDisabled?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <Radix.Item className="menu-item" disabled={isDisabled} onSelect={onSelect}>
      {children}
    </Radix.Item>
  );
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <Radix.Label className="menu-label">{children}</Radix.Label>;
}

export function MenuLine() {
  return <Radix.Separator className="menu-line" />;
}
