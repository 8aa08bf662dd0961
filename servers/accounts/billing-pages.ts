import { html, PAGE, page } from '../http/html.ts';
import { type AnyRoute, route } from '../http/route.ts';

const landing = (path: string, summary: string, title: string, text: string): AnyRoute =>
  route({
    method: 'GET',
    path,
    summary,
    access: 'open',
    bucket: 'default',
    answers: { 200: { description: 'A small page.', ...PAGE } },
    run: async () => page(title, html`<section><h1>${title}</h1><p>${text}</p></section>`),
  });

/** Pages to which the payment provider sends buyers back, unless the settings name others. */
export const billingPages = (): readonly AnyRoute[] => [
  landing(
    '/billing/success',
    'After a purchase',
    'Thank you',
    'Your plan is active within a few seconds. You can close this page.',
  ),
  landing(
    '/billing/return',
    'After a visit to the portal',
    'Welcome back',
    'You can close this page and go on in the app.',
  ),
];
