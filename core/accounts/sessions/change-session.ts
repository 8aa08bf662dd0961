import { unavailable } from '../../errors.ts';
import type { Deps } from '../deps.ts';
import { type Proof, provedSession, type Session } from '../session.ts';

/** The decision about the session that was read: `next` is written (null: nothing to write), then `answer` is returned. */
export interface SessionDecision<T> {
  readonly next: Session | null;
  readonly answer: T;
}

const ATTEMPTS = 50;

/**
 * Reads a session, decides, and writes it if no other write came in between; otherwise it starts over. Undefined if there
 * is no such session, or `decide` returns undefined. `initialSession` is a session that the caller has just read. Throws
 * `unavailable` (`contended`).
 */
export const changeSession = async <T>(
  { sessions }: Pick<Deps, 'sessions'>,
  { userId, id }: Pick<Session, 'userId' | 'id'>,
  decide: (session: Session) => SessionDecision<T> | undefined | Promise<SessionDecision<T> | undefined>,
  initialSession?: Session,
): Promise<T | undefined> => {
  let session = initialSession ?? (await sessions.find(userId, id));
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    const decision = session && (await decide(session));
    if (session === undefined || decision === undefined) return undefined;
    const { next, answer } = decision;
    if (next === null || (await sessions.change(session, next))) return answer;
    session = await sessions.find(userId, id);
  }
  throw unavailable('contended', 'Too many changes of this session at once; try again.', 1);
};

/** Writes the proof that `proofOf` makes of a session into it; false if the session does not exist or was ended. */
export const writeProof = async (
  deps: Pick<Deps, 'sessions'>,
  key: Pick<Session, 'userId' | 'id'>,
  proofOf: (session: Session) => Proof,
): Promise<boolean> =>
  (await changeSession(deps, key, (session) => {
    const next = provedSession(session, proofOf(session));
    return next && { next, answer: true };
  })) ?? false;
