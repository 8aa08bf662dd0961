import { type Kind, setting } from '../declare-setting.ts';
import { onOrOff } from '../value-kinds.ts';
import type { WebhookTarget } from '../value-parsers.ts';
import * as read from '../value-parsers.ts';

const MUST =
  'at most 10 different http or https addresses without credentials or fragment, on lines of their own or separated by ' +
  'semicolons. Behind each come a blank and its secret, or two secrets separated by a comma while you replace one. A secret ' +
  'is whsec_ and 24 to 64 random bytes in Base64';

/** Addresses without their queries, which may be secrets. */
const withoutQueries = (targets: readonly WebhookTarget[]): string =>
  targets.map(({ url }) => url.replace(/\?.*/, '')).join(' ');

const targets: Kind<readonly WebhookTarget[]> = {
  must: MUST,
  secret: true,
  read: read.webhookTargets,
  show: (list) => (list.length === 0 ? 'none' : withoutQueries(list)),
};

export const events = {
  /**
   * Your servers that receive events, each as `URL SECRET`, on lines of their own or separated by `;`. A secret is
   * `whsec_` and 24 to 64 random bytes in Base64; two separated by a comma while you replace one, and then both sign.
   * [Webhooks](webhooks.md) says what is sent. Example: `https://app.example.com/hooks whsec_…`.
   */
  webhookUrls: setting('WEBHOOK_URLS', targets, {
    default: '',
    byDefault: 'none',
    check: (list, { texts }) =>
      texts.WEBHOOK_ALLOW_PRIVATE !== 'on' &&
      list.some(({ url }) => new URL(url).protocol === 'http:') &&
      'name https addresses alone unless WEBHOOK_ALLOW_PRIVATE is on',
  }),
  /**
   * `on`: `WEBHOOK_URLS` may name servers of this machine and of private networks, and use http. `off`: a delivery to
   * a name that stands for such an address fails.
   */
  webhookAllowPrivate: setting('WEBHOOK_ALLOW_PRIVATE', onOrOff, { default: 'off' }),
};
