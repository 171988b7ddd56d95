import { IconCopy } from '@tabler/icons-react';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import type rehypeHighlight from 'rehype-highlight';
import remarkBreaks from 'remark-breaks';
import remarkGfm from 'remark-gfm';
import { copyText } from './copy-text.ts';
import { useHeadingLevel } from './heading-level.tsx';
import { IconButton } from './icon-button.tsx';
import { textHeadings } from './text-headings.ts';

/**
 * The text of a model as Markdown, with tables and highlighted code. HTML in it is shown as text,
 * and an image is a link: the text of a model can neither run code nor make the page ask a server.
 */
export function Markdown({ text }: { readonly text: string }) {
  const highlight = useHighlight(HAS_CODE.test(text));
  return (
    <div className="markdown">
      <ReactMarkdown
        remarkPlugins={[remarkGfm, remarkBreaks]}
        rehypePlugins={[
          ...(highlight === null ? [] : [highlight]),
          [textHeadings, useHeadingLevel()],
        ]}
        components={COMPONENTS}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}

/** A block of code in fences, which alone names its language. */
const HAS_CODE = /(?:^|\s)(?:`{3}|~{3})/;

type Highlight = typeof rehypeHighlight;
let loaded: Highlight | null = null;

/** The plugin that colours code, where there is some; null until it is loaded. */
function useHighlight(isNeeded: boolean): Highlight | null {
  const [plugin, setPlugin] = useState<Highlight | null>(() => loaded);
  useEffect(() => {
    if (!isNeeded || loaded !== null) return;
    let isOver = false;
    void import('./highlight.ts').then(
      ({ highlight }) => {
        loaded = highlight;
        if (!isOver) setPlugin(() => highlight);
      },
      () => {
        // The code stays without colours.
      },
    );
    return () => {
      isOver = true;
    };
  }, [isNeeded]);
  return isNeeded ? (plugin ?? loaded) : null;
}

const COMPONENTS: Components = {
  a: ({ href, children }) => <OutsideLink href={href}>{children}</OutsideLink>,
  img: ({ src, alt }) => (
    <OutsideLink href={typeof src === 'string' ? src : undefined}>{alt || 'image'}</OutsideLink>
  ),
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children }) => (
    // A wide table scrolls by itself.
    <div className="markdown-table">
      <table>{children}</table>
    </div>
  ),
};

function OutsideLink({ href, children }: Pick<ComponentProps<'a'>, 'href' | 'children'>) {
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

function CodeBlock({ children }: Pick<ComponentProps<'pre'>, 'children'>) {
  const code = useRef<HTMLPreElement>(null);
  return (
    <div className="code-block">
      <IconButton
        label="Copy the code"
        className="tiny code-copy"
        onClick={() => copyText(code.current?.textContent ?? '')}
      >
        <IconCopy size={14} className="icon" />
      </IconButton>
      {/* Long lines are reached by the keyboard, too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region needs the focus. */}
      <pre ref={code} tabIndex={0}>
        {children}
      </pre>
    </div>
  );
}
