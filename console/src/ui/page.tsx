import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { Link } from 'wouter';

/** The frame of a screen: title, parent pages, actions, body. */
export function Page({
  title,
  crumbs = [],
  meta,
  actions,
  children,
}: {
  readonly title: string;
  readonly crumbs?: readonly { readonly label: string; readonly to: string }[];
  readonly meta?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Aiden`;
  }, [title]);
  return (
    <div className="page">
      <header className="page-head">
        <div className="crumbs">
          {crumbs.map(({ label, to }) => (
            <span key={to} className="row gap-4">
              <Link href={to}>{label}</Link>
              <span aria-hidden>/</span>
            </span>
          ))}
          <h1 className="clip" dir="auto">
            {title}
          </h1>
        </div>
        {meta}
        <div className="actions">{actions}</div>
      </header>
      {children}
    </div>
  );
}
