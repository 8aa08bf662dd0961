import type { Method } from '../api.ts';
import type { User } from '../response-types.ts';
import { self } from '../session.ts';
import type { ConsoleTexts } from '../text/en.ts';
import { operatorRole } from './operator-role.ts';

type ActionName = keyof ConsoleTexts['actions']['list'];

/** The input of an action beside its reason. */
export type ActionInput = 'until' | 'tier' | 'role' | 'email';

/** The actions of operators on a user. */
export interface Action {
  readonly name: ActionName;
  readonly method: Method;
  /** After the path of the user. */
  readonly path: string;
  readonly inputs?: readonly ActionInput[];
  /** Whether its button is that of a danger. */
  readonly isGrave?: boolean;
  /** Whether it stands in the menu of the gravest. */
  readonly isInMenu?: boolean;
  readonly forFounders?: boolean;
  /** Whether the action is possible for this user now. */
  readonly fits: (user: User) => boolean;
}

const always = () => true;
const isOwn = (user: User) => self.value?.id === user.id;
/** Only founders restrict founders, or take the email of a founder as verified. */
const mayRestrict = (user: User) => operatorRole(user) !== 'founder' || self.value?.role === 'founder';

/** Every text of an action has its button here; that of one session stands beside the session. */
const buttons: Readonly<Record<Exclude<ActionName, 'endSession'>, Omit<Action, 'name'>>> = {
  tier: { method: 'POST', path: '/tier', inputs: ['tier'], fits: always },
  clearTier: { method: 'DELETE', path: '/tier', fits: ({ why }) => why.grant !== null },
  endSessions: {
    method: 'DELETE',
    path: '/sessions',
    fits: (user) => user.sessions > 0 && mayRestrict(user),
  },
  resendCode: { method: 'POST', path: '/resend-code', fits: (user) => !user.emailVerified },
  verify: {
    method: 'POST',
    path: '/verify',
    fits: (user) => !user.emailVerified && mayRestrict(user),
  },
  unlock: { method: 'POST', path: '/unlock', fits: always },
  resetTwoFactor: {
    method: 'POST',
    path: '/reset-two-factor',
    isGrave: true,
    fits: (user) => user.twoFactorEnabled && !isOwn(user) && mayRestrict(user),
  },
  ban: {
    method: 'POST',
    path: '/ban',
    inputs: ['until'],
    isGrave: true,
    isInMenu: true,
    fits: (user) => !user.banned?.inForce && !isOwn(user) && mayRestrict(user),
  },
  unban: {
    method: 'POST',
    path: '/unban',
    fits: (user) => user.banned?.inForce === true && mayRestrict(user),
  },
  disable: {
    method: 'POST',
    path: '/disable',
    inputs: ['until'],
    isGrave: true,
    isInMenu: true,
    fits: (user) => !user.disabled?.inForce && !isOwn(user) && mayRestrict(user),
  },
  enable: {
    method: 'POST',
    path: '/enable',
    fits: (user) => user.disabled?.inForce === true && mayRestrict(user),
  },
  export: { method: 'POST', path: '/export', forFounders: true, fits: always },
  appoint: {
    method: 'PUT',
    path: '/operator',
    inputs: ['role'],
    forFounders: true,
    fits: (user) => !isOwn(user),
  },
  dismiss: {
    method: 'DELETE',
    path: '/operator',
    forFounders: true,
    isGrave: true,
    fits: (user) => operatorRole(user) !== null && !isOwn(user),
  },
  delete: {
    method: 'POST',
    path: '/delete',
    inputs: ['email'],
    isGrave: true,
    isInMenu: true,
    forFounders: true,
    fits: (user) => !isOwn(user),
  },
};
export const ACTIONS = (Object.keys(buttons) as (keyof typeof buttons)[]).map(
  (name): Action => ({ name, ...buttons[name] }),
);

/** Ends one session, which the list of sessions offers. */
export const endSession = (id: string): Action => ({
  name: 'endSession',
  method: 'DELETE',
  path: `/sessions/${encodeURIComponent(id)}`,
  fits: always,
});
