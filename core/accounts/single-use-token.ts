import type { Digest, Sealer } from '../ports.ts';
import type { Deps } from './deps.ts';
import type { FlowStage } from './store-ports.ts';

// The single-use values of flows go through this module: the code at the end of a provider flow, the authorization code of an
// app, the ticket that begins a flow, and the challenge to a passkey. Each is random, bound to a purpose, and used up by one
// conditional write. Of any number of parallel uses, in any number of processes, exactly one succeeds. A code is stored as a
// digest, with its sealed content, when it is issued (`answered`); it is `taken` once redeemed, and `spent` once closed. A
// ticket or a challenge is stored only when it is used, as `spent`.

/** Until when a record may be used, and until when no other record can have its id. Epoch milliseconds. */
export interface Lifetime {
  readonly expiresAt: number;
  readonly keptUntil: number;
}

/** A token that was presented and is the one that was issued; it may have been redeemed already. */
export interface PresentedToken<T> {
  readonly id: string;
  readonly codeDigest: string;
  readonly stage: FlowStage;
  /** What the token stands for. Undefined if its seal does not open, such as that of a token for another purpose. */
  readonly content: T | undefined;
}

/** Seals values of one kind as JSON; opening gives undefined for everything that was not sealed as this kind. */
export const sealedJson = <T>(sealer: Sealer, context: string) => ({
  seal: (value: T): string => sealer.seal(JSON.stringify(value), context),
  open(text: string): T | undefined {
    const json = sealer.open(text, context);
    return json === undefined ? undefined : (JSON.parse(json) as T);
  },
});

/** The id of the token's record, and a secret or MAC: 256 bits each, as base64url. */
const TOKEN = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

type SingleUseTokenDeps = Pick<Deps, 'clock' | 'digest' | 'flows' | 'random' | 'sealer'>;

/**
 * Tokens of one purpose. `context` seals the content together with the id of its record, so that content which is moved to
 * another record, or issued for another purpose, opens nothing.
 */
export const makeSingleUseTokens = <T extends object>(
  { clock, digest, flows, random, sealer }: SingleUseTokenDeps,
  context: (id: string) => string,
) => {
  const sealedFor = (id: string) => sealedJson<T>(sealer, context(id));
  const open = (id: string, sealed: string | null): T | undefined =>
    sealed === null ? undefined : sealedFor(id).open(sealed);

  return {
    /** Stores what the token stands for, and returns the token; undefined if the id was used before. */
    async issue(id: string, content: T, { expiresAt, keptUntil }: Lifetime): Promise<string | undefined> {
      const secret = random.text(32);
      const isFirst = await flows.add({
        id,
        stage: 'answered',
        codeDigest: digest.sha256(secret),
        content: sealedFor(id).seal(content),
        expiresAt,
        keptUntil,
      });
      return isFirst ? `${id}.${secret}` : undefined;
    },

    /** Undefined for a token that was never issued, or whose record has expired. */
    async find(token: string): Promise<PresentedToken<T> | undefined> {
      const [, id, secret] = TOKEN.exec(token) ?? [];
      if (id === undefined || secret === undefined) return undefined;
      const flow = await flows.find(id, clock.now());
      const codeDigest = digest.sha256(secret);
      if (flow === undefined || !digest.equal(flow.codeDigest ?? '', codeDigest)) return undefined;
      return { id, codeDigest, stage: flow.stage, content: open(id, flow.content) };
    },

    /** What a redeemed token stands for, by the id of its record; undefined once the record is closed or expired. */
    async findRedeemed(id: string): Promise<T | undefined> {
      const flow = await flows.find(id, clock.now());
      return flow?.stage === 'taken' ? open(id, flow.content) : undefined;
    },

    /** True for the first use of the token alone. The record can be closed until `expiresAt`. */
    redeem: ({ id, codeDigest }: PresentedToken<T>, expiresAt: number): Promise<boolean> =>
      flows.step({ id, codeDigest, from: 'answered', to: 'taken', expiresAt }, clock.now()),

    /** Ends a redeemed token for good: `findRedeemed` no longer returns its content. True for one call alone. */
    close: (id: string, expiresAt: number): Promise<boolean> =>
      flows.step({ id, from: 'taken', to: 'spent', expiresAt }, clock.now()),
  };
};

/**
 * Uses up an id that was valid without a record, such as that of a ticket or a challenge. True for the first use alone.
 * `note` is a text that a later use can find in the record.
 */
export const spendOnce = (
  { flows }: Pick<Deps, 'flows'>,
  id: string,
  { expiresAt, keptUntil }: Lifetime,
  note: string | null = null,
): Promise<boolean> =>
  flows.add({ id, stage: 'spent', codeDigest: null, content: note, expiresAt, keptUntil });

/** Ends a flow, also before its callback: a later callback finds the id in use. A token that was redeemed stays redeemed. */
export const revokeFlow = async (
  { clock, flows }: Pick<Deps, 'clock' | 'flows'>,
  id: string,
  keptUntil: number,
): Promise<void> => {
  const now = clock.now();
  const isFirst = await spendOnce({ flows }, id, { expiresAt: now, keptUntil });
  if (!isFirst) await flows.step({ id, from: 'answered', to: 'spent', expiresAt: now }, now);
};

/** What may follow a redeemed token. Its continuation token is the record's id with a MAC, which proves that we issued it. */
export type ContinuationPurpose = 'sign-up-token' | 'link-token';

export const newContinuationToken = (digest: Digest, purpose: ContinuationPurpose, id: string): string =>
  `${id}.${digest.keyed(purpose, id)}`;

/** The id of the record; undefined for a token of another purpose, or one that we did not issue. */
export const readContinuationToken = (
  digest: Digest,
  purpose: ContinuationPurpose,
  token: string,
): string | undefined => {
  const [, id, mac] = TOKEN.exec(token) ?? [];
  if (id === undefined || mac === undefined) return undefined;
  return digest.everyKeyed(purpose, id).some((valid) => digest.equal(valid, mac)) ? id : undefined;
};
