import type { Sealer } from '../../ports.ts';
import type { Deps } from '../deps.ts';
import { CLOCK_SET_BACK_MS } from '../policy.ts';
import type { Principal } from '../principal.ts';
import { timeSince } from '../session.ts';
import { sealedJson, spendOnce } from '../single-use-token.ts';

/** The purpose of a challenge. A response to it is valid for no other purpose. */
export type CeremonyPurpose = 'register' | 'login' | 'second' | 'reauth';

/** The owner of a challenge; all null for a sign-in by passkey, which begins without an account. */
export interface CeremonySubject {
  readonly userId: string | null;
  /** The account's session version. */
  readonly epoch: number | null;
  /** Null also in the second step of a sign-in, which has no session yet. */
  readonly sessionId: string | null;
}

/** A challenge that was issued. The client keeps it sealed, so that nothing is stored until its response comes. */
export interface Ceremony extends CeremonySubject {
  readonly purpose: CeremonyPurpose;
  readonly challenge: string;
  /** The user handle for a new passkey; null unless a passkey is being registered. */
  readonly handle: string | null;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Binds a challenge to the session that began it, until a change of the account ends the account's sessions. */
export const sessionSubject = ({ user, session }: Pick<Principal, 'user' | 'session'>): CeremonySubject => ({
  userId: user.id,
  epoch: user.sessionEpoch,
  sessionId: session.id,
});

export const NOBODY: CeremonySubject = { userId: null, epoch: null, sessionId: null };

type CeremonyDeps = Pick<Deps, 'clock' | 'digest' | 'flows' | 'policy' | 'random' | 'sealer'>;

const sealedAs = (sealer: Sealer, purpose: CeremonyPurpose) =>
  sealedJson<Ceremony>(sealer, `passkey-flow:${purpose}`);

/** Issues a challenge; `flow` is its sealed form, which the client sends back. See decision 0098. */
export const beginCeremony = (
  { clock, policy, random, sealer }: CeremonyDeps,
  purpose: CeremonyPurpose,
  subject: CeremonySubject,
  handle: string | null = null,
) => {
  const challenge = random.text(policy.passkeyChallengeBytes);
  const ceremony: Ceremony = { ...subject, purpose, challenge, handle, at: clock.now() };
  return { challenge, flow: sealedAs(sealer, purpose).seal(ceremony) };
};

const isSame = (subject: CeremonySubject, { userId, epoch, sessionId }: CeremonySubject) =>
  subject.userId === userId && subject.epoch === epoch && subject.sessionId === sessionId;

/** Undefined if the challenge has another purpose or owner, or has expired. */
export const openCeremony = (
  { clock, policy, sealer }: CeremonyDeps,
  flow: string,
  purpose: CeremonyPurpose,
  subject: CeremonySubject,
): Ceremony | undefined => {
  const ceremony = sealedAs(sealer, purpose).open(flow);
  if (ceremony === undefined || !isSame(ceremony, subject)) return undefined;
  return timeSince(ceremony.at, clock.now()) < policy.passkeyFlowLifeMs ? ceremony : undefined;
};

/** True for the first valid response only. Invalid responses spend nothing, so that strangers cannot void a challenge. */
export const spendCeremony = (deps: CeremonyDeps, { challenge, at }: Ceremony): Promise<boolean> => {
  const expiresAt = at + deps.policy.passkeyFlowLifeMs;
  // The record must outlast the challenge: a process whose clock is behind accepts the challenge longest, and one whose clock
  // is ahead sweeps the record earliest. Either clock may be off by `CLOCK_SET_BACK_MS`.
  const keptUntil = expiresAt + 2 * CLOCK_SET_BACK_MS;
  return spendOnce(deps, deps.digest.sha256(challenge), { expiresAt, keptUntil });
};
