import type { RulesOf } from '../../check-arguments.ts';
import { CALL, optional, TEXT } from '../../schema.ts';
import { caller, who } from '../argument-schemas.ts';
import type { Deps } from '../deps.ts';
import { signInByPasskeyInput } from '../passkeys/check-assertion.ts';
import { makeBeginPasskey } from '../passkeys/creation-options.ts';
import {
  makeListPasskeys,
  makeRemovePasskey,
  makeRenamePasskey,
  renamePasskeyInput,
} from '../passkeys/manage-passkeys.ts';
import { makeRegisterPasskey, registerPasskeyInput } from '../passkeys/register-passkey.ts';
import { makeRelatedOrigins } from '../passkeys/related-origins.ts';
import { makeBeginPasskeySignIn, makePasskeySignIn } from '../passkeys/sign-in-by-passkey.ts';
import {
  configurePasskeyFactorInput,
  makeConfigurePasskeyFactor,
} from '../second-factor/passkey-as-second-factor.ts';
import {
  beginSecondPasskeyInput,
  makeBeginPasskeyProof,
  makeBeginSecondPasskey,
} from '../second-factor/passkey-challenge.ts';

/** The calls for passkeys. */
export const makePasskeyCalls = (deps: Deps) => ({
  site: () => deps.passkeys.relyingParty,
  relatedOrigins: makeRelatedOrigins(deps),
  begin: makeBeginPasskey(deps),
  register: makeRegisterPasskey(deps),
  list: makeListPasskeys(deps),
  rename: makeRenamePasskey(deps),
  remove: makeRemovePasskey(deps),
  beginLogin: makeBeginPasskeySignIn(deps),
  logIn: makePasskeySignIn(deps),
  beginSecond: makeBeginSecondPasskey(deps),
  beginProof: makeBeginPasskeyProof(deps),
  configureFactor: makeConfigurePasskeyFactor(deps),
});

/** What they take. */
export const passkeyArguments: RulesOf<ReturnType<typeof makePasskeyCalls>> = {
  begin: { who, caller },
  register: {
    who,
    input: registerPasskeyInput,
    caller,
  },
  list: { who },
  rename: { who, id: TEXT, input: renamePasskeyInput },
  remove: { who, id: TEXT, caller },
  logIn: { input: signInByPasskeyInput, caller },
  beginSecond: { input: beginSecondPasskeyInput, caller, charge: optional(CALL) },
  beginProof: { who },
  configureFactor: { who, input: configurePasskeyFactorInput, caller },
};
