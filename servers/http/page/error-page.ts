import { readPreferences } from '../../../core/accept-header.ts';
import { chooseLanguage, type Language } from '../../../core/accounts/mail/languages.ts';
import type { Context } from '../context.ts';
import type { AnswerCode } from '../http-error.ts';
import type { ResponseBody } from '../response-body.ts';
import { FRONT_HEADERS } from '../security-headers.ts';
import {
  BACK_TO_APP,
  ERROR_TEXTS,
  type ErrorText,
  FAILED,
  LABELS,
  tryAgainIn,
  UNREADABLE,
} from './error-texts.ts';
import { type Html, html, NOTHING } from './html.ts';
import { addressLanguage, type Branding, type MakePage } from './page.ts';

export interface ShownRefusal {
  readonly code: AnswerCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes the page of a refusal; undefined for a request that wants JSON. */
export type MakeErrorPage = (ctx: Context, refusal: ShownRefusal) => ResponseBody<never> | undefined;

/** Codes of malformed authorization requests of an app. */
const APP_MISTAKES: ReadonlySet<string> = new Set([
  'invalid_return_to',
  'invalid_state',
  'invalid_challenge',
]);

const textOf = ({ state }: Context, { status, code }: ShownRefusal): ErrorText => {
  // `navigation`: the address is a step of a sign-in that an app began.
  if (APP_MISTAKES.has(code) || (state.navigation && status < 500)) return BACK_TO_APP;
  return ERROR_TEXTS[status] ?? (status < 500 ? UNREADABLE : FAILED);
};

const RELEVANT_TYPES: ReadonlySet<string> = new Set([
  'text/html',
  'application/json',
  'application/*',
  '*/*',
]);

/**
 * Whether the request comes from a person's browser, which accepts HTML and prefers it to JSON. Under `/api/` the
 * browser must also say that it navigates, since some programs accept HTML by default (Java does).
 */
const wantsPage = ({ req: { headers }, path, state }: Pick<Context, 'req' | 'path' | 'state'>): boolean => {
  if (state.navigation) return true;
  const preferences = readPreferences(headers.accept ?? '', RELEVANT_TYPES);
  const json =
    preferences.get('application/json') ?? preferences.get('application/*') ?? preferences.get('*/*');
  if ((preferences.get('text/html')?.weight ?? 0) <= (json?.weight ?? 0)) return false;
  return !path.startsWith('/api/') || headers['sec-fetch-mode'] === 'navigate';
};

/** Links to the front's pages; none if there is no front. */
const linksOf = ({ signInPath }: Pick<Branding, 'signInPath'>, status: number, language: Language): Html => {
  if (signInPath === null) return NOTHING;
  const signIn =
    status === 401 ? html`<a class="button" href="${signInPath}">${LABELS.signIn[language]}</a>` : NOTHING;
  return html`<p class="buttons">${signIn}<a href="/">${LABELS.home[language]}</a></p>`;
};

/** Makes pages for people whose browser was refused at an address. The status and headers of the refusal stay. */
export const makeErrorPages =
  (branding: Pick<Branding, 'signInPath'>, page: MakePage): MakeErrorPage =>
  (ctx, refusal) => {
    const { status, code, headers } = refusal;
    // Set for page and JSON: a cache must not serve one where the other is requested.
    ctx.vary('Accept');
    if (!wantsPage(ctx)) return undefined;
    const uiLocales = new URLSearchParams(ctx.querystring).get('ui_locales') ?? '';
    const language = addressLanguage(uiLocales) ?? chooseLanguage(ctx.req.headers['accept-language'] ?? null);
    const { title, text } = textOf(ctx, refusal);
    const wait = Number(headers['Retry-After']);
    const retryText = wait > 0 ? ` ${tryAgainIn(wait, language)}` : '';
    const response = page({
      language,
      status,
      title: title[language],
      content: html`<section><h1>${title[language]}</h1>
<p>${text[language]}${retryText}</p>
${linksOf(branding, status, language)}</section>
<p class="note">${LABELS.request[language]}: <code>${ctx.state.requestId}</code> · <code>${code}</code></p>`,
    });
    return { ...response, headers: { ...response.headers, ...FRONT_HEADERS } };
  };
