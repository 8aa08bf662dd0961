import { authorityOf } from '../authority.ts';
import type { EntitlementView } from '../entitlement.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';
import { makeSetEntitlement, type SetEntitlement } from './entitle.ts';

/** See decision 0024. */
export const makeSetOwnEntitlement = (kit: Kit) => {
  const setEntitlement = makeSetEntitlement(kit);

  return (
    { user }: Identity,
    input: SetEntitlement,
    internal: boolean,
    caller: Caller,
  ): Promise<{ readonly entitlement: EntitlementView }> => {
    const authority = { ...authorityOf(user, kit.policy, internal), own: true };
    const actor = authority.kind === 'internal' ? 'internal' : user.id;
    return setEntitlement(user.id, input, { authority, actor }, caller);
  };
};
