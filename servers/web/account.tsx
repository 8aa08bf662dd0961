import { DeletePage } from './account/delete.tsx';
import { ProfilePage } from './account/profile.tsx';
import { SessionsPage } from './account/sessions.tsx';
import type { Pages } from './parts.ts';

export const pages: Pages = {
  '/account': ProfilePage,
  '/account/sessions': SessionsPage,
  '/account/delete': DeletePage,
};
