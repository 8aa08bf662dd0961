import type { Pages } from '../base/areas.ts';
import { BackPage, SuccessPage } from './landing/billing.tsx';
import { ContinuePage } from './landing/continue.tsx';
import { GonePage } from './landing/gone.tsx';
import { UndoPage } from './landing/undo.tsx';

export const pages: Pages = {
  '/account/continue': ContinuePage,
  '/account/undo': UndoPage,
  '/account/gone': GonePage,
  '/billing/success': SuccessPage,
  '/billing/return': BackPage,
};
