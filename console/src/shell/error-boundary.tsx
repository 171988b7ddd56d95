import { IconAlertTriangle } from '@tabler/icons-react';
import { Component, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Empty } from '../ui/states.tsx';

/** A fault of one screen leaves the navigation standing, with advice in the screen's place. */
export function ErrorBoundary({ children }: { readonly children: ReactNode }) {
  const [at] = useLocation();
  return <Boundary at={at}>{children}</Boundary>;
}

class Boundary extends Component<
  { readonly at: string; readonly children: ReactNode },
  { readonly error: Error | null }
> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidMount(): void {
    addEventListener('online', this.loadAgain);
  }

  override componentDidUpdate({ at }: { readonly at: string }): void {
    // Another screen may be whole.
    if (this.state.error !== null && at !== this.props.at) this.setState({ error: null });
  }

  override componentWillUnmount(): void {
    removeEventListener('online', this.loadAgain);
  }

  /** A part of the console that could not be fetched comes with the page only. */
  readonly loadAgain = (): void => {
    if (this.state.error !== null) location.reload();
  };

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <Empty
        icon={<IconAlertTriangle size={28} className="icon" stroke={1.5} />}
        title="This screen failed"
        actions={
          <button type="button" className="button" onClick={() => location.reload()}>
            Try again
          </button>
        }
      >
        {error.message}. After an update of the product, or once the network is back, trying again
        is enough.
      </Empty>
    );
  }
}
