import { join } from 'node:path';
import type { BillingProvider, Clock, Log, Random } from '../../core/index.ts';
import type { Config } from '../config/types.ts';
import { inDataDir } from '../data-dir.ts';
import { secretValues } from '../installation/first-start.ts';
import { noBilling } from '../no-billing/provider.ts';
import { makePolarProvider } from '../polar/provider.ts';
import { makeBooks } from '../sandbox-billing/book.ts';
import { type Mischief, sendOverHttp } from '../sandbox-billing/post.ts';
import { type BuyerActions, openSandboxBilling } from '../sandbox-billing/provider.ts';

/** A payment provider, with what its pages do where we serve them. */
export interface OpenedBilling {
  readonly provider: BillingProvider;
  readonly sandbox: BuyerActions | null;
  /** False while it is down, as far as the calls of this process tell. */
  isUp(): boolean;
  close(): Promise<void> | void;
}

/** The payment provider that the settings choose. `origin` gives where the account service is reached. */
export const openBilling = async (
  config: Config,
  given: {
    readonly origin: () => string;
    readonly clock: Clock;
    readonly log: Log;
    readonly random: Random;
    readonly mischief?: () => Mischief;
  },
): Promise<OpenedBilling> => {
  const { billing, checkoutSuccessUrl, billingReturnUrl, dataDir } = config;
  const pages = {
    successUrl: () => checkoutSuccessUrl ?? `${given.origin()}/billing/success`,
    returnUrl: () => billingReturnUrl ?? `${given.origin()}/billing/return`,
  };
  switch (billing.provider) {
    case 'none':
      return { provider: noBilling, sandbox: null, isUp: () => true, close: () => undefined };
    case 'polar': {
      const provider = makePolarProvider({ ...billing, ...pages, log: given.log });
      return { provider, sandbox: null, isUp: provider.isUp, close: provider.close };
    }
    case 'sandbox': {
      const secrets = await inDataDir(secretValues('WEBHOOK_SECRETS', billing.webhookSecrets, given.random));
      const books = makeBooks(join(dataDir, 'sandbox-billing'));
      const send = sendOverHttp(given.origin);
      const { provider, buyerActions, close } = openSandboxBilling({
        ...given,
        ...pages,
        books,
        send,
        secrets,
      });
      return { provider, sandbox: buyerActions, isUp: () => true, close };
    }
  }
};
