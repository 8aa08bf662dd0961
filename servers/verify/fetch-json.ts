/** The part of a response that is read. */
interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  json(): Promise<unknown>;
}

/**
 * A function like the global `fetch`. Its second argument has no type here, so that this declaration needs neither the types
 * of browsers nor those of Node.js.
 */
export type Fetch = (url: string, init: never) => Promise<Answer>;

export const globalFetch: Fetch = (url, init) => fetch(url, init);

interface Init {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The most time that an answer may take, with its body. */
const TIMEOUT_MS = 3_000;

/** The body of a 200. Throws for any other answer, and at the time-out even if `fetch` ignores its signal. */
export const fetchJson = async (fetch: Fetch, url: string, init: Init = {}): Promise<unknown> => {
  const aborter = new AbortController();
  const readBody = async () => {
    // A followed redirect would send a secret in `init` to another server. Not all runtimes know `redirect: 'error'`.
    const fullInit = { ...init, redirect: 'manual', signal: aborter.signal };
    const answer = await fetch(url, fullInit as never);
    if (answer.status !== 200) throw new WrongStatus(answer.status, answer.headers.get('retry-after'));
    return answer.json();
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${TIMEOUT_MS} ms.`)), TIMEOUT_MS);
  });
  try {
    return await Promise.race([readBody(), timeout]);
  } finally {
    clearTimeout(timer);
    // An answer that nobody reads, such as the page of a proxy, would keep its connection.
    aborter.abort();
  }
};

export class WrongStatus extends Error {
  /** Seconds that the answer asks to wait; 1 if it does not say. */
  readonly retryAfter: number;

  constructor(status: number, retryAfter: string | null) {
    super(`The answer is ${status}.`);
    this.retryAfter = Number(retryAfter) || 1;
  }
}
