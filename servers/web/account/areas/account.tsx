import type { Pages } from '../../base/load-area.ts';
import { DeletePage } from '../delete-account.tsx';
import { ProfilePage } from '../profile.tsx';
import { SessionsPage } from '../sessions.tsx';

export const pages: Pages = {
  '/account': ProfilePage,
  '/account/sessions': SessionsPage,
  '/account/delete': DeletePage,
};
