import {
  IconCloudOff,
  IconDeviceDesktop,
  IconHelp,
  IconMoon,
  IconSearch,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { useQuery } from 'urql';
import { Link, useLocation } from 'wouter';
import { connection } from '../api/connection.ts';
import { refuseToken } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { ViewerDocument } from '../generated/documents.ts';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { NameBesideIcon } from '../ui/name-beside-icon.tsx';
import { chooseTheme, theme } from '../ui/theme.ts';
import { Help } from './help.tsx';
import { Palette } from './palette.tsx';
import { PLACES } from './places.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { useShortcuts } from './use-shortcuts.ts';

const THEMES = [
  { id: 'light', label: 'Light', icon: IconSun },
  { id: 'dark', label: 'Dark', icon: IconMoon },
  { id: 'system', label: 'As the system', icon: IconDeviceDesktop },
] as const;

export function Shell({ children }: { readonly children: ReactNode }) {
  const [location] = useLocation();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const { isDown } = useStore(connection);
  const chosen = useStore(theme);
  const [{ data }] = useQuery({ query: ViewerDocument });
  const main = useRef<HTMLElement>(null);
  useKeptFocus(main);
  useShortcuts({ openPalette: () => setPaletteOpen(true), openHelp: () => setHelpOpen(true) });

  return (
    <div className="shell">
      <a href="#main" className="button skip">
        Skip to the content
      </a>
      <nav className="side" aria-label="Screens">
        <div className="brand">
          <Mark />
          Aiden
        </div>
        <button type="button" className="search-button" onClick={() => setPaletteOpen(true)}>
          <IconSearch size={15} className="icon" />
          <NameBesideIcon className="grow">Search or go to</NameBesideIcon>
          <kbd className="hide-small">Ctrl K</kbd>
        </button>
        {PLACES.map(({ to, label, icon: Icon }) => (
          <Link
            key={to}
            href={to}
            className="nav"
            aria-label={label}
            aria-current={isIn(location, to) ? 'page' : undefined}
          >
            <Icon size={17} className="icon" stroke={1.75} />
            <span className="hide-small">{label}</span>
          </Link>
        ))}
        <div className="foot">
          <button type="button" className="button plain" onClick={() => setHelpOpen(true)}>
            <IconHelp size={17} className="icon" stroke={1.75} />
            <span className="grow">Help</span>
            <kbd>?</kbd>
          </button>
          <Menu
            align="start"
            trigger={
              <button type="button" className="button plain">
                <IconUserCircle size={17} className="icon" stroke={1.75} />
                <NameBesideIcon className="grow clip">
                  {data?.viewer.name ?? 'Not signed in'}
                </NameBesideIcon>
                {data?.viewer.roles.includes('ADMIN') ? (
                  <span className="tag hide-small">admin</span>
                ) : null}
              </button>
            }
          >
            <MenuLabel>Theme</MenuLabel>
            {THEMES.map(({ id, label, icon: Icon }) => (
              <MenuItem key={id} onSelect={() => chooseTheme(id)}>
                <Icon size={15} className="icon" />
                <span className="grow">{label}</span>
                {id === chosen ? '✓' : null}
              </MenuItem>
            ))}
            <MenuLine />
            <MenuItem onSelect={() => refuseToken('')}>
              <IconUserCircle size={15} className="icon" />
              Sign in as another user
            </MenuItem>
          </Menu>
        </div>
      </nav>
      <main className="main" id="main" ref={main} tabIndex={-1}>
        {isDown ? (
          <div className="lost" role="status">
            <IconCloudOff size={16} className="icon" />
            The API does not answer. The page shows the last data and continues by itself.
          </div>
        ) : null}
        {children}
      </main>
      <Palette isOpen={isPaletteOpen} onClose={() => setPaletteOpen(false)} />
      <Help isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}

function isIn(location: string, to: string): boolean {
  return to === '/' ? location === '/' : location === to || location.startsWith(`${to}/`);
}

function Mark() {
  return (
    <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden className="icon">
      <rect width="32" height="32" rx="8" fill="#3b5bdb" />
      <path
        d="M8 23 L16 8 L24 23"
        fill="none"
        stroke="#fff"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="16" cy="19" r="2.6" fill="#fff" />
    </svg>
  );
}
