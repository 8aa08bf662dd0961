import { dayOf } from '../../../statistics.ts';
import type { DirectoryPosition, DirectoryStart } from '../../directory.ts';
import type { Needs } from '../../needs.ts';
import { PAGE } from './count-active.ts';

/** Accounts that were made on a day, and those of them with a verified email. */
export interface SignUps {
  readonly signUps: number;
  readonly verified: number;
}

export const NO_SIGN_UPS: SignUps = { signUps: 0, verified: 0 };

/** Counts sign-ups by day, the newest first, back to the first moment of `from`. Gives after each page. */
export async function* countSignUps(
  { directory }: Pick<Needs, 'directory'>,
  from: string,
): AsyncGenerator<undefined, ReadonlyMap<string, SignUps>> {
  const days = new Map<string, SignUps>();
  let start: DirectoryStart = { skip: 0 };
  for (;;) {
    const page: readonly (DirectoryPosition & { readonly verified: boolean })[] = await directory.list(
      {},
      start,
      PAGE,
    );
    for (const { createdAt, verified } of page) {
      const day = dayOf(createdAt);
      if (day < from) return days;
      const before = days.get(day) ?? NO_SIGN_UPS;
      days.set(day, { signUps: before.signUps + 1, verified: before.verified + (verified ? 1 : 0) });
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return days;
    start = { after: { createdAt: last.createdAt, id: last.id } };
    yield;
  }
}
