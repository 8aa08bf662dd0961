import type { RulesOf } from '../../check-arguments.ts';
import { CALL, custom, either, list, object, optional, TEXT } from '../../schema.ts';
import { caller, TEXT_OR_NOT, who } from '../argument-schemas.ts';
import type { Deps } from '../deps.ts';
import {
  beginFlowInput,
  makeBeginFlow,
  makeBeginProof,
  ticketNavigation,
  ticketRequest,
} from './begin-flow.ts';
import { makeHandleCallback } from './callback.ts';
import { makeExchange } from './exchange-code.ts';
import { confirmLinkInput, makeBeginLink, makeConfirmLink } from './link-identity.ts';
import { flowCode } from './redeem-flow-code.ts';
import { makeSignUpByProvider, signUpByProviderInput } from './sign-up-by-provider.ts';
import { identityName, makeUnlink } from './unlink-identity.ts';

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

const pair = custom('a pair of texts', (value) => {
  const isPair = Array.isArray(value) && value.length === 2;
  return isPair && value.every((part) => typeof part === 'string');
});

/** The arguments of these calls. */
export const providerArguments: RulesOf<ReturnType<typeof makeProviderCalls>> = {
  begin: {
    provider: TEXT,
    input: either('ticket', ticketNavigation, beginFlowInput),
  },
  answer: {
    provider: TEXT,
    brought: object({ kept: TEXT_OR_NOT, parameters: list(pair) }),
    caller,
  },
  exchange: { input: flowCode, caller },
  signUp: { input: signUpByProviderInput, caller, charge: optional(CALL) },
  beginLink: { who, provider: TEXT, input: ticketRequest, caller },
  confirmLink: { who, input: confirmLinkInput, caller },
  unlink: { who, name: identityName, caller },
  beginProof: { who, provider: TEXT, input: ticketRequest },
};
