import { BackPage, SuccessPage } from './ends/billing.tsx';
import { ContinuePage } from './ends/continue.tsx';
import { GonePage } from './ends/gone.tsx';
import { UndoPage } from './ends/undo.tsx';
import type { Pages } from './parts.ts';

export const pages: Pages = {
  '/account/continue': ContinuePage,
  '/account/undo': UndoPage,
  '/account/gone': GonePage,
  '/billing/success': SuccessPage,
  '/billing/return': BackPage,
};
