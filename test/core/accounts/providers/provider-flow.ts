import { createHash, randomBytes } from 'node:crypto';
import {
  type AccountsPolicy,
  type Caller,
  CoreError,
  type Principal,
  type ProviderIdentity,
} from '../../../../core/index.ts';
import { person, provider, scriptedProviders } from '../../../support/scripted-providers.ts';
import { caller, openPorts } from '../open-core.ts';
import { openPeople } from '../use-people.ts';

export const REDIRECT = 'https://app.example/signed-in';
export const STATE = 'state-of-the-client';

/** A verifier and its challenge, as a client makes them. */
export const newHalf = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

/** What a client sends that sets off. */
export const setOut = ({ challenge }: { readonly challenge: string }) => ({
  redirectUri: REDIRECT,
  challenge,
  state: STATE,
});

const DEFAULTS: Partial<AccountsPolicy> = { signInRedirects: [REDIRECT], operatorsNeedSecondFactor: false };

/** The core with a provider whose answers a test scripts. */
export const openTravel = async (
  list = [provider()],
  opened: ReturnType<typeof openPorts> = openPorts(),
  policy: Partial<AccountsPolicy> = {},
) => {
  const scripted = scriptedProviders(list);
  const people = await openPeople({ ...DEFAULTS, ...policy }, () => ({ providers: scripted.port }), opened);
  const { providers } = people.accounts;
  const [{ id = '' } = {}] = list;

  /** From setting off to what the provider's answer brings to us. */
  const askProvider = async (
    answer: ProviderIdentity | CoreError,
    input: Parameters<typeof providers.begin>[1],
  ) => {
    const { location, keep } = await providers.begin(id, input);
    const state = new URL(location).searchParams.get('state') ?? '';
    const parameters = [['state', state] as const, ['code', scripted.script(answer)] as const];
    return { keep, callback: { parameters, ...(keep && { kept: keep.value }) } };
  };
  /** From setting off to the address to which the client is sent back. */
  const travel = async (
    answer: ProviderIdentity | CoreError,
    half = newHalf(),
    ticket?: string,
    by: Caller = caller,
  ) => {
    const request = { ...setOut(half), challengeMethod: 'S256' };
    const { keep, callback } = await askProvider(answer, ticket === undefined ? request : { ticket });
    const back = await providers.answer(id, callback, by);
    const query = new URL(back.location).searchParams;
    return { back: query, callback, keep, code: query.get('code') ?? '', verifier: half.verifier };
  };

  return {
    ...people,
    providers,
    scripted,
    askProvider,
    travel,
    /** What a session sends that comes back from a trip to add an identity, or to prove who it is. */
    tripToLink: async (who: Principal, answer = person()) => {
      const half = newHalf();
      const { ticket } = await providers.beginLink(who, id, setOut(half), caller);
      const { code, verifier } = await travel(answer, half, ticket);
      return { code, verifier };
    },
    tripToProve: async (who: Principal, answer = person()) => {
      const half = newHalf();
      const { ticket } = await providers.beginProof(who, id, setOut(half));
      const { code, verifier } = await travel(answer, half, ticket);
      return { code, verifier };
    },
    signIn: async (answer: ProviderIdentity = person(), by: Caller = caller) => {
      const { code, verifier } = await travel(answer);
      return providers.exchange({ code, verifier }, by);
    },
    accountAt: async (email: string) => people.ports.accounts.findByEmail(email),
  };
};

export type Travel = Awaited<ReturnType<typeof openTravel>>;

/** The token that came with a refusal because an account with the email exists. */
export const linkTokenOf = (refusal: unknown): string =>
  refusal instanceof CoreError ? String(refusal.facts.details?.linkToken) : '';

export const tokenOf = (answer: object): string => ('token' in answer ? String(answer.token) : '');
