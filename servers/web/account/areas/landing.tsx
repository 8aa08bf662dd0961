import type { Pages } from '../../base/load-area.ts';
import { GonePage } from '../landing/account-deleted.tsx';
import { ContinuePage } from '../landing/authorize-app.tsx';
import { BackPage, SuccessPage } from '../landing/purchase.tsx';
import { UndoPage } from '../landing/undo-email-change.tsx';

export const pages: Pages = {
  '/account/continue': ContinuePage,
  '/account/undo': UndoPage,
  '/account/gone': GonePage,
  '/billing/success': SuccessPage,
  '/billing/return': BackPage,
};
