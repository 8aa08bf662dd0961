/** A code that was sent by mail. Only its keyed digest is kept. */
export interface EmailedCode {
  readonly digest: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** Wrong tries so far; the code is dropped at the limit. */
  readonly tries: number;
}

/** A verification code, with the time of the registration that it was mailed for. */
export interface VerificationCode extends EmailedCode {
  readonly registeredAt: number;
}

/** A code to reset the password. */
export interface ResetCode extends EmailedCode {
  /**
   * The wrong tries of strangers, where it was asked for from an address that the owner uses: they count apart from
   * those at such addresses then. Null where a stranger asked for it: `tries` has them all.
   */
  readonly strangersTries: number | null;
}

/** A change of the email that its owner asked for: the code went to the new address. */
export interface EmailChange extends EmailedCode {
  /** The new address, canonical. */
  readonly to: string;
  readonly at: number;
  /** The first ask of a row of them within a day: an ask anew moves nothing to before it. */
  readonly since: number;
  /** The session that asked, which alone may confirm it, and the account's session epoch then. */
  readonly session: string;
  readonly epoch: number;
}

/** An email that the account had. The code that was mailed to it takes the change back. */
export interface FormerEmail {
  readonly email: string;
  readonly digest: string;
  /** When the change was asked for: what was added since then goes when it is taken back. */
  readonly askedAt: number;
  /** Until when it can be taken back, epoch milliseconds. */
  readonly until: number;
}
