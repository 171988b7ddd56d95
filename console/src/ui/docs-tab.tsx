import type { ReactNode } from 'react';
import { useRouter } from 'wouter';
import type { PageName } from './docs-pages.ts';

/** A link that opens a page of the docs in a tab, so that a form stays as it is. */
export function DocsTab({
  page,
  anchor,
  className = '',
  children,
}: {
  readonly page: PageName;
  /** With its `#`; empty: the beginning of the page. */
  readonly anchor: string;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const { base } = useRouter();
  return (
    <a
      href={`${base}/docs/${page}${anchor}`}
      className={className}
      // biome-ignore lint/security/noBlankTarget: our own page, without a sign-in after noopener.
      target="_blank"
      // The sign-in is kept for a tab, and a tab that is opened so takes it over.
      rel="opener"
    >
      {children}
    </a>
  );
}
