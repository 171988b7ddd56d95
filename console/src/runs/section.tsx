import type { ReactNode } from 'react';
import { UnderHeading, useHeadingLevel } from '../ui/heading-level.tsx';

/** A titled part of a panel or page. */
export function Section({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: string | undefined;
  readonly children: ReactNode;
}) {
  const Heading = `h${Math.min(useHeadingLevel(), 6)}` as 'h2';
  return (
    <section className="col gap-4">
      <div className="row spread">
        <Heading className="section-title">{title}</Heading>
        {note === undefined ? null : <span className="small faint">{note}</span>}
      </div>
      <UnderHeading>{children}</UnderHeading>
    </section>
  );
}
