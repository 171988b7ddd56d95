import type { ComponentProps, ReactNode } from 'react';
import { Tooltip } from './tooltip.tsx';

/** A button that shows an icon only; its label is its tooltip and its accessible name. */
export function IconButton({
  label,
  children,
  className = '',
  ...rest
}: ComponentProps<'button'> & { readonly label: string; readonly children: ReactNode }) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        aria-label={label}
        className={`button plain icon-only ${className}`}
        {...rest}
      >
        {children}
      </button>
    </Tooltip>
  );
}
