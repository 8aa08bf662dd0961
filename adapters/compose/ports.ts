import type { AccountsPorts, BillingPorts, Events, FilesPorts, WebhookSender } from '../../core/index.ts';
import { makeDigest } from '../crypto/digest.ts';
import { domainNames } from '../crypto/domain-names.ts';
import { makeSealer } from '../crypto/sealer.ts';
import { makeAccessTokens } from '../jwt/access-tokens.ts';
import { makeTotp } from '../otp/totp.ts';
import { pacedEpoch } from '../presence/paced-epoch.ts';
import type { StorePorts } from '../store-place.ts';
import { makePasskeys } from '../webauthn/passkeys.ts';
import { makeContainer } from './container.ts';
import type { Base, Opened } from './opened.ts';

/** Ports by which one half asks another, or wakes its work: they are made together with the halves. */
type BetweenHalves = 'userFiles' | 'userBilling' | 'subscribers' | 'events' | 'wake';

/** All other ports of the three halves. */
export interface Ports
  extends StorePorts,
    FilesPorts,
    Omit<AccountsPorts, BetweenHalves>,
    Omit<BillingPorts, BetweenHalves> {
  readonly webhookSender: WebhookSender;
  /** The app's own. */
  readonly events: Events;
}

/** Puts the ports into a container. `observation` sees the calls of those that are measured or traced. */
export const makePorts = ({ config, own, observation, ...base }: Base, opened: Opened): Ports => {
  const { clock, log, random } = base;
  const kept = { ...opened.store.ports, ...own.store };
  const stores = config.objects === null ? kept : { ...kept, objects: observation.objects(kept.objects) };
  const values = {
    ...{ clock, log, random },
    ...observation.stores({ ...stores, epoch: pacedEpoch(stores.epoch) }),
    ...observation.dependencies({
      cache: opened.cache,
      dns: own.dns ?? opened.dns,
      kms: opened.kms,
      mailer: opened.mailer,
      provider: opened.seller.provider,
      providers: own.providers ?? opened.providers,
      rateSource: opened.rateSource,
      webhookSender: opened.webhookSender,
    }),
    limiter: observation.limiter(opened.limiter),
    hasher: opened.hashPool,
    blocklist: opened.blocklist,
    mailTexts: opened.mailTexts,
    passkeys: makePasskeys(config.passkeys),
    domains: domainNames,
    ownHost: opened.origin.host,
    events: own.events ?? { publish: async () => undefined },
  };
  return makeContainer(values, {
    digest: () => makeDigest(opened.hashKeys),
    sealer: () => makeSealer(opened.hashKeys),
    totp: () => makeTotp({ issuer: config.productName }),
    tokens: () =>
      makeAccessTokens({
        keys: opened.signingKeys,
        issuer: opened.origin.issuer,
        audience: config.tokenAudience,
      }),
  });
};
