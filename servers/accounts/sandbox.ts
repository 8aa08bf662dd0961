import { chooseLanguage } from '../../core/accounts/mail/languages.ts';
import { BUTTONS, type BuyerActions } from '../../core/billing/sandbox.ts';
import { CoreError } from '../../core/index.ts';
import { object, oneOf, text } from '../../core/schema.ts';
import { type MakePage, PAGE_RESPONSE } from '../http/page/page.ts';
import { seeOther } from '../http/response-body.ts';
import { type AnyRoute, openRoute } from '../http/route.ts';
import { checkoutPage, portalPage } from './sandbox-pages.ts';

const TOKEN = text({
  maxLength: 2_048,
  description: 'From the address that checkout or portal gave',
  examples: ['c2VjcmV0'],
});

const tokenParams = object({ token: TOKEN });

const buttonParams = object({
  token: TOKEN,
  id: text({
    maxLength: 64,
    description: 'The subscription’s id',
    examples: ['0199a0b1-6d4f-7e53-8a21-7c3d9f5b8e42'],
  }),
  button: oneOf(BUTTONS, { description: 'The button to press' }),
});

const LOCATION = { Location: 'Where to go on' };
const EXPIRED = {
  description: 'The address is unknown or has expired.',
  errors: ['page_not_found'],
} as const;

const requirePage = <T>(value: T | undefined): T => {
  if (value !== undefined) return value;
  throw new CoreError('missing', 'page_not_found', 'This page has expired: start again in the app.');
};

/** The pages of the sandbox. They work without scripts. */
export const sandboxRoutes = (sandbox: BuyerActions, page: MakePage): readonly AnyRoute[] => [
  openRoute({
    method: 'GET',
    path: '/sandbox/billing/checkout/{token}',
    summary: 'The sandbox’s checkout',
    params: tokenParams,
    answers: { 200: { description: 'The page.', ...PAGE_RESPONSE }, 404: EXPIRED },
    run: async ({ params: { token }, caller }) => {
      const language = chooseLanguage(caller.languages);
      return page(checkoutPage(requirePage(await sandbox.checkout(token)), { token, language }));
    },
  }),
  openRoute({
    method: 'POST',
    path: '/sandbox/billing/checkout/{token}/pay',
    summary: 'Pay in the sandbox',
    params: tokenParams,
    answers: {
      303: {
        description:
          'To the address for buyers after a purchase; back to the checkout, which says so, if there is another subscription.',
        headers: LOCATION,
      },
      404: EXPIRED,
    },
    // `pay` returns null if another subscription is live.
    run: async ({ params: { token } }) =>
      seeOther(requirePage(await sandbox.pay(token)) ?? `/sandbox/billing/checkout/${token}`),
  }),
  openRoute({
    method: 'GET',
    path: '/sandbox/billing/portal/{token}',
    summary: 'The sandbox’s portal',
    params: tokenParams,
    answers: { 200: { description: 'The page.', ...PAGE_RESPONSE }, 404: EXPIRED },
    run: async ({ params: { token }, caller }) => {
      const language = chooseLanguage(caller.languages);
      return page(portalPage(requirePage(await sandbox.portal(token)), { token, language }));
    },
  }),
  openRoute({
    method: 'POST',
    path: '/sandbox/billing/portal/{token}/{id}/{button}',
    summary: 'Press a button of the sandbox’s portal',
    params: buttonParams,
    answers: { 303: { description: 'Back to the portal.', headers: LOCATION }, 404: EXPIRED },
    run: async ({ params: { token, id, button } }) => {
      requirePage(await sandbox.press(token, id, button));
      return seeOther(`/sandbox/billing/portal/${token}`);
    },
  }),
];
