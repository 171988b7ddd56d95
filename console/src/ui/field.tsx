import type { ReactNode } from 'react';

/** A control with its label. @param id of the control */
export function Field({
  id,
  label,
  children,
}: {
  readonly id: string;
  readonly label: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children}
    </div>
  );
}
