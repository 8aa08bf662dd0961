import type { Kit } from '../kit.ts';
import { makeAnswerTrip } from './answer.ts';
import { makeBeginTrip } from './begin.ts';
import { makeExchange } from './exchange.ts';
import { makeBeginLink, makeConfirmLink } from './link.ts';
import { makeBeginProof } from './prove.ts';
import { makeSignUpByProvider } from './sign-up.ts';
import { makeUnlink } from './unlink.ts';

/** The calls for sign-in with accounts that people have elsewhere. */
export const makeProviderCalls = (kit: Kit) => ({
  list: () => kit.providers.list.map(({ id, name, formPost }) => ({ id, name, formPost })),
  begin: makeBeginTrip(kit),
  answer: makeAnswerTrip(kit),
  exchange: makeExchange(kit),
  signUp: makeSignUpByProvider(kit),
  beginLink: makeBeginLink(kit),
  confirmLink: makeConfirmLink(kit),
  unlink: makeUnlink(kit),
  beginProof: makeBeginProof(kit),
});
