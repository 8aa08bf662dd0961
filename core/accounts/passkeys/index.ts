import { CALL, FLAG, OBJECT, optional, type RulesOf, record, TEXT } from '../../arguments.ts';
import { caller, passkeyAnswer, TEXT_OR_NOT, who } from '../argument-rules.ts';
import type { Kit } from '../kit.ts';
import { type ConfigurePasskeyFactor, makeConfigurePasskeyFactor } from './factor.ts';
import { makeBeginPasskeyLogin, makePasskeyLogin } from './log-in.ts';
import { makeListPasskeys, makeRemovePasskey, makeRenamePasskey, type RenamePasskey } from './manage.ts';
import { type BeginSecondPasskey, makeBeginPasskeyProof, makeBeginSecondPasskey } from './prove.ts';
import { makeBeginPasskey, makeRegisterPasskey, type RegisterPasskey } from './register.ts';
import { makeRelatedOrigins } from './related-origins.ts';

/** The calls for passkeys. */
export const makePasskeyCalls = (kit: Kit) => ({
  site: () => kit.passkeys.relyingParty,
  relatedOrigins: makeRelatedOrigins(kit),
  begin: makeBeginPasskey(kit),
  register: makeRegisterPasskey(kit),
  list: makeListPasskeys(kit),
  rename: makeRenamePasskey(kit),
  remove: makeRemovePasskey(kit),
  beginLogin: makeBeginPasskeyLogin(kit),
  logIn: makePasskeyLogin(kit),
  beginSecond: makeBeginSecondPasskey(kit),
  beginProof: makeBeginPasskeyProof(kit),
  configureFactor: makeConfigurePasskeyFactor(kit),
});

/** What they take. */
export const passkeyArguments: RulesOf<ReturnType<typeof makePasskeyCalls>> = {
  begin: { who, caller },
  register: {
    who,
    input: record<RegisterPasskey>({ flow: TEXT, credential: OBJECT, name: TEXT_OR_NOT }),
    caller,
  },
  list: { who },
  rename: { who, id: TEXT, input: record<RenamePasskey>({ name: TEXT }) },
  remove: { who, id: TEXT, caller },
  logIn: { input: passkeyAnswer, caller },
  beginSecond: {
    input: record<BeginSecondPasskey>({ email: TEXT, pendingToken: TEXT }),
    caller,
    admit: optional(CALL),
  },
  beginProof: { who },
  configureFactor: { who, input: record<ConfigurePasskeyFactor>({ enable: FLAG }), caller },
};
