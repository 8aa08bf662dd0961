import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { CLOCK_SET_BACK } from '../policy.ts';
import { timeSince } from '../session.ts';

/** What a challenge is for. An answer to it is good for nothing else. */
export type CeremonyPurpose = 'register' | 'login' | 'second' | 'reauth';

/** Whose challenge it is: all null for a login, which begins with nobody. */
export interface CeremonyOf {
  readonly userId: string | null;
  /** The account's session epoch. */
  readonly epoch: number | null;
  readonly sessionId: string | null;
}

/** A challenge on its way: the client keeps it sealed, so nothing is stored while it is out. */
export interface Ceremony extends CeremonyOf {
  readonly purpose: CeremonyPurpose;
  readonly challenge: string;
  /** What the new passkey is to know the account by; null unless one is to be registered. */
  readonly handle: string | null;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Good in the session that began it, until a change of the account ends its sessions. */
export const sessionOf = ({ user, session }: Pick<Identity, 'user' | 'session'>): CeremonyOf => ({
  userId: user.id,
  epoch: user.sessionEpoch,
  sessionId: session.id,
});

export const NOBODY: CeremonyOf = { userId: null, epoch: null, sessionId: null };

/** Begins, opens and spends challenges. See decision 0098. */
export const makeCeremonies = ({
  clock,
  digest,
  flows,
  policy,
  random,
  sealer,
}: Pick<Kit, 'clock' | 'digest' | 'flows' | 'policy' | 'random' | 'sealer'>) => {
  const context = (purpose: CeremonyPurpose) => `passkey-flow:${purpose}`;
  const isSame = (one: CeremonyOf, { userId, epoch, sessionId }: CeremonyOf) =>
    one.userId === userId && one.epoch === epoch && one.sessionId === sessionId;

  return {
    begin(purpose: CeremonyPurpose, of: CeremonyOf, handle: string | null = null) {
      const challenge = random.text(policy.passkeyChallengeBytes);
      const ceremony: Ceremony = { ...of, purpose, challenge, handle, at: clock.now() };
      return { challenge, flow: sealer.seal(JSON.stringify(ceremony), context(purpose)) };
    },

    /** Undefined for one of another purpose, of somebody else, or whose time is over. */
    open(flow: string, purpose: CeremonyPurpose, of: CeremonyOf): Ceremony | undefined {
      const opened = sealer.open(flow, context(purpose));
      const ceremony = opened === undefined ? undefined : (JSON.parse(opened) as Ceremony);
      if (ceremony === undefined || !isSame(ceremony, of)) return undefined;
      return timeSince(ceremony.at, clock.now()) < policy.passkeyFlowLife ? ceremony : undefined;
    },

    /** True once, for the first of any number of right answers. Wrong ones spend nothing, so nobody else can. */
    spend: ({ challenge, at }: Ceremony): Promise<boolean> =>
      flows.add({
        id: digest.sha256(challenge),
        stage: 'spent',
        codeDigest: null,
        content: null,
        expiresAt: at + policy.passkeyFlowLife,
        keptUntil: at + policy.passkeyFlowLife + 2 * CLOCK_SET_BACK,
      }),
  };
};
