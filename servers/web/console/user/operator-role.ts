import type { Role, User } from '../response-types.ts';

/** The role of an operator; null for all others. */
export const operatorRole = ({ entitlements }: User): Role | null => {
  const flags = entitlements
    .map(({ accessFlags }) => accessFlags)
    .find((accessFlags) => accessFlags.isOperatorTeam === true);
  if (flags === undefined) return null;
  return flags.operatorTeamRole === 'founder' ? 'founder' : 'dev';
};
