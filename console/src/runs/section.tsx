import type { ReactNode } from 'react';

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
  return (
    <section className="col gap-4">
      <div className="row spread">
        <h3>{title}</h3>
        {note === undefined ? null : <span className="small faint">{note}</span>}
      </div>
      {children}
    </section>
  );
}
