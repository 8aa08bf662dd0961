import type { Method } from '../api.ts';
import type { User } from '../response-types.ts';
import { self } from '../session.ts';
import type { ConsoleTexts } from '../text/en.ts';
import { operatorRole } from './operator-role.ts';

type ActionName = keyof ConsoleTexts['actions']['list'];

/** The input of an action beside its reason. */
export type ActionInput = 'until' | 'tier' | 'role' | 'email';

export interface Action {
  readonly name: ActionName;
  /** `POST` if absent. */
  readonly method?: Method;
  /** After the path of the user. */
  readonly path: string;
  readonly input?: ActionInput;
  /** Whether the button that submits it has the colour of danger. */
  readonly isGrave?: boolean;
  /** Whether it stands in the menu that restricts or deletes the user. */
  readonly isInMenu?: boolean;
  readonly forFounders?: boolean;
  /** Whether the action is possible for this user now; always if absent. */
  readonly fits?: (user: User) => boolean;
}

const isOther = (user: User) => self.value?.id !== user.id;
/** Only founders restrict or release founders, end their sessions, reset their second factor, or take their email as verified. */
export const mayRestrict = (user: User) => operatorRole(user) !== 'founder' || self.value?.role === 'founder';
const mayRestrictOther = (user: User) => isOther(user) && mayRestrict(user);

/** All actions in the order of their buttons, but `endSession`, which stands beside each session. */
const buttons: Readonly<Record<Exclude<ActionName, 'endSession'>, Omit<Action, 'name'>>> = {
  tier: { path: '/tier', input: 'tier' },
  clearTier: { method: 'DELETE', path: '/tier', fits: ({ why }) => why.grant !== null },
  endSessions: {
    method: 'DELETE',
    path: '/sessions',
    fits: (user) => user.sessions > 0 && mayRestrict(user),
  },
  resendCode: { path: '/resend-code', fits: (user) => !user.emailVerified },
  verify: { path: '/verify', fits: (user) => !user.emailVerified && mayRestrict(user) },
  unlock: { path: '/unlock' },
  resetTwoFactor: {
    path: '/reset-two-factor',
    isGrave: true,
    fits: (user) => user.twoFactorEnabled && mayRestrictOther(user),
  },
  ban: {
    path: '/ban',
    input: 'until',
    isGrave: true,
    isInMenu: true,
    fits: (user) => !user.banned?.inForce && mayRestrictOther(user),
  },
  unban: { path: '/unban', fits: (user) => user.banned?.inForce === true && mayRestrict(user) },
  disable: {
    path: '/disable',
    input: 'until',
    isGrave: true,
    isInMenu: true,
    fits: (user) => !user.disabled?.inForce && mayRestrictOther(user),
  },
  enable: { path: '/enable', fits: (user) => user.disabled?.inForce === true && mayRestrict(user) },
  export: { path: '/export', forFounders: true },
  appoint: { method: 'PUT', path: '/operator', input: 'role', forFounders: true, fits: isOther },
  dismiss: {
    method: 'DELETE',
    path: '/operator',
    forFounders: true,
    isGrave: true,
    fits: (user) => operatorRole(user) !== null && isOther(user),
  },
  delete: {
    path: '/delete',
    input: 'email',
    isGrave: true,
    isInMenu: true,
    forFounders: true,
    fits: isOther,
  },
};
export const ACTIONS = (Object.keys(buttons) as (keyof typeof buttons)[]).map(
  (name): Action => ({ name, ...buttons[name] }),
);

export const endSession = (id: string): Action => ({
  name: 'endSession',
  method: 'DELETE',
  path: `/sessions/${encodeURIComponent(id)}`,
});
