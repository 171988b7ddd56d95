import { IconAlertTriangle } from '@tabler/icons-react';
import { Component, type ReactNode } from 'react';
import { Empty } from '../ui/states.tsx';

/** A fault of one screen leaves the navigation standing, with advice in the screen's place. */
export class ErrorBoundary extends Component<
  { readonly children: ReactNode },
  { readonly error: Error | null }
> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <Empty
        icon={<IconAlertTriangle size={28} className="icon" stroke={1.5} />}
        title="This screen failed"
        actions={
          <button type="button" className="button" onClick={() => location.reload()}>
            Load the page again
          </button>
        }
      >
        {error.message}. After an update of the product, loading the page again is enough.
      </Empty>
    );
  }
}
