import { CALL, either, FLAG, is, listOf, optional, type RulesOf, record, TEXT } from '../../arguments.ts';
import { caller, TEXT_OR_NOT, who } from '../argument-rules.ts';
import type { Deps } from '../deps.ts';
import {
  type BeginFlowInput,
  makeBeginFlow,
  makeBeginProof,
  type TicketNavigation,
  type TicketRequest,
} from './begin-flow.ts';
import { makeHandleCallback, type ProviderCallback } from './callback.ts';
import { makeExchange } from './exchange-code.ts';
import { type ConfirmLinkInput, makeBeginLink, makeConfirmLink } from './link-identity.ts';
import type { FlowCode } from './redeem-flow-code.ts';
import { makeSignUpByProvider, type SignUpByProviderInput } from './sign-up-by-provider.ts';
import { type IdentityName, makeUnlink } from './unlink-identity.ts';

/** The calls for signing in with external identity providers. */
export const makeProviderCalls = (deps: Deps) => ({
  list: () => deps.providers.list.map(({ id, name, formPost }) => ({ id, name, formPost })),
  begin: makeBeginFlow(deps),
  answer: makeHandleCallback(deps),
  exchange: makeExchange(deps),
  signUp: makeSignUpByProvider(deps),
  beginLink: makeBeginLink(deps),
  confirmLink: makeConfirmLink(deps),
  unlink: makeUnlink(deps),
  beginProof: makeBeginProof(deps),
});

const ticketRequest = record<TicketRequest>({
  redirectUri: TEXT,
  challenge: TEXT,
  state: TEXT,
  fromBrowser: optional(FLAG),
});
const tripCode = record<FlowCode>({ code: TEXT, verifier: TEXT });
const pair = is('a pair of texts', (value) => {
  const isPair = Array.isArray(value) && value.length === 2;
  return isPair && value.every((part) => typeof part === 'string');
});

/** The arguments of these calls. */
export const providerArguments: RulesOf<ReturnType<typeof makeProviderCalls>> = {
  begin: {
    provider: TEXT,
    input: either(
      'ticket',
      record<TicketNavigation>({ ticket: TEXT, sessionCookies: optional(listOf(TEXT)) }),
      record<BeginFlowInput>({ redirectUri: TEXT, challenge: TEXT, challengeMethod: TEXT, state: TEXT }),
    ),
  },
  answer: {
    provider: TEXT,
    brought: record<ProviderCallback>({ kept: TEXT_OR_NOT, parameters: listOf(pair) }),
    caller,
  },
  exchange: { input: tripCode, caller },
  signUp: {
    input: record<SignUpByProviderInput>({ signUpToken: TEXT, email: TEXT }),
    caller,
    charge: optional(CALL),
  },
  beginLink: { who, provider: TEXT, input: ticketRequest, caller },
  confirmLink: {
    who,
    input: either(
      'linkToken',
      record<Extract<ConfirmLinkInput, { readonly linkToken: string }>>({ linkToken: TEXT }),
      tripCode,
    ),
    caller,
  },
  unlink: { who, name: record<IdentityName>({ provider: TEXT, providerAccountId: TEXT }), caller },
  beginProof: { who, provider: TEXT, input: ticketRequest },
};
