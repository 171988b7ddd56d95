import { IconCopy } from '@tabler/icons-react';
import {
  type ComponentProps,
  type ComponentType,
  createContext,
  startTransition,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import type rehypeHighlight from 'rehype-highlight';
import remarkBreaks from 'remark-breaks';
import remarkGfm from 'remark-gfm';
import { copyText } from './copy-text.ts';
import { useHeadingLevel } from './heading-level.tsx';
import { IconButton } from './icon-button.tsx';
import { COLUMNS, narrowTables } from './narrow-tables.ts';
import { textDirection } from './text-direction.ts';
import { textHeadings } from './text-headings.ts';

/**
 * The text of a model as Markdown, with tables and highlighted code. HTML in it is shown as text,
 * and an image is a link: the text of a model can neither run code nor make the page ask a server.
 */
export function Markdown({
  text,
  hasBreaks = true,
  link,
  plugins = [],
}: {
  readonly text: string;
  /** Whether the end of a line stays one. */
  readonly hasBreaks?: boolean;
  /** Shows a link; absent: each opens a page of its own. */
  readonly link?: ComponentType<LinkProps>;
  /** Plugins of rehype, after the usual ones. */
  readonly plugins?: NonNullable<Options['rehypePlugins']>;
}) {
  const highlight = useHighlight(HAS_CODE.test(text));
  const [isWide, setWide] = useState(false);
  return (
    <WideTables value={setWide}>
      <div className="markdown">
        <ReactMarkdown
          remarkPlugins={hasBreaks ? [remarkGfm, remarkBreaks] : [remarkGfm]}
          rehypePlugins={[
            ...(highlight === null ? [] : [highlight]),
            [textHeadings, useHeadingLevel()],
            ...(isWide ? [] : [narrowTables]),
            textDirection,
            ...plugins,
          ]}
          components={link === undefined ? COMPONENTS : { ...COMPONENTS, a: link }}
        >
          {text}
        </ReactMarkdown>
      </div>
    </WideTables>
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
        // A long talk has many blocks: colours may come bit by bit.
        if (!isOver) startTransition(() => setPlugin(() => highlight));
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
  table: ({ node, children }) => <Table columns={node?.properties[COLUMNS]}>{children}</Table>,
};

/** Shows all columns of the tables of a text. */
const WideTables = createContext<(isWide: boolean) => void>(() => {});

/** A table, which scrolls by itself. @param columns the number of all, where some are left out */
function Table({
  columns,
  children,
}: { readonly columns: unknown } & Pick<ComponentProps<'table'>, 'children'>) {
  const setWide = useContext(WideTables);
  return (
    <>
      <div className="markdown-table">
        <table>{children}</table>
      </div>
      {typeof columns !== 'number' ? null : (
        <button type="button" className="link small" onClick={() => setWide(true)}>
          Show all {columns.toLocaleString('en')} columns
        </button>
      )}
    </>
  );
}

export type LinkProps = Pick<ComponentProps<'a'>, 'href' | 'children'>;

export function OutsideLink({ href, children }: LinkProps) {
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
