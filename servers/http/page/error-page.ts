import type { Context } from '../context.ts';
import type { ResponseBody } from '../response-body.ts';
import { FRONT_HEADERS } from '../security-headers.ts';
import { AWAY, ERROR_TEXTS, type ErrorText, FAILED, LABELS, tryAgainIn, UNREADABLE } from './error-texts.ts';
import { html, NOTHING } from './html.ts';
import { addressLanguage, type Branding, type MakePage, pageLanguage } from './page.ts';
import { wantsPage } from './wants-page.ts';

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
