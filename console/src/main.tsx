import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/shell.css';
import './styles/screens.css';
import './styles/touch.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { guardPasting } from './ui/guard-pasting.ts';
import { nonce } from './ui/nonce.ts';
import { openTheme } from './ui/theme.ts';

// The library that locks scrolling under a dialog reads its nonce from this name.
Object.assign(globalThis, { __webpack_nonce__: nonce });
openTheme();
guardPasting();
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
