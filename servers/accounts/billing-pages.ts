import { chooseLanguage } from '../../core/accounts/mail/languages.ts';
import { html } from '../http/page/html.ts';
import { type MakePage, PAGE_RESPONSE, type Texts } from '../http/page/page.ts';
import { type AnyRoute, openRoute } from '../http/route.ts';
import { MALFORMED_REQUEST, pageQuery } from '../pages/page-params.ts';

/** While `PAGES` is on, account pages take the place of these pages, and have these headers. */
const HEADER_DOCS_WITH_PAGES = {
  'X-Frame-Options': 'With `PAGES=on`: `DENY`',
  'Cross-Origin-Opener-Policy': 'With `PAGES=on`: `same-origin`',
  'Cross-Origin-Resource-Policy': 'With `PAGES=on`: `same-origin`',
  'Permissions-Policy': 'With `PAGES=on`: what the page never asks for',
} as const;

interface BillingPagesParts {
  readonly page: MakePage;
  /** Whether account pages replace the pages below: the reference then states the limit and the refusals of account pages. */
  readonly hasAccountPages: boolean;
}

const landing = (
  { page, hasAccountPages }: BillingPagesParts,
  path: string,
  summary: string,
  title: Texts,
  text: Texts,
): AnyRoute =>
  openRoute({
    method: 'GET',
    path,
    summary,
    ...(hasAccountPages && { bucket: 'pages', query: pageQuery }),
    answers: {
      200: {
        description: 'A small page.',
        ...PAGE_RESPONSE,
        headers: { ...PAGE_RESPONSE.headers, ...HEADER_DOCS_WITH_PAGES },
      },
      ...(hasAccountPages && { 400: MALFORMED_REQUEST }),
    },
    run: async ({ caller }) => {
      const language = chooseLanguage(caller.languages);
      const content = html`<section><h1>${title[language]}</h1><p>${text[language]}</p></section>`;
      return page({ language, title: title[language], content });
    },
  });

/** Pages to which the payment provider sends buyers back, unless the settings name others. */
export const billingPages = (parts: BillingPagesParts): readonly AnyRoute[] => [
  landing(
    parts,
    '/billing/success',
    'After a purchase',
    { en: 'Thank you', pl: 'Dziękujemy' },
    {
      en: 'Your plan will be active within a few seconds. You can close this page.',
      pl: 'Twój plan będzie aktywny za kilka sekund. Możesz zamknąć tę stronę.',
    },
  ),
  landing(
    parts,
    '/billing/return',
    'After a visit to the portal',
    { en: 'Welcome back', pl: 'Witaj ponownie' },
    {
      en: 'You can close this page and go on in the app.',
      pl: 'Możesz zamknąć tę stronę i wrócić do aplikacji.',
    },
  ),
];
