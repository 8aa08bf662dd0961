import { checkedBy, isRecord, problemOf, type Schema, TEXT } from '../schema.ts';
import { invalidFile } from './errors.ts';

/** The owner of the files: `userId`, or `user` as over HTTP. */
export type OfUser<T extends { readonly user: string }> = Omit<T, 'user'> &
  ({ readonly userId: string; readonly user?: never } | { readonly user: string; readonly userId?: never });

/** Lets callers name the user `userId` or `user`. Throws `invalid` (`invalid_request`) if both are given and differ. */
export const ofUser =
  <T extends { readonly user: string }, Answer>(run: (input: T) => Promise<Answer>) =>
  async (args: OfUser<T>): Promise<Answer> => {
    const { userId, ...input }: { readonly userId?: string; readonly user?: string } = args;
    if (userId !== undefined && input.user !== undefined && userId !== input.user) {
      throw invalidFile("'user' is another name of 'userId': give one of them.");
    }
    // The cast is safe: all other members are unchanged.
    return run({ ...input, user: userId ?? input.user } as T);
  };

/** The schema of an input in which embedded calls may name the user either way. */
export const userByEitherName = <T extends { readonly user: string }>(input: Schema<T>): Schema<OfUser<T>> =>
  checkedBy(input as Schema, (value, name) => {
    // Checks the other members first, with an empty text in place of the user: lengths are not checked here.
    const problem = problemOf(input, isRecord(value) ? { ...value, user: '' } : value, name);
    if (problem !== undefined) return problem;
    const { userId, user } = value as { readonly userId?: unknown; readonly user?: unknown };
    const problemOfUser = user === undefined ? undefined : problemOf(TEXT, user, 'user');
    if (userId === undefined && user !== undefined) return problemOfUser;
    // If both are absent, the problem is that `userId` is missing.
    return problemOf(TEXT, userId, 'userId') ?? problemOfUser;
  }) as Schema<OfUser<T>>;
