import { openMemoryStore } from '../../../adapters/choose-store.ts';
import { makeParseEvent, type Products } from '../../../adapters/signed-deliveries/polar-events.ts';
import type { StorePorts } from '../../../adapters/store.ts';
import { newAccount } from '../../../core/accounts/account.ts';
import {
  type Billing,
  type BillingPorts,
  type BillingProvider,
  createAccounts,
  createBilling,
  type SelfEntitlement,
} from '../../../core/index.ts';
import { NOW } from '../../contracts/samples.ts';
import { type PolarEvent, PRODUCTS } from '../../support/servers/polar-events.ts';
import { openPorts } from '../accounts/open-core.ts';

/** The user of the event histories. */
export const USER = '01890a5d-ac96-774b-bcce-b302099a8057';

/** The store that several processes share. */
interface Shared {
  readonly store: StorePorts;
}

const makeShared = (): Shared => ({ store: openMemoryStore({ now: () => NOW }).ports });

/** The billing module over a store in memory, with a clock that only the test moves. */
export const openBilling = (
  overrides: Partial<BillingPorts> = {},
  options: {
    readonly shared?: Shared;
    readonly provider?: Partial<BillingProvider>;
    readonly products?: Products;
    readonly selfEntitlement?: SelfEntitlement;
  } = {},
) => {
  const shared = options.shared ?? makeShared();
  const { ledger, links, rates } = shared.store;
  const { ports, events, lines } = openPorts(shared.store);
  const time = { now: Date.UTC(2026, 0, 1) };
  const clock = { now: () => time.now };
  let opened: Billing | undefined;
  const userBilling = {
    forget: async (userId: string, customerIds: readonly string[]) => opened?.forget(userId, customerIds),
    changeEmail: async (userId: string, email: string) => opened?.changeEmail(userId, email),
    listDeliveries: (userId: string) => ledger.listOf(userId, 10),
  };
  const accounts = createAccounts(
    { ...ports, clock, userBilling },
    { selfEntitlement: options.selfEntitlement ?? 'ignore' },
  );
  const billing = createBilling({
    clock,
    digest: ports.digest,
    log: ports.log,
    provider: {
      checkout: async () => 'https://provider.example/checkout',
      portal: async () => 'https://provider.example/portal',
      prices: async () => [],
      stateOf: async () => ({ asOf: null, customer: undefined }),
      rateLimitEndsInMs: () => 0,
      anonymise: async () => undefined,
      changeEmail: async () => undefined,
      // The adapter's tests cover signatures; here every id and body is accepted.
      readDelivery: async ({ 'webhook-id': id }, raw) => ({
        id: String(id),
        body: Buffer.from(raw).toString(),
      }),
      parseEvent: makeParseEvent(options.products ?? PRODUCTS),
      ...options.provider,
    },
    ledger,
    links,
    subscribers: accounts.subscribers,
    rateSource: { latest: async () => ({ mid: '3.6521', effectiveDate: '2026-01-01' }) },
    rates,
    wake: () => undefined,
    ...overrides,
  });
  opened = billing;

  return {
    billing,
    accounts,
    ledger,
    shared,
    store: ports.accounts,
    audit: ports.audit,
    log: ports.log,
    lines,
    /** Events that embedding applications received. */
    events,
    time,
    addUser: (id: string = USER) =>
      ports.accounts.add({
        ...newAccount({
          id,
          email: `${id}@example.com`,
          displayName: 'Ada',
          language: 'en',
          passwordHash: null,
          now: time.now,
        }),
        verified: true,
      }),
    deliver: ({ id, body }: Pick<PolarEvent, 'id' | 'body'>) =>
      billing.receiveEvent({ 'webhook-id': id }, Buffer.from(body)),
    /** Applies received events until none is due. */
    settle: async () => {
      while ((await billing.background.applyEvents()) > 0);
    },
    /** Relays the pending entries of accounts: audit rows, events and tasks. */
    relay: async () => {
      while ((await accounts.background.relay()) > 0);
    },
    account: async (id: string = USER) => {
      const account = await ports.accounts.find(id);
      if (account === undefined) throw new Error('The account does not exist.');
      return account;
    },
  };
};

export type OpenedBilling = ReturnType<typeof openBilling>;
