import { type Outcome, type Problem, problem } from '../api.ts';
import { config } from '../config.ts';
import { call } from './api.ts';

/** As the server asks browsers for it and takes it: JSON of WebAuthn Level 3. */
interface Asked {
  readonly flow: string;
  readonly options: PublicKeyCredentialRequestOptionsJSON;
}

type Answer = Pick<Asked, 'flow'> & { readonly credential: unknown };

/** Whether passkeys are taken here, and the browser knows their JSON, as all do since 2025. */
export const hasPasskeys =
  config.passkeys &&
  typeof PublicKeyCredential === 'function' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Has the browser answer by a passkey. */
const ask = async (beginning: string, body?: object): Promise<Outcome<Answer>> => {
  const begun = await call<Asked>('POST', `/api/auth/${beginning}/begin`, body && { body });
  if (begun.data === undefined) return begun;
  const { flow, options } = begun.data;
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    const credential = await navigator.credentials.get({ publicKey });
    return { data: { flow, credential: (credential as PublicKeyCredential).toJSON() } };
  } catch {
    // It has none to show, or somebody closed its window.
    return { problem: problem('passkey_not_shown') };
  }
};

/** A sign-in by a passkey that the browser lets somebody choose. */
export const signInByPasskey = async (): Promise<Problem | undefined> => {
  const { data, problem } = await ask('login/passkey');
  return problem ?? (await call('POST', '/api/admin/sign-in/passkey', { body: data })).problem;
};

/** A passkey as the second factor of a sign-in that waits for it. */
export const showSecond = (waiting: object): Promise<Outcome<Answer>> => ask('login/second', waiting);

/** A fresh proof by a passkey. */
export const proveByPasskey = async (): Promise<Problem | undefined> => {
  const { data, problem } = await ask('reauthenticate/passkey');
  return problem ?? (await call('POST', '/api/auth/reauthenticate', { body: { passkey: data } })).problem;
};
