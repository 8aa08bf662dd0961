/** A call that needs a fresh proof. A route that comes to need one has its line here. */
export interface ProvedCall {
  /** Method and path as the table of routes has them; another session of the user stands for `{id}`. */
  readonly call: string;
  readonly body?: object;
  /** Needed by accounts without a password alone. */
  readonly withoutPassword?: true;
}

export const provedCalls: readonly ProvedCall[] = [
  { call: 'POST /api/auth/2fa', body: { enable: true } },
  { call: 'POST /api/auth/delete-account', body: {}, withoutPassword: true },
  { call: 'POST /api/auth/email', body: { email: 'another@example.com' } },
  { call: 'POST /api/auth/password', body: { newPassword: 'another horse battery' }, withoutPassword: true },
  { call: 'DELETE /api/auth/sessions' },
  { call: 'DELETE /api/auth/sessions/{id}' },
];
