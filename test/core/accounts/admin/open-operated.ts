import { openPeople, type People } from '../open-accounts.ts';
import { openPorts } from '../open-core.ts';

export { password } from '../open-core.ts';

/** The operator who acts in these tests, with an optional reason. */
export const by = (reason?: string) => ({ actor: 'operator:cli', ...(reason !== undefined && { reason }) });

/** The core on a store of its own for each test, in which operators need no second factor. */
export const openOperated = (context: ReturnType<typeof openPorts> = openPorts()): Promise<Operated> =>
  openPeople({ operatorsNeedSecondFactor: false }, undefined, context);

export type Operated = People;

export const useOperated = (): (() => Operated) => {
  let context: Operated | undefined;
  beforeEach(async () => {
    context = await openOperated();
  });
  return () => {
    if (context === undefined) throw new Error('Nothing is open.');
    return context;
  };
};
