import { IconCopy } from '@tabler/icons-react';
import {
  type ComponentProps,
  type ComponentType,
  createContext,
  startTransition,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import remarkBreaks from 'remark-breaks';
import remarkGfm from 'remark-gfm';
import { copyText } from './copy-text.ts';
import { HAS_FORMULA, placeFormulas, withPlaces } from './formulas.ts';
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
  /** Shows a link, or an image as one; absent: each opens a page of its own. */
  readonly link?: ComponentType<LinkProps>;
  /** Plugins of rehype, after the usual ones. */
  readonly plugins?: NonNullable<Options['rehypePlugins']>;
}) {
  const highlight = useHighlight(HAS_CODE.test(text));
  const [isWide, setWide] = useState(false);
  const { text: placed, formulas } = useMemo(
    () => (hasBreaks && HAS_FORMULA.test(text) ? withPlaces(text) : { text, formulas: [] }),
    [text, hasBreaks],
  );
  const draw = useDrawing(formulas.length > 0);
  const components = useMemo(() => (link === undefined ? COMPONENTS : linkedBy(link)), [link]);
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
            ...(formulas.length === 0 ? [] : [() => placeFormulas(formulas, draw ?? NOT_DRAWN)]),
            ...plugins,
          ]}
          components={components}
        >
          {placed}
        </ReactMarkdown>
      </div>
    </WideTables>
  );
}

/** A block of code in fences, which alone names its language. */
const HAS_CODE = /(?:^|\s)(?:`{3}|~{3})/;

const NOT_DRAWN = () => null;

/** The plugin that colours code; null until it is loaded. */
const useHighlight = lazyPart(async () => (await import('./highlight.ts')).highlight);
/** Draws formulas; null until it is loaded. */
const useDrawing = lazyPart(async () => (await import('./draw-formula.ts')).drawFormula);

/** A part of the renderer that is loaded with the first text that needs it. */
function lazyPart<Part>(load: () => Promise<Part>): (isNeeded: boolean) => Part | null {
  let loaded: Part | null = null;
  return (isNeeded) => {
    const [part, setPart] = useState<Part | null>(() => loaded);
    useEffect(() => {
      if (!isNeeded || loaded !== null) return;
      let isOver = false;
      void load().then(
        (found) => {
          loaded = found;
          // A long talk has many blocks: colours and formulas may come bit by bit.
          if (!isOver) startTransition(() => setPart(() => found));
        },
        () => {
          // The text stays as it was typed.
        },
      );
      return () => {
        isOver = true;
      };
    }, [isNeeded]);
    return isNeeded ? (part ?? loaded) : null;
  };
}

const linkedBy = (Shown: ComponentType<LinkProps>): Components => ({
  a: ({ href, children }) => <Shown href={href}>{children}</Shown>,
  img: ({ src, alt }) => (
    <Shown href={typeof src === 'string' ? src : undefined}>{alt || 'image'}</Shown>
  ),
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ node, dir, children }) => (
    <Table columns={node?.properties[COLUMNS]} dir={dir}>
      {children}
    </Table>
  ),
});

/** Shows all columns of the tables of a text. */
const WideTables = createContext<(isWide: boolean) => void>(() => {});

/** A table, which scrolls by itself. @param columns the number of all, where some are left out */
function Table({
  columns,
  dir,
  children,
}: { readonly columns: unknown } & Pick<ComponentProps<'table'>, 'dir' | 'children'>) {
  const setWide = useContext(WideTables);
  return (
    <>
      <div className="markdown-table">
        <table dir={dir}>{children}</table>
      </div>
      {typeof columns !== 'number' ? null : (
        <button type="button" className="link small run-link" onClick={() => setWide(true)}>
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

const COMPONENTS = linkedBy(OutsideLink);

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
