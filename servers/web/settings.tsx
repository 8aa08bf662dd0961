import type { Pages } from './parts.ts';
import { DeletePage } from './settings/delete.tsx';
import { ProfilePage } from './settings/profile.tsx';
import { SessionsPage } from './settings/sessions.tsx';

export const pages: Pages = {
  '/account': ProfilePage,
  '/account/sessions': SessionsPage,
  '/account/delete': DeletePage,
};
