import { createHash, randomBytes } from 'node:crypto';
import {
  type AccountsPolicy,
  type Caller,
  CoreError,
  type Principal,
  type ProviderIdentity,
} from '../../../../core/index.ts';
import { provider, providerIdentity, scriptedProviders } from '../../../support/scripted-providers.ts';
import { openAccounts } from '../open-accounts.ts';
import { caller, openPorts } from '../open-core.ts';

export const REDIRECT = 'https://app.example/signed-in';
export const STATE = 'state-of-the-client';

/** A PKCE verifier and its challenge. */
export const newPkce = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

/** The authorization request of a client. */
export const authorizationRequest = ({ challenge }: { readonly challenge: string }) => ({
  redirectUri: REDIRECT,
  challenge,
  state: STATE,
});

const DEFAULTS: Partial<AccountsPolicy> = { signInRedirects: [REDIRECT], operatorsNeedSecondFactor: false };

/** The core with a provider whose answers are scripted by the test. */
export const openProviderFlow = async (
  list = [provider()],
  opened: ReturnType<typeof openPorts> = openPorts(),
  policy: Partial<AccountsPolicy> = {},
) => {
  const scripted = scriptedProviders(list);
  const context = await openAccounts(
    { ...DEFAULTS, ...policy },
    () => ({ providers: scripted.port }),
    opened,
  );
  const { providers } = context.accounts;
  const [{ id = '' } = {}] = list;

  /** Begins a flow, and returns its cookie and the callback of the provider. */
  const askProvider = async (
    answer: ProviderIdentity | CoreError,
    input: Parameters<typeof providers.begin>[1],
  ) => {
    const { location, cookie } = await providers.begin(id, input);
    const state = new URL(location).searchParams.get('state') ?? '';
    const parameters = [['state', state] as const, ['code', scripted.script(answer)] as const];
    return { cookie, callback: { parameters, ...(cookie && { cookie: cookie.value }) } };
  };
  /** Runs a flow up to the redirect to the client. */
  const runFlow = async (
    answer: ProviderIdentity | CoreError,
    pkce = newPkce(),
    ticket?: string,
    by: Caller = caller,
  ) => {
    const request = { ...authorizationRequest(pkce), challengeMethod: 'S256' };
    const { cookie, callback } = await askProvider(answer, ticket === undefined ? request : { ticket });
    const redirect = await providers.answer(id, callback, by);
    const params = new URL(redirect.location).searchParams;
    return { back: params, callback, cookie, code: params.get('code') ?? '', verifier: pkce.verifier };
  };

  return {
    ...context,
    providers,
    scripted,
    askProvider,
    runFlow,
    /** The code and verifier of a flow that a session began to link an identity, or to prove the user. */
    linkFlow: async (principal: Principal, answer = providerIdentity()) => {
      const pkce = newPkce();
      const { ticket } = await providers.beginLink(principal, id, authorizationRequest(pkce), caller);
      const { code, verifier } = await runFlow(answer, pkce, ticket);
      return { code, verifier };
    },
    proofFlow: async (principal: Principal, answer = providerIdentity()) => {
      const pkce = newPkce();
      const { ticket } = await providers.beginProof(principal, id, authorizationRequest(pkce));
      const { code, verifier } = await runFlow(answer, pkce, ticket);
      return { code, verifier };
    },
    signIn: async (answer: ProviderIdentity = providerIdentity(), by: Caller = caller) => {
      const { code, verifier } = await runFlow(answer);
      return providers.exchange({ code, verifier }, by);
    },
    accountAt: async (email: string) => context.ports.accounts.findByEmail(email),
  };
};

export type ProviderFlow = Awaited<ReturnType<typeof openProviderFlow>>;

/** The link token of a refusal because an account with the email exists. */
export const linkTokenOf = (refusal: unknown): string =>
  refusal instanceof CoreError ? String(refusal.facts.details?.linkToken) : '';

export const tokenOf = (answer: object): string => ('token' in answer ? String(answer.token) : '');
