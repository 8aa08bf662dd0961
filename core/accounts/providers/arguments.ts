import { CALL, either, is, listOf, optional, type RulesOf, record, TEXT } from '../../arguments.ts';
import { caller, TEXT_OR_NOT, who } from '../argument-rules.ts';
import type { TripCode } from '../trips/take.ts';
import type { BroughtAnswer } from './answer.ts';
import type { BeginTrip, SetOut } from './begin.ts';
import type { makeProviderCalls } from './index.ts';
import type { ConfirmLink } from './link.ts';
import type { SignUpByProvider } from './sign-up.ts';
import type { IdentityName } from './unlink.ts';

const setOut = record<SetOut>({ redirectUri: TEXT, challenge: TEXT, state: TEXT });
const tripCode = record<TripCode>({ code: TEXT, verifier: TEXT });
const pair = is('a pair of texts', (value) => {
  const isPair = Array.isArray(value) && value.length === 2;
  return isPair && value.every((part) => typeof part === 'string');
});

/** What the calls of sign-in with providers take. */
export const providerArguments: RulesOf<ReturnType<typeof makeProviderCalls>> = {
  begin: {
    provider: TEXT,
    input: either(
      'ticket',
      record<{ readonly ticket: string }>({ ticket: TEXT }),
      record<BeginTrip>({ redirectUri: TEXT, challenge: TEXT, challengeMethod: TEXT, state: TEXT }),
    ),
  },
  answer: {
    provider: TEXT,
    brought: record<BroughtAnswer>({ kept: TEXT_OR_NOT, parameters: listOf(pair) }),
    caller,
  },
  exchange: { input: tripCode, caller },
  signUp: {
    input: record<SignUpByProvider>({ signUpToken: TEXT, email: TEXT }),
    caller,
    admit: optional(CALL),
  },
  beginLink: { who, provider: TEXT, input: setOut, caller },
  confirmLink: {
    who,
    input: either(
      'linkToken',
      record<Extract<ConfirmLink, { readonly linkToken: string }>>({ linkToken: TEXT }),
      tripCode,
    ),
    caller,
  },
  unlink: { who, name: record<IdentityName>({ provider: TEXT, providerAccountId: TEXT }), caller },
  beginProof: { who, provider: TEXT, input: setOut },
};
