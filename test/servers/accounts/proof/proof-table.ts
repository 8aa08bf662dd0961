import { newPkcePair, REDIRECT, STATE } from '../providers/flows.ts';

/** A call that needs a fresh proof. Each route with such a call has a row here. */
export interface ProvedCall {
  /** Method and path as in the table of routes; `{id}` stands for another session of the user. */
  readonly call: string;
  /** The value of `{id}` instead of a session. */
  readonly id?: string;
  readonly body?: object;
  /** Whether only accounts without a password need the proof. */
  readonly withoutPassword?: true;
  /** The reply after a fresh proof if it is a refusal, since the call names an unknown record. */
  readonly refusal?: readonly [status: number, code: string];
}

export const provedCalls: readonly ProvedCall[] = [
  { call: 'POST /api/auth/2fa', body: { enable: true } },
  { call: 'POST /api/auth/delete-account', body: {}, withoutPassword: true },
  { call: 'POST /api/auth/email', body: { email: 'another@example.com' } },
  { call: 'POST /api/auth/password', body: { newPassword: 'another horse battery' }, withoutPassword: true },
  { call: 'POST /api/auth/passkeys/begin' },
  { call: 'DELETE /api/auth/passkeys/{id}', refusal: [404, 'passkey_not_found'] },
  { call: 'POST /api/auth/2fa/passkey', body: { enable: true }, refusal: [409, 'no_passkey'] },
  {
    call: 'POST /api/auth/providers/{id}/link',
    id: 'example',
    body: { redirectUri: REDIRECT, challenge: newPkcePair().challenge, state: STATE },
  },
  {
    call: 'POST /api/auth/providers/link/confirm',
    body: { linkToken: 'unknown' },
    refusal: [401, 'invalid_flow'],
  },
  {
    call: 'DELETE /api/auth/providers/{id}/accounts/{providerAccountId}',
    id: 'example',
    refusal: [404, 'identity_not_found'],
  },
  { call: 'DELETE /api/auth/sessions' },
  { call: 'DELETE /api/auth/sessions/{id}' },
];
