import {
  IconActivity,
  IconBook2,
  IconBrain,
  IconHome,
  IconMessages,
  IconPlayerPlay,
  IconSitemap,
} from '@tabler/icons-react';

/** The screens of the navigation. `key` opens one after the key G. */
export const PLACES = [
  { to: '/', label: 'Home', icon: IconHome, key: 'h' },
  { to: '/runs', label: 'Runs', icon: IconPlayerPlay, key: 'r' },
  { to: '/conversations', label: 'Conversations', icon: IconMessages, key: 'c' },
  { to: '/memory', label: 'Memory', icon: IconBrain, key: 'm' },
  { to: '/processes', label: 'Processes', icon: IconSitemap, key: 'p' },
  { to: '/catalog', label: 'Catalog', icon: IconBook2, key: 'a' },
  { to: '/operations', label: 'Operations', icon: IconActivity, key: 'o' },
] as const;
