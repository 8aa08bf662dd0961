import { readPreferences } from '../../../core/accept-header.ts';
import type { Context } from '../context.ts';
import type { ResponseBody } from '../response-body.ts';
import { FRONT_HEADERS } from '../security-headers.ts';
import { AWAY, ERROR_TEXTS, type ErrorText, FAILED, LABELS, tryAgainIn, UNREADABLE } from './error-texts.ts';
import { html, NOTHING } from './html.ts';
import { addressLanguage, type Branding, type MakePage, pageLanguage } from './page.ts';

export interface Refused {
  readonly code: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes the page of a refusal; undefined for a request that wants JSON. */
export type MakeErrorPage = (ctx: Context, refused: Refused) => ResponseBody<never> | undefined;

/** Codes of malformed authorization requests of an app. */
const APP_MISTAKES: ReadonlySet<string> = new Set([
  'invalid_return_to',
  'invalid_state',
  'invalid_challenge',
]);

const textOf = ({ state }: Context, { status, code }: Refused): ErrorText => {
  if (APP_MISTAKES.has(code) || (state.navigation && status < 500)) return AWAY;
  return ERROR_TEXTS[status] ?? (status < 500 ? UNREADABLE : FAILED);
};

const KNOWN: ReadonlySet<string> = new Set(['text/html', 'application/json', 'application/*', '*/*']);

/**
 * Whether the request comes from a person's browser, which accepts HTML and prefers it to JSON. Under `/api/` the
 * browser must also say that it navigates, since some programs accept HTML by default (Java does). Routes for
 * navigation always answer HTML.
 */
const wantsPage = ({ req: { headers }, path, state }: Pick<Context, 'req' | 'path' | 'state'>): boolean => {
  if (state.navigation) return true;
  const preferences = readPreferences(headers.accept ?? '', KNOWN);
  const json =
    preferences.get('application/json') ?? preferences.get('application/*') ?? preferences.get('*/*');
  if ((preferences.get('text/html')?.weight ?? 0) <= (json?.weight ?? 0)) return false;
  return !path.startsWith('/api/') || headers['sec-fetch-mode'] === 'navigate';
};

/** Pages for people whose browser came to an address that refuses it. The status and its headers stay. */
export const makeErrorPages =
  ({ signInPath }: Pick<Branding, 'signInPath'>, page: MakePage): MakeErrorPage =>
  (ctx, refused) => {
    const { status, code, headers } = refused;
    // For both forms: a cache must not serve one where the other is requested.
    ctx.vary('Accept');
    if (!wantsPage(ctx)) return undefined;
    const requested = new URLSearchParams(ctx.querystring).get('ui_locales') ?? '';
    const language = addressLanguage(requested) ?? pageLanguage(ctx.req.headers['accept-language']);
    const { title, text } = textOf(ctx, refused);
    const wait = Number(headers['Retry-After']);
    const retryText = wait > 0 ? ` ${tryAgainIn(wait, language)}` : '';
    const signIn =
      status === 401 && signInPath !== null
        ? html`<a class="button" href="${signInPath}">${LABELS.signIn[language]}</a>`
        : NOTHING;
    const response = page({
      language,
      status,
      title: title[language],
      content: html`<section><h1>${title[language]}</h1>
<p>${text[language]}${retryText}</p>
<p class="buttons">${signIn}<a href="/">${LABELS.home[language]}</a></p></section>
<p class="note">${LABELS.request[language]}: <code>${ctx.state.requestId}</code> · <code>${code}</code></p>`,
    });
    return { ...response, headers: { ...response.headers, ...FRONT_HEADERS } };
  };
