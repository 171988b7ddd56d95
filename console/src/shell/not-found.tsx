import { IconMapOff } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

export function NotFound() {
  return (
    <Page title="Not found">
      <Empty
        icon={<IconMapOff size={28} className="icon" stroke={1.5} />}
        title="The console has no such page"
        actions={
          <Link href="/" className="button">
            Go to Home
          </Link>
        }
      >
        The link may be from another version. Press <kbd>Ctrl K</kbd> to search.
      </Empty>
    </Page>
  );
}
