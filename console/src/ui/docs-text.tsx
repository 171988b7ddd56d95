import { useEffect, useMemo } from 'react';
import { Link } from 'wouter';
import { isPageName, type PageName } from './docs-pages.ts';
import { slugOf } from './docs-sections.ts';
import { DocsTab } from './docs-tab.tsx';
import type { HtmlNode } from './html-node.ts';
import { type LinkProps, Markdown, OutsideLink } from './markdown.tsx';

/** A text of the docs. Its headings have anchors, and its links to other pages lead there. */
export function DocsText({
  text,
  page,
  isPart = false,
}: {
  readonly text: string;
  /** The page that it is from. */
  readonly page: PageName;
  /** Whether it is shown beside something else, which its links must not leave. */
  readonly isPart?: boolean;
}) {
  useEffect(() => {
    if (!isPart) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [isPart]);
  // Another component at each render would lose the focus of a link.
  const link = useMemo(
    () =>
      ({ href = '', children }: LinkProps) => {
        if (/^https?:/.test(href)) return <OutsideLink href={href}>{children}</OutsideLink>;
        const [, name = page, anchor = ''] = LINK.exec(href) ?? ['', ''];
        // Other files of the repository are not here.
        if (!isPageName(name)) return <span>{children}</span>;
        if (isPart)
          return (
            <DocsTab page={name} anchor={anchor}>
              {children}
            </DocsTab>
          );
        if (name === page) return <a href={anchor}>{children}</a>;
        return <Link href={`/docs/${name}${anchor}`}>{children}</Link>;
      },
    [page, isPart],
  );
  return <Markdown text={text} hasBreaks={false} link={link} plugins={ANCHORS} />;
}

/** A link of a page: to another one, to a heading, or to a heading of another one. */
const LINK = /^(?:([\w-]+)\.md)?(#.*)?$/;

/** A plugin that gives each heading the anchor of its words. */
const anchors = () => (tree: HtmlNode) => {
  for (const node of tree.children ?? [])
    if (/^h[1-6]$/.test(node.tagName ?? ''))
      node.properties = { ...node.properties, id: slugOf(wordsOf(node)) };
};
const ANCHORS = [anchors];

function wordsOf({ value = '', children = [] }: HtmlNode): string {
  return value + children.map(wordsOf).join('');
}
