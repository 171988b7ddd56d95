import { IconLockOff } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { provider, tokenFromProvider } from '../api/oidc.ts';
import { signInWith } from '../api/session.ts';
import { Page } from '../ui/page.tsx';
import { Empty, Loading } from '../ui/states.tsx';

/** The way back from the OpenID provider: takes the token and goes on to the page that was left. */
export function SignedIn() {
  const [, go] = useLocation();
  const [fault, setFault] = useState<string | null>(null);
  const isAsked = useRef(false);
  useEffect(() => {
    // The code can be used once only, and React runs effects twice in development.
    if (isAsked.current) return;
    isAsked.current = true;
    if (provider === null) {
      setFault('This installation has no OpenID provider.');
      return;
    }
    tokenFromProvider(provider).then(
      ({ token, path }) => {
        go(path, { replace: true });
        signInWith(token);
      },
      (error: unknown) => setFault(error instanceof Error ? error.message : String(error)),
    );
  }, [go]);
  return (
    <Page title="Sign in">
      {fault === null ? (
        <Loading rows={3} />
      ) : (
        <Empty
          icon={<IconLockOff size={28} className="icon" stroke={1.5} />}
          title="You are not signed in"
          actions={
            <Link href="/" className="button">
              Home
            </Link>
          }
        >
          The provider refused, or its answer is too old: {fault}
        </Empty>
      )}
    </Page>
  );
}
