import { join } from 'node:path';
import { type Kind, setting } from '../declare-setting.ts';
import { SECRET_RULES } from '../strong-secrets.ts';
import { oneOf, origin, reads, secretsOrMade, token, webAddress } from '../value-kinds.ts';
import type { Products } from '../value-parsers.ts';
import * as read from '../value-parsers.ts';

const POLAR = { production: 'https://api.polar.sh/v1', sandbox: 'https://sandbox-api.polar.sh/v1' };
const WITH_POLAR = 'BILLING=polar';

const products: Kind<Products> = {
  must: 'JSON of the form {"pro":{"monthly":"id","yearly":"id"}} with each id once and tiers of TIERS',
  read: read.products,
  show: (value) => JSON.stringify(value),
};

// A check returns false, or the rule that the value breaks, as it stands in the error after “must”.

export const provider = {
  /**
   * Payment provider: `sandbox` (pages to click through, no account and no money; refused in production), `polar`, or
   * `none` (checkout answers 503, portal 400, subscription 404, webhook 403).
   */
  billing: setting('BILLING', oneOf('none', 'sandbox', 'polar'), {
    default: 'sandbox',
    check: (name, { production }) => production && name === 'sandbox' && 'be none or polar in production',
  }),
};

export const webhooks = {
  /**
   * Webhook secrets, separated by commas while you replace one; each at least 24 bytes. Required with
   * `BILLING=polar`. Values that begin with `whsec_` are read in both ways in which Polar signs. Example: `whsec_…`.
   */
  webhookSecrets: setting('WEBHOOK_SECRETS', secretsOrMade(SECRET_RULES.WEBHOOK_SECRETS), {
    byDefault: 'made at the first start with the sandbox',
    orElse: ({ dataDir }) => ({ madeIn: join(dataDir, 'keys', 'webhook-secret') }),
    check: (value, { texts }) =>
      texts.BILLING === 'polar' && 'madeIn' in value && `be set with ${WITH_POLAR}`,
  }),
};

export const polar = {
  /**
   * Access token of the organization, with the scopes to write checkouts and customer sessions, to read and write
   * customers, and to read products.
   */
  polarAccessToken: setting('POLAR_ACCESS_TOKEN', token('a token of printable ASCII'), {
    neededWith: WITH_POLAR,
  }),
  /**
   * Polar's product ids by tier of `TIERS` and billing cycle. A delivery about any other product waits for `billing
   * replay`. Example: `{"pro":{"monthly":"…","yearly":"…"}}`.
   */
  polarProducts: setting('POLAR_PRODUCTS', products, {
    neededWith: WITH_POLAR,
    check: (value, { texts }) => {
      const tiers = read.tiers(texts.TIERS ?? '');
      return Object.keys(value).some((tier) => !tiers?.includes(tier)) && 'name tiers of TIERS alone';
    },
  }),
  /** Which of Polar's servers: `production` or `sandbox`. */
  polarServer: setting('POLAR_SERVER', oneOf('production', 'sandbox'), { default: 'production' }),
  /** Another base address of Polar, ending in `/v1`, for a proxy or tests. Example: `https://polar.example.com/v1`. */
  polarUrl: setting(
    'POLAR_URL',
    reads('an http or https address that ends in /v1', (value) => {
      const base = read.baseAddress(value);
      return base?.endsWith('/v1') ? base : undefined;
    }),
    {
      byDefault: 'the address of that server',
      orElse: ({ texts }) => (texts.POLAR_SERVER === 'sandbox' ? POLAR.sandbox : POLAR.production),
    },
  ),
};

export const selling = {
  /**
   * Where the provider redirects users after a checkout. `{CHECKOUT_ID}` becomes the id of the checkout. Example:
   * `https://app.example.com/thanks`.
   *
   * Null: a small page under the public URL.
   */
  checkoutSuccessUrl: setting('CHECKOUT_SUCCESS_URL', webAddress, {
    byDefault: 'a small page, `/billing/success` of the account service',
  }),
  /**
   * Where the provider redirects users from the customer portal. Example: `https://app.example.com/plan`.
   *
   * Null: a small page under the public URL.
   */
  billingReturnUrl: setting('BILLING_RETURN_URL', webAddress, {
    byDefault: 'a small page, `/billing/return` of the account service',
  }),
  /** Origin of the exchange rate API of the National Bank of Poland. Example: `https://rates.example.com`. */
  nbpUrl: setting('NBP_URL', origin('https://api.nbp.pl'), { default: 'https://api.nbp.pl' }),
  /** Złoty for one US dollar before the first good answer. Later the last good rate is kept. */
  usdPlnFallback: setting('USD_PLN_FALLBACK', reads('a positive decimal number of at most 1000', read.rate), {
    default: '4.00',
  }),
};
