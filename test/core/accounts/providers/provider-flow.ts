import { createHash, randomBytes } from 'node:crypto';
import {
  type AccountsPolicy,
  type Caller,
  CoreError,
  type Principal,
  type ProviderIdentity,
} from '../../../../core/index.ts';
import { person, provider, scriptedProviders } from '../../../support/scripted-providers.ts';
import { openPeople } from '../open-accounts.ts';
import { caller, openPorts } from '../open-core.ts';

export const REDIRECT = 'https://app.example/signed-in';
export const STATE = 'state-of-the-client';

/** A PKCE verifier and its challenge. */
export const newHalf = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

/** The authorization request of a client. */
export const setOut = ({ challenge }: { readonly challenge: string }) => ({
  redirectUri: REDIRECT,
  challenge,
  state: STATE,
});

const DEFAULTS: Partial<AccountsPolicy> = { signInRedirects: [REDIRECT], operatorsNeedSecondFactor: false };

/** The core with a provider whose answers are scripted by the test. */
export const openTravel = async (
  list = [provider()],
  opened: ReturnType<typeof openPorts> = openPorts(),
  policy: Partial<AccountsPolicy> = {},
) => {
  const scripted = scriptedProviders(list);
  const context = await openPeople({ ...DEFAULTS, ...policy }, () => ({ providers: scripted.port }), opened);
  const { providers } = context.accounts;
  const [{ id = '' } = {}] = list;

  /** Begins a flow, and returns its cookie and the callback of the provider. */
  const askProvider = async (
    answer: ProviderIdentity | CoreError,
    input: Parameters<typeof providers.begin>[1],
  ) => {
    const { location, keep } = await providers.begin(id, input);
    const state = new URL(location).searchParams.get('state') ?? '';
    const parameters = [['state', state] as const, ['code', scripted.script(answer)] as const];
    return { keep, callback: { parameters, ...(keep && { kept: keep.value }) } };
  };
  /** Runs a flow up to the redirect to the client. */
  const travel = async (
    answer: ProviderIdentity | CoreError,
    pkce = newHalf(),
    ticket?: string,
    by: Caller = caller,
  ) => {
    const request = { ...setOut(pkce), challengeMethod: 'S256' };
    const { keep, callback } = await askProvider(answer, ticket === undefined ? request : { ticket });
    const redirect = await providers.answer(id, callback, by);
    const params = new URL(redirect.location).searchParams;
    return { back: params, callback, keep, code: params.get('code') ?? '', verifier: pkce.verifier };
  };

  return {
    ...context,
    providers,
    scripted,
    askProvider,
    travel,
    /** The code and verifier of a flow that a session began to link an identity, or to prove the user. */
    tripToLink: async (principal: Principal, answer = person()) => {
      const pkce = newHalf();
      const { ticket } = await providers.beginLink(principal, id, setOut(pkce), caller);
      const { code, verifier } = await travel(answer, pkce, ticket);
      return { code, verifier };
    },
    tripToProve: async (principal: Principal, answer = person()) => {
      const pkce = newHalf();
      const { ticket } = await providers.beginProof(principal, id, setOut(pkce));
      const { code, verifier } = await travel(answer, pkce, ticket);
      return { code, verifier };
    },
    signIn: async (answer: ProviderIdentity = person(), by: Caller = caller) => {
      const { code, verifier } = await travel(answer);
      return providers.exchange({ code, verifier }, by);
    },
    accountAt: async (email: string) => context.ports.accounts.findByEmail(email),
  };
};

export type Travel = Awaited<ReturnType<typeof openTravel>>;

/** The link token of a refusal because an account with the email exists. */
export const linkTokenOf = (refusal: unknown): string =>
  refusal instanceof CoreError ? String(refusal.facts.details?.linkToken) : '';

export const tokenOf = (answer: object): string => ('token' in answer ? String(answer.token) : '');
