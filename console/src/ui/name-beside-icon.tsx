import type { ReactNode } from 'react';
import { useMedia } from './use-media.ts';

/** The name beside the icon of a button. A phone draws the icon alone, and reads the name. */
export function NameBesideIcon({
  className,
  children,
}: {
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const isSmall = useMedia('(max-width: 760px)');
  return <span className={isSmall ? 'visually-hidden' : className}>{children}</span>;
}
