/** The client of a call, as far as its server knows. */
export interface Caller {
  /** Canonical client address. */
  readonly address: string;
  /** The key by which clients are distinguished: the address, or its /64 for IPv6. */
  readonly client: string;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  /** The `Accept-Language` header, unparsed. */
  readonly languages: string | null;
  /**
   * How the client keeps a session that begins with this call; in tokens when absent. `console`: in the cookie of the
   * operators' console, where only operators may sign in.
   */
  readonly session?: 'cookie' | 'console' | undefined;
}

const USER_AGENT_LONGEST = 256;

/** The client as a session records it. */
export const clientOf = ({ address, userAgent }: Caller) => ({
  address,
  userAgent: userAgent?.slice(0, USER_AGENT_LONGEST) ?? null,
});

/** The log fields about the origin of a call. */
export const calledFrom = ({ address, requestId }: Caller): { address: string; requestId?: string } =>
  requestId === null ? { address } : { address, requestId };
