import { newHalf, REDIRECT, STATE } from '../providers/flows.ts';

/** A call that needs a fresh proof. A route that comes to need one has its line here. */
export interface ProvedCall {
  /** Method and path as the table of routes has them; another session of the user stands for `{id}`. */
  readonly call: string;
  /** In place of that session. */
  readonly id?: string;
  readonly body?: object;
  /** Needed by accounts without a password alone. */
  readonly withoutPassword?: true;
  /** What a fresh proof leads to, where that is no success: the call names what is not there. */
  readonly gives?: readonly [status: number, code: string];
}

export const provedCalls: readonly ProvedCall[] = [
  { call: 'POST /api/auth/2fa', body: { enable: true } },
  { call: 'POST /api/auth/delete-account', body: {}, withoutPassword: true },
  { call: 'POST /api/auth/email', body: { email: 'another@example.com' } },
  { call: 'POST /api/auth/password', body: { newPassword: 'another horse battery' }, withoutPassword: true },
  { call: 'POST /api/auth/passkeys/begin' },
  { call: 'DELETE /api/auth/passkeys/{id}', gives: [404, 'passkey_not_found'] },
  { call: 'POST /api/auth/2fa/passkey', body: { enable: true }, gives: [409, 'no_passkey'] },
  {
    call: 'POST /api/auth/providers/{id}/link',
    id: 'example',
    body: { redirectUri: REDIRECT, challenge: newHalf().challenge, state: STATE },
  },
  {
    call: 'POST /api/auth/providers/link/confirm',
    body: { linkToken: 'unknown' },
    gives: [401, 'invalid_flow'],
  },
  {
    call: 'DELETE /api/auth/providers/{id}/accounts/{providerAccountId}',
    id: 'example',
    gives: [404, 'identity_not_found'],
  },
  { call: 'DELETE /api/auth/sessions' },
  { call: 'DELETE /api/auth/sessions/{id}' },
];
