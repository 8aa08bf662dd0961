import type { Pages } from '../../base/load-area.ts';
import { AccountDeletedPage } from '../landing/account-deleted.tsx';
import { AuthorizeAppPage } from '../landing/authorize-app.tsx';
import { PortalReturnPage, PurchasePage } from '../landing/purchase.tsx';
import { UndoPage } from '../landing/undo-email-change.tsx';

export const pages: Pages = {
  '/account/continue': AuthorizeAppPage,
  '/account/undo': UndoPage,
  '/account/gone': AccountDeletedPage,
  '/billing/success': PurchasePage,
  '/billing/return': PortalReturnPage,
};
