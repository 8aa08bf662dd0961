import type { Bucket, Budget } from './ports.ts';

/** A rate limit bucket: how many requests of one client, user or account are allowed in 60 seconds. */
export interface RateLimitBucket {
  /** The default of the setting `RATE_LIMIT_<NAME>`, or the bucket whose number applies here too; the two count separately. */
  readonly requests: number | 'login';
  /** Whether its routes hash a password. */
  readonly hashes?: true;
  /** Whether a signed-in user's requests count by user alone; absent: by client, and then by user. */
  readonly byUserAlone?: true;
}

/**
 * All rate limit buckets. To add one, add a row here and name it in a route: the setting `RATE_LIMIT_<NAME>` and its
 * documentation, which is the comment of the row, are made from this list.
 */
export const rateLimitBuckets = {
  /** Register. */
  register: { requests: 10, hashes: true },
  /** Verify-email, password-reset/confirm, email/confirm, email/undo and handover/redeem. */
  verify: { requests: 5, hashes: true },
  /**
   * Resend-verification, password-reset, change of the email and the sign-up with a provider. It also limits how many
   * code mails login and register send to one email.
   */
  resend: { requests: 3 },
  /**
   * Login, by passkey and to the console too, and the open routes of sign-in with providers. Routes that ask for the password
   * again, such as password change and delete-account, have a bucket of their own, `password`: it has the same number, and
   * counts by user and by address.
   */
  login: { requests: 30, hashes: true },
  password: { requests: 'login', hashes: true },
  /** Health, of each service. */
  health: { requests: 50 },
  /** Actions of operators in the console, by operator. */
  acts: { requests: 30, byUserAlone: true },
  /** The pages and their files, by client address. */
  pages: { requests: 600 },
  /** All other endpoints of the account service and the console: by user, or by client address without a user. */
  default: { requests: 300, byUserAlone: true },
} satisfies Readonly<Record<string, RateLimitBucket>>;

export type RateLimitName = keyof typeof rateLimitBuckets;

/** Requests in 60 seconds by bucket. */
export type RateLimits = Readonly<Record<RateLimitName, number>>;

/** A window starts with the first request of a key. */
export const RATE_LIMIT_SECONDS = 60;

/** The bucket as the limiter takes it. The three counters of a bucket differ by name. */
export const bucketBy = (
  countedBy: 'client' | 'user' | 'account',
  name: RateLimitName,
  limit: number,
): Bucket => ({ name: `${countedBy}:${name}`, limit, seconds: RATE_LIMIT_SECONDS });

/** The budget of the nth call (`callNumber`, from 1) in a window that ends in `millisecondsLeft`. */
export const budgetOf = (
  { limit, seconds }: Bucket,
  callNumber: number,
  millisecondsLeft: number,
): Budget => ({
  allowed: callNumber <= limit,
  limit,
  remaining: Math.max(0, limit - callNumber),
  reset: Math.min(seconds, Math.max(1, Math.ceil(millisecondsLeft / 1_000))),
});
