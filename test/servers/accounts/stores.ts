import type { TestService } from '../../support/service.ts';
import { openStorePorts } from '../../support/store-ports.ts';
import { until } from '../../support/until.ts';

/** The stores of a service, opened a second time beside it. */
export const openStores = (folder: string) => {
  const stores = openStorePorts(folder);
  return {
    ...stores,
    /** Every audit row about or by the user, in order. */
    rowsOf: async (userId: string) =>
      (await stores.audit.list(1, 100_000)).filter(
        ({ target, actor }) => target === userId || actor === userId,
      ),
    /** The actions of the audit rows about the user, in order. */
    actionsAbout: async (userId: string): Promise<readonly string[]> =>
      (await stores.audit.list(1, 100_000))
        .filter(({ target }) => target === userId)
        .map(({ content }) => (content === null ? 'erased' : JSON.parse(content).action)),
    /** Waits until all pending work is done and every mail is sent. */
    settled: () =>
      until(
        async () =>
          (await stores.accounts.listWhere({ fact: 'pending', after: null }, 1)).length === 0 &&
          (await stores.sessions.listEnded(1)).length === 0 &&
          (await stores.outbox.listDue(Number.MAX_SAFE_INTEGER, 1)).length === 0,
      ),
  };
};

export type Stores = ReturnType<typeof openStores>;

/** The stores of the suite's service. */
export const useStores = (service: () => TestService): (() => Stores) => {
  let stores: Stores | undefined;
  after(() => stores?.close());
  return () => {
    stores ??= openStores(service().folder);
    return stores;
  };
};
