import type { OperatorRole } from '../../../core/index.ts';
import type { Loose, TestService, User } from '../../support/service.ts';
import { turnOnFactor } from '../accounts/second-factor/factor.ts';

const CLI = { actor: 'operator:cli' };

/** An act over HTTP: what was so before, how it is asked for, and what its row says. */
export interface HttpAct {
  readonly role: OperatorRole;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** Behind `users/<id>/`; `{sid}` stands for a session of the target. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>> | ((target: User) => Readonly<Record<string, unknown>>);
  /** The target is an account whose email is not verified. */
  readonly unverified?: true;
  readonly first?: (service: TestService, target: User) => Promise<unknown>;
  readonly action: string;
  readonly before?: object;
  readonly after?: object;
  /** What of the user in the answer says that it was done. */
  readonly shown?: (user: Loose) => unknown;
  readonly expected?: unknown;
}

const operateOf = ({ composition }: TestService) => composition.accounts.operate;
const restricted = (name: string) => ({ [name]: true, reason: 'first', until: null });
const free = (name: string) => ({ [name]: false, reason: null, until: null });

const restrict = (name: 'ban' | 'disable', field: 'banned' | 'disabled'): HttpAct => ({
  role: 'dev',
  method: 'POST',
  path: name,
  body: { until: '2099-01-01T00:00:00Z' },
  action: `user.${field}`,
  before: free(field),
  after: { [field]: true, reason: 'because', until: '2099-01-01T00:00:00.000Z' },
  shown: (user) => [user[field]?.reason, user[field]?.inForce, user[field]?.until],
  expected: ['because', true, '2099-01-01T00:00:00.000Z'],
});

const release = (
  name: 'unban' | 'enable',
  start: 'ban' | 'disable',
  field: 'banned' | 'disabled',
  action: string,
): HttpAct => ({
  role: 'dev',
  method: 'POST',
  path: name,
  first: (service, { id }) => operateOf(service)[start](id, { reason: 'first', until: null }, CLI),
  action,
  before: restricted(field),
  after: free(field),
  shown: (user) => user[field],
  expected: null,
});

/** Every act upon a user, by name. */
export const HTTP_ACTIONS: Readonly<Record<string, HttpAct>> = {
  'grant a tier': {
    role: 'dev',
    method: 'POST',
    path: 'tier',
    body: { tier: 'pro', storage: 7, apiKeys: null },
    action: 'entitlement.changed',
    after: { tier: 'pro', grantedTier: 'pro', customStorageLimit: 7 },
    shown: ({ tier, why }) => [tier, why?.effective, why?.grant?.reason],
    expected: ['pro', 'grant', 'because'],
  },
  'end a grant': {
    role: 'dev',
    method: 'DELETE',
    path: 'tier',
    first: (service, { id }) => operateOf(service).setTier(id, { tier: 'pro' }, CLI),
    action: 'entitlement.changed',
    before: { tier: 'pro', grantedTier: 'pro' },
    after: { tier: 'free', grantedTier: null },
    shown: ({ tier, why }) => [tier, why?.effective, why?.grant],
    expected: ['free', 'free', null],
  },
  ban: restrict('ban', 'banned'),
  unban: release('unban', 'ban', 'banned', 'user.unbanned'),
  disable: restrict('disable', 'disabled'),
  enable: release('enable', 'disable', 'disabled', 'user.enabled'),
  unlock: {
    role: 'dev',
    method: 'POST',
    path: 'unlock',
    first: (service, { email }) => service.post('/api/auth/login', { email, password: 'a wrong one' }),
    action: 'user.unlocked',
    before: { wrongPasswords: 1, wrongCodes: 0, twoFactorHeld: false },
    after: { wrongPasswords: 0, wrongCodes: 0, twoFactorHeld: false },
    shown: ({ wrongPasswords }) => wrongPasswords,
    expected: 0,
  },
  'take an email as verified': {
    role: 'dev',
    method: 'POST',
    path: 'verify',
    unverified: true,
    action: 'user.verified',
    before: { verified: false },
    after: { verified: true },
    shown: ({ emailVerified }) => emailVerified,
    expected: true,
  },
  'send a code again': {
    role: 'dev',
    method: 'POST',
    path: 'resend-code',
    unverified: true,
    action: 'user.code_resent',
  },
  'reset a second factor': {
    role: 'dev',
    method: 'POST',
    path: 'reset-two-factor',
    first: turnOnFactor,
    action: 'two_factor.reset',
    before: { twoFactor: true },
    after: { twoFactor: false },
    shown: ({ twoFactorEnabled, sessions }) => [twoFactorEnabled, sessions],
    expected: [false, 0],
  },
  'end all sessions': {
    role: 'dev',
    method: 'DELETE',
    path: 'sessions',
    action: 'user.logged_out',
    shown: ({ sessions }) => sessions,
    expected: 0,
  },
  'end one session': {
    role: 'dev',
    method: 'DELETE',
    path: 'sessions/{sid}',
    action: 'session.ended',
    shown: ({ sessions }) => sessions,
    expected: 0,
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
    first: (service, { id }) => operateOf(service).appoint(id, 'dev', CLI),
    action: 'entitlement.changed',
    before: { operatorRole: 'dev' },
    after: { operatorRole: null },
  },
  export: { role: 'founder', method: 'POST', path: 'export', action: 'user.exported' },
  delete: {
    role: 'founder',
    method: 'POST',
    path: 'delete',
    body: ({ email }) => ({ email }),
    action: 'account.deleted',
  },
};
