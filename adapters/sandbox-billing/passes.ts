import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a page of the sandbox is opened for. */
export interface Pass {
  readonly userId: string;
  /** Null for the portal. */
  readonly productId: string | null;
  readonly checkoutId: string | null;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Passes are part of the pages' addresses. They are signed, so nobody can open another user's page. */
export const makePasses = (secret: string) => {
  const markOf = (text: string) => createHmac('sha256', secret).update(`sandbox-pass:${text}`).digest();

  return {
    write: (pass: Pass): string => {
      const text = Buffer.from(JSON.stringify(pass)).toString('base64url');
      return `${text}.${markOf(text).toString('base64url')}`;
    },
    /** Undefined for what was not written here, or is over. */
    read: (token: string, now: number): Pass | undefined => {
      const [text = '', mark = ''] = token.split('.');
      const given = Buffer.from(mark, 'base64url');
      const right = markOf(text);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
      const pass = JSON.parse(Buffer.from(text, 'base64url').toString()) as Pass;
      return pass.expiresAt > now ? pass : undefined;
    },
  };
};
