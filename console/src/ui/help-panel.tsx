import { Dialog } from './dialog.tsx';
import { sectionOf, slugOf } from './docs-sections.ts';
import { DocsTab } from './docs-tab.tsx';
import { DocsText } from './docs-text.tsx';
import { TOPICS, type Topic } from './docs-topics.ts';
import { UnderHeading } from './heading-level.tsx';
import { Loading } from './states.tsx';
import { usePage } from './use-docs-page.ts';

/** The section of the docs about a field, over the form that it belongs to. */
export function HelpPanel({
  topic,
  onClose,
}: {
  readonly topic: Topic;
  readonly onClose: () => void;
}) {
  const [page, heading] = TOPICS[topic];
  const read = usePage(page);
  return (
    <Dialog title={heading.replace(/^\d+\. /, '')} className="help-panel" isOpen onClose={onClose}>
      <DocsTab page={page} anchor={`#${slugOf(heading)}`} className="link small">
        Open the page
      </DocsTab>
      {read.state === 'reading' ? (
        <Loading rows={6} />
      ) : read.state === 'failed' ? (
        <p role="alert">This page cannot be loaded now. Close it, and try again in a moment.</p>
      ) : (
        <UnderHeading>
          <div className="prose small">
            <DocsText isPart page={page} text={sectionOf(read.text, heading) ?? ''} />
          </div>
        </UnderHeading>
      )}
    </Dialog>
  );
}
