import { Link } from 'wouter';
import { isPageName, PAGES, type PageName } from '../ui/docs-pages.ts';
import { headingsOf } from '../ui/docs-sections.ts';
import { DocsText } from '../ui/docs-text.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Loading } from '../ui/states.tsx';
import { usePage } from '../ui/use-docs-page.ts';

const CRUMBS = [{ label: 'Docs', to: '/docs' }];

/** A page of the docs that come with the console, beside a list of all. */
export function DocsPage({ page }: { readonly page: string }) {
  if (!isPageName(page))
    return (
      <Page title="No such page" crumbs={CRUMBS}>
        <Empty icon={null} title="No such page">
          The docs have no page <code>{page}</code>.
        </Empty>
      </Page>
    );
  return (
    <Page title={PAGES[page]} crumbs={CRUMBS}>
      <div className="page-body pad docs">
        <nav className="docs-list small" aria-label="Pages of the docs">
          {Object.entries(PAGES).map(([name, title]) => (
            <Link
              key={name}
              href={`/docs/${name}`}
              className="link"
              aria-current={name === page ? 'page' : undefined}
            >
              {title}
            </Link>
          ))}
        </nav>
        <Text key={page} page={page} />
      </div>
    </Page>
  );
}

function Text({ page }: { readonly page: PageName }) {
  const read = usePage(page);
  if (read.state === 'reading') return <Loading rows={12} />;
  if (read.state === 'failed')
    return <p role="alert">This page cannot be loaded now. Load it again in a moment.</p>;
  const [title, ...headings] = headingsOf(read.text);
  return (
    <div className="col gap-16">
      <details>
        <summary className="small dim">On this page</summary>
        <ul className="col gap-4 small">
          {headings
            .filter(({ level }) => level === 2)
            .map(({ slug, title: words }) => (
              <li key={slug}>
                <a className="link" href={`#${slug}`}>
                  {words.replaceAll('`', '')}
                </a>
              </li>
            ))}
        </ul>
      </details>
      <div className="prose">
        <DocsText
          page={page}
          text={read.text
            .split('\n')
            .slice((title?.line ?? -1) + 1)
            .join('\n')}
        />
      </div>
    </div>
  );
}
