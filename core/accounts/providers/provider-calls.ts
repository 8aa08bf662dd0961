import type { RulesOf } from '../../arguments.ts';
import { CALL, custom, either, FLAG, list, object, optional, TEXT } from '../../schema.ts';
import { caller, TEXT_OR_NOT, who } from '../argument-rules.ts';
import type { Deps } from '../deps.ts';
import { makeBeginFlow, makeBeginProof } from './begin-flow.ts';
import { makeHandleCallback } from './callback.ts';
import { makeExchange } from './exchange-code.ts';
import { makeBeginLink, makeConfirmLink } from './link-identity.ts';
import { makeSignUpByProvider } from './sign-up-by-provider.ts';
import { makeUnlink } from './unlink-identity.ts';

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

const ticketRequest = object({
  redirectUri: TEXT,
  challenge: TEXT,
  state: TEXT,
  fromBrowser: optional(FLAG),
});
const tripCode = object({ code: TEXT, verifier: TEXT });
const pair = custom('a pair of texts', (value) => {
  const isPair = Array.isArray(value) && value.length === 2;
  return isPair && value.every((part) => typeof part === 'string');
});

/** The arguments of these calls. */
export const providerArguments: RulesOf<ReturnType<typeof makeProviderCalls>> = {
  begin: {
    provider: TEXT,
    input: either(
      'ticket',
      object({ ticket: TEXT, sessionCookies: optional(list(TEXT)) }),
      object({ redirectUri: TEXT, challenge: TEXT, challengeMethod: TEXT, state: TEXT }),
    ),
  },
  answer: {
    provider: TEXT,
    brought: object({ kept: TEXT_OR_NOT, parameters: list(pair) }),
    caller,
  },
  exchange: { input: tripCode, caller },
  signUp: {
    input: object({ signUpToken: TEXT, email: TEXT }),
    caller,
    charge: optional(CALL),
  },
  beginLink: { who, provider: TEXT, input: ticketRequest, caller },
  confirmLink: {
    who,
    input: either('linkToken', object({ linkToken: TEXT }), tripCode),
    caller,
  },
  unlink: { who, name: object({ provider: TEXT, providerAccountId: TEXT }), caller },
  beginProof: { who, provider: TEXT, input: ticketRequest },
};
