import type { TestService, User } from '../../support/service.ts';
import { turnOnFactor } from '../accounts/second-factor/factor.ts';

const CLI = { actor: 'operator:cli' };

/** An admin action over HTTP: its request, and what its audit row contains. */
export interface HttpAction {
  /** The required role; `dev` if absent. */
  readonly role?: 'founder';
  /** `POST` if absent. */
  readonly method?: 'PUT' | 'DELETE';
  /** Relative to `users/<id>/`; `{sid}` stands for a session of the target. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>> | ((target: User) => Readonly<Record<string, unknown>>);
  /** The target must be an account with an unverified email. */
  readonly unverified?: true;
  readonly prepare?: (service: TestService, target: User) => Promise<unknown>;
  readonly action: string;
  readonly after?: object;
}

const operateOf = ({ composition }: TestService) => composition.accounts.operate;
const cleared = (field: string) => ({ [field]: false, reason: null, until: null });

const restrict = (name: 'ban' | 'disable', field: 'banned' | 'disabled'): HttpAction => ({
  path: name,
  body: { until: '2099-01-01T00:00:00Z' },
  action: `user.${field}`,
  after: { [field]: true, reason: 'because', until: '2099-01-01T00:00:00.000Z' },
});

const release = (
  name: 'unban' | 'enable',
  start: 'ban' | 'disable',
  field: 'banned' | 'disabled',
  action: string,
): HttpAction => ({
  path: name,
  prepare: (service, { id }) => operateOf(service)[start](id, { reason: 'first', until: null }, CLI),
  action,
  after: cleared(field),
});

/** Every action on a user, by name. */
export const HTTP_ACTIONS: Readonly<Record<string, HttpAction>> = {
  'grant a tier': {
    path: 'tier',
    body: { tier: 'pro', storage: 7, apiKeys: null },
    action: 'entitlement.changed',
    after: { tier: 'pro', grantedTier: 'pro', customStorageLimit: 7 },
  },
  'end a grant': {
    method: 'DELETE',
    path: 'tier',
    prepare: (service, { id }) => operateOf(service).setTier(id, { tier: 'pro' }, CLI),
    action: 'entitlement.changed',
    after: { tier: 'free', grantedTier: null },
  },
  ban: restrict('ban', 'banned'),
  unban: release('unban', 'ban', 'banned', 'user.unbanned'),
  disable: restrict('disable', 'disabled'),
  enable: release('enable', 'disable', 'disabled', 'user.enabled'),
  unlock: {
    path: 'unlock',
    prepare: (service, { email }) => service.post('/api/auth/login', { email, password: 'a wrong one' }),
    action: 'user.unlocked',
    after: { wrongPasswords: 0, wrongCodes: 0, twoFactorHeld: false },
  },
  'take an email as verified': {
    path: 'verify',
    unverified: true,
    action: 'user.verified',
    after: { verified: true },
  },
  'send a code again': {
    path: 'resend-code',
    unverified: true,
    action: 'user.code_resent',
  },
  'reset a second factor': {
    path: 'reset-two-factor',
    prepare: turnOnFactor,
    action: 'two_factor.reset',
    after: { twoFactor: false },
  },
  'end all sessions': {
    method: 'DELETE',
    path: 'sessions',
    action: 'user.logged_out',
  },
  'end one session': {
    method: 'DELETE',
    path: 'sessions/{sid}',
    action: 'session.ended',
  },
  appoint: {
    role: 'founder',
    method: 'PUT',
    path: 'operator',
    body: { role: 'dev' },
    action: 'entitlement.changed',
    after: { operatorRole: 'dev' },
  },
  dismiss: {
    role: 'founder',
    method: 'DELETE',
    path: 'operator',
    prepare: (service, { id }) => operateOf(service).appoint(id, 'dev', CLI),
    action: 'entitlement.changed',
    after: { operatorRole: null },
  },
  export: { role: 'founder', path: 'export', action: 'user.exported' },
  delete: {
    role: 'founder',
    path: 'delete',
    body: ({ email }) => ({ email }),
    action: 'account.deleted',
  },
};
