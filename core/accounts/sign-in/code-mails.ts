import { accountKey, codeMailsKey, networkCodeMailsKey, unaskedCodeMailsKey } from '../guess-keys.ts';
import type { Kit } from '../kit.ts';
import { DAY } from '../policy.ts';
import type { Bounded } from '../ports.ts';

/** A code that somebody wants mailed. */
export interface CodeMailAsk {
  readonly email: string;
  /** The client network. */
  readonly client: string;
  /**
   * Whether it would be mailed. Where not, for want of an account, it counts where nobody reads: such asks take the same
   * writes, and use up nothing of what an account made later may get.
   */
  readonly due: boolean;
}

/** Whether one more code may be mailed to the address today, by any route, which then is counted. */
export const takeCodeMail = (kit: Kit, ask: CodeMailAsk): Promise<boolean> => take(kit, ask, []);

/**
 * The same for a code that nobody asked for by name, of a registration: those have a number of their own besides, so
 * that they do not use up what an owner asks for.
 * See decision 0003.
 */
export const countUnaskedCodeMail = (kit: Kit, email: string, client: string): Promise<boolean> => {
  const unasked = { key: unaskedCodeMailsKey(kit.digest, email), most: kit.policy.unaskedCodeMailsADay };
  return take(kit, { email, client, due: true }, [unasked]);
};

/** The same for a code of a login or of registering again: it counts in the resend route's allowance, too. */
export const takeUnaskedCodeMail = async (kit: Kit, email: string, client: string): Promise<boolean> => {
  const { resendLimit: limit, resendSeconds: seconds } = kit.policy;
  const budget = await kit.limiter.take(
    { name: 'account:resend', limit, seconds },
    accountKey(kit.digest, email),
  );
  return budget.allowed && (await countUnaskedCodeMail(kit, email, client));
};

const take = async (
  kit: Kit,
  { email, client, due }: CodeMailAsk,
  before: readonly Bounded[],
): Promise<boolean> => {
  const { clock, digest, policy, tries } = kit;
  const place = due ? '' : 'nobody:';
  const counts = [
    ...before,
    { key: `${place}${networkCodeMailsKey(digest, email, client)}`, most: policy.networkCodeMailsADay },
    { key: `${place}${codeMailsKey(digest, email)}`, most: policy.codeMailsADay },
  ];
  const over = await tries.addInTurn(counts, DAY, clock.now());
  return due && over === undefined;
};
