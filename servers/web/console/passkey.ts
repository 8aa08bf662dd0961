import { type Outcome, type Problem, problem } from '../api.ts';
import { config } from '../config.ts';
import { call } from './api.ts';

/** A WebAuthn challenge as JSON (Level 3). */
interface PasskeyChallenge {
  readonly flow: string;
  readonly options: PublicKeyCredentialRequestOptionsJSON;
}

type Answer = Pick<PasskeyChallenge, 'flow'> & { readonly credential: unknown };

/** Whether passkeys are on and the browser supports their JSON, as all do since 2025. */
export const hasPasskeys =
  config.passkeys &&
  typeof PublicKeyCredential === 'function' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Asks the browser for a passkey. */
const askBrowser = async (beginning: string, body?: object): Promise<Outcome<Answer>> => {
  const begin = await call<PasskeyChallenge>('POST', `/api/auth/${beginning}/begin`, body && { body });
  if (begin.data === undefined) return begin;
  const { flow, options } = begin.data;
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    const credential = await navigator.credentials.get({ publicKey });
    return { data: { flow, credential: (credential as PublicKeyCredential).toJSON() } };
  } catch {
    // The browser has no passkey, or the user closed its window.
    return { problem: problem('passkey_not_shown') };
  }
};

/** Signs in by a passkey that the user chooses in the browser. */
export const signInByPasskey = async (): Promise<Problem | undefined> => {
  const { data, problem } = await askBrowser('login/passkey');
  return problem ?? (await call('POST', '/api/admin/sign-in/passkey', { body: data })).problem;
};

/** Completes a pending sign-in by a passkey as the second factor. */
export const answerSecondStep = (challenge: object): Promise<Outcome<Answer>> =>
  askBrowser('login/second', challenge);

/** Gives a fresh proof by a passkey. */
export const proveByPasskey = async (): Promise<Problem | undefined> => {
  const { data, problem } = await askBrowser('reauthenticate/passkey');
  return problem ?? (await call('POST', '/api/auth/reauthenticate', { body: { passkey: data } })).problem;
};
