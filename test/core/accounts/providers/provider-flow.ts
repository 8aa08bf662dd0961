import { createHash, randomBytes } from 'node:crypto';
import {
  type AccountsPolicy,
  type Caller,
  CoreError,
  createAccounts,
  type Principal,
  type ProviderIdentity,
} from '../../../../core/index.ts';
import { person, provider, scriptedProviders } from '../../../support/scripted-providers.ts';
import { password } from '../admin/open-operated.ts';
import { caller, openPorts } from '../open-core.ts';

export const REDIRECT = 'https://app.example/signed-in';
export const STATE = 'state-of-the-client';

/** A verifier and its challenge, as a client makes them. */
export const newHalf = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

const DEFAULTS: Partial<AccountsPolicy> = { signInRedirects: [REDIRECT], operatorsNeedSecondFactor: false };

/** The core with a provider whose answers a test scripts. */
export const openTravel = async (
  list = [provider()],
  opened: ReturnType<typeof openPorts> = openPorts(),
  policy: Partial<AccountsPolicy> = {},
) => {
  const scripted = scriptedProviders(list);
  let ahead = 0;
  const { now } = opened.ports.clock;
  const ports = { ...opened.ports, providers: scripted.port, clock: { now: () => now() + ahead } };
  const accounts = createAccounts(ports, { ...DEFAULTS, ...policy });
  await accounts.open();
  const { providers } = accounts;

  const settle = async () => {
    while ((await accounts.background.relay()) > 0);
    await accounts.background.deliverMail(1);
  };
  const mailTo = async (email: string) => {
    await settle();
    return opened.mails.findLast(({ to }) => to === email);
  };
  const codeTo = async (email: string) => /\b\d{6}\b/.exec((await mailTo(email))?.text ?? '')?.[0] ?? '';

  /** From setting off to the address to which the client is sent back. */
  const travel = async (
    said: ProviderIdentity | CoreError,
    half = newHalf(),
    ticket?: string,
    by: Caller = caller,
  ) => {
    const [{ id = '' } = {}] = list;
    const given = { redirectUri: REDIRECT, challenge: half.challenge, challengeMethod: 'S256', state: STATE };
    const { location, keep } = await providers.begin(id, ticket === undefined ? given : { ticket });
    const state = new URL(location).searchParams.get('state') ?? '';
    const parameters = [['state', state] as const, ['code', scripted.script(said)] as const];
    const brought = { parameters, ...(keep && { kept: keep.value }) };
    const back = await providers.answer(id, brought, by);
    const query = new URL(back.location).searchParams;
    return { back: query, brought, keep, code: query.get('code') ?? '', verifier: half.verifier };
  };

  return {
    ...opened,
    ports,
    accounts,
    providers,
    scripted,
    settle,
    mailTo,
    codeTo,
    travel,
    /** Lets so many milliseconds pass. */
    pass: (milliseconds: number) => {
      ahead += milliseconds;
    },
    signIn: async (said: ProviderIdentity = person(), by: Caller = caller) => {
      const { code, verifier } = await travel(said);
      return providers.exchange({ code, verifier }, by);
    },
    /** A verified user with a password. */
    register: async (email: string) => {
      await accounts.register({ email, password }, caller);
      const { token, user } = await accounts.verifyEmail({ email, code: await codeTo(email) }, caller);
      return { token, id: user.id, who: (): Promise<Principal> => accounts.authenticate(token) };
    },
    account: async (email: string) => ports.accounts.findByEmail(email),
    rowsAbout: async (user: string) => {
      await settle();
      const rows: (string | null)[] = [];
      for await (const { action } of accounts.operate.listAudit({ user })) rows.push(action);
      return rows;
    },
  };
};

export type Travel = Awaited<ReturnType<typeof openTravel>>;

/** The token that came with a refusal because an account with the email exists. */
export const linkTokenOf = (refusal: unknown): string =>
  refusal instanceof CoreError ? String(refusal.facts.details?.linkToken) : '';

export const tokenOf = (answer: object): string => ('token' in answer ? String(answer.token) : '');
