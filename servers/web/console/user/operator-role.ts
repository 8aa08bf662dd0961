import type { Role, User } from '../response-types.ts';

/** The role of an operator; null for all others. */
export const operatorRole = ({ entitlements }: User): Role | null => {
  for (const { accessFlags } of entitlements) {
    const { isOperatorTeam, operatorTeamRole: role } = accessFlags;
    if (isOperatorTeam === true && (role === 'founder' || role === 'dev')) return role;
  }
  return null;
};
