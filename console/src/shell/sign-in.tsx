import { type FormEvent, useState } from 'react';
import { leaveForProvider, provider } from '../api/oidc.ts';
import { session, signInAs, signInWith, signOut } from '../api/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextInput } from '../ui/field.tsx';

const NAME = /^[A-Za-z0-9._@-]{1,100}$/;

/** Over the page, when the API refused the token, or when the user wants to be another one. */
export function SignIn({ reason }: { readonly reason: string | null }) {
  const [name, setName] = useState('');
  const [isAdmin, setAdmin] = useState(true);
  const [token, setToken] = useState('');
  const isName = NAME.test(name) && name.toLowerCase() !== 'system';
  const close = () => session.set({ ...session.get(), refused: null });
  const [isLeaving, setLeaving] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const leave = async () => {
    if (provider === null) return;
    setLeaving(true);
    setFault(null);
    try {
      await leaveForProvider(provider);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
      setLeaving(false);
    }
  };
  const asName = (event: FormEvent) => {
    event.preventDefault();
    if (isName) signInAs(name, isAdmin);
  };
  const withToken = (event: FormEvent) => {
    event.preventDefault();
    if (token.trim() !== '') signInWith(token.trim().replace(/^Bearer /i, ''));
  };
  return (
    <Dialog
      title="Sign in"
      isOpen={reason !== null}
      onClose={close}
      {...(reason ? { note: reason } : {})}
    >
      {provider === null ? null : (
        <div className="col">
          <div className="row">
            <button
              type="button"
              className="button primary"
              disabled={isLeaving}
              onClick={() => void leave()}
            >
              {isLeaving ? 'Leaving …' : `Sign in with ${new URL(provider.authority).host}`}
            </button>
          </div>
          {fault === null ? null : (
            <p className="small" role="alert">
              The provider does not answer: {fault}
            </p>
          )}
        </div>
      )}
      {provider === null ? (
        <form className="col" onSubmit={asName}>
          <TextInput
            label="Name, on an installation in dev"
            placeholder="ada"
            autoComplete="username"
            value={name}
            onSet={setName}
          />
          <label className="row small">
            <input
              type="checkbox"
              checked={isAdmin}
              onChange={({ target }) => setAdmin(target.checked)}
            />
            As an admin, who sees Workers and settings
          </label>
          {name !== '' && !isName ? (
            <p className="small" role="alert">
              Letters, digits and . _ @ - only, and not “system”.
            </p>
          ) : null}
          <div className="row">
            <button type="submit" className="button primary" disabled={!isName}>
              Continue as {isName ? name : '…'}
            </button>
            <button type="button" className="button" onClick={signOut}>
              Continue as dev
            </button>
          </div>
        </form>
      ) : null}
      <hr style={{ width: '100%', border: 0, borderTop: '1px solid var(--line)' }} />
      <form className="col" onSubmit={withToken}>
        <TextInput
          label="Token (JWT), for any other installation"
          isMono
          rows={3}
          placeholder="eyJhbGciOi…"
          value={token}
          onSet={setToken}
        />
        <p className="small dim">It stays in this tab and is gone when the tab is closed.</p>
        <div className="row">
          <button type="submit" className="button" disabled={token.trim() === ''}>
            Continue with the token
          </button>
        </div>
      </form>
    </Dialog>
  );
}
