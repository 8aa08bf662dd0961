import { openMemoryStore } from '../../../adapters/choose-store.ts';
import { makeUnderstand, type Products } from '../../../adapters/signed-deliveries/polar-events.ts';
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

/** The user that the histories are about. */
export const USER = '01890a5d-ac96-774b-bcce-b302099a8057';

/** What several processes share. */
interface Shared {
  readonly store: StorePorts;
}

const makeShared = (): Shared => ({ store: openMemoryStore({ now: () => NOW }).ports });

/** The billing half over a store in memory, with a clock that stands where it is put. */
export const openBilling = (
  overrides: Partial<BillingPorts> = {},
  also: {
    readonly shared?: Shared;
    readonly provider?: Partial<BillingProvider>;
    readonly products?: Products;
    readonly selfEntitlement?: SelfEntitlement;
  } = {},
) => {
  const shared = also.shared ?? makeShared();
  const { ledger, links, rates } = shared.store;
  const { ports, events, lines } = openPorts(shared.store);
  const time = { now: Date.UTC(2026, 0, 1) };
  const clock = { now: () => time.now };
  let opened: Billing | undefined;
  const userBilling = {
    forget: async (userId: string, customerIds: readonly string[]) => opened?.forget(userId, customerIds),
    listDeliveries: (userId: string) => ledger.listOf(userId, 10),
  };
  const accounts = createAccounts(
    { ...ports, clock, userBilling },
    { selfEntitlement: also.selfEntitlement ?? 'ignore' },
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
      restsFor: () => 0,
      anonymise: async () => undefined,
      // What is signed is tested with the adapter; here the id and the body are taken as they come.
      readDelivery: async ({ 'webhook-id': id }, raw) => ({
        id: String(id),
        body: Buffer.from(raw).toString(),
      }),
      understand: makeUnderstand(also.products ?? PRODUCTS),
      ...also.provider,
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
    /** What embedding applications were told. */
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
    /** Applies what was received until nothing is due. */
    settle: async () => {
      while ((await billing.background.applyEvents()) > 0);
    },
    /** Moves on what the accounts have pending: rows, events and tasks. */
    relay: async () => {
      while ((await accounts.background.relay()) > 0);
    },
    account: async (id: string = USER) => {
      const account = await ports.accounts.find(id);
      if (account === undefined) throw new Error('There is no such account.');
      return account;
    },
  };
};

export type OpenedBilling = ReturnType<typeof openBilling>;
