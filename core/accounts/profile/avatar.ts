import { message, type OnlyMessage } from '../../answer-schemas.ts';
import { CoreError, unavailable } from '../../errors.ts';
import { type CleanImage, readImage } from '../../images/index.ts';
import { makeSharedCalls } from '../../join-running-calls.ts';
import { object, type TypeOf, text } from '../../schema.ts';
import { type Account, AVATAR_EXAMPLE } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { withPending } from '../outbox-entries.ts';
import type { Principal } from '../principal.ts';

/** The most bytes of an uploaded avatar. The limits in pixels are settings of `policy.ts`. */
export const AVATAR_BYTES_MOST = 2_097_152;

/** An avatar: a stored object, or an external address. */
export type Avatar =
  | { readonly kind: 'stored'; readonly bytes: Uint8Array; readonly type: string; readonly tag: string }
  | { readonly kind: 'external'; readonly url: string };

export const noAvatar = () => new CoreError('missing', 'avatar_not_found', 'There is no avatar.');

/** An external avatar is an address; a stored avatar is a path. */
const isExternal = (avatar: string) => /^https?:\/\//i.test(avatar);

/** By the extension of the stored object. */
export const AVATAR_TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
};

export const makeShowAvatar = ({ accounts, digest, objects }: Deps) => {
  // Callers who ask for an avatar at the same time share one copy of its bytes.
  const share = makeSharedCalls<Uint8Array | undefined>();

  const readAvatar = async (avatar: string): Promise<Avatar | undefined> => {
    if (isExternal(avatar)) return { kind: 'external', url: avatar };
    const bytes = await share(avatar, () => objects.find(avatar));
    const type = AVATAR_TYPES[avatar.slice(avatar.lastIndexOf('.') + 1)];
    if (bytes === undefined || type === undefined) return undefined;
    // The object at a path never changes, so the path identifies its content.
    return { kind: 'stored', bytes, type, tag: digest.sha256(avatar) };
  };

  return async ({ user: { id, avatar } }: Principal): Promise<Avatar> => {
    if (avatar === null) throw noAvatar();
    const current = await readAvatar(avatar);
    if (current !== undefined) return current;
    // The avatar may have been replaced, and its object removed, since the account was read.
    const newest = (await accounts.find(id))?.avatar ?? null;
    const replacement = newest === null || newest === avatar ? undefined : await readAvatar(newest);
    if (replacement === undefined) throw noAvatar();
    return replacement;
  };
};

/** The account without its avatar, with a task that removes the stored object. */
const withoutAvatar = ({ clock, entries }: Pick<Deps, 'clock' | 'entries'>, account: Account): Account => {
  const { avatar } = account;
  const without = { ...account, avatar: null, updatedAt: clock.now() };
  return avatar === null || isExternal(avatar)
    ? without
    : withPending(without, entries.task('remove-object', avatar));
};

export const setAvatarResult = object({
  avatar: text({ description: 'The path of the stored avatar', examples: [AVATAR_EXAMPLE] }),
  message: message('The avatar is set.'),
});
/** The path of the stored avatar. */
export type SetAvatarResult = TypeOf<typeof setAvatarResult>;

/** Stores the new picture, then records it, then removes the old picture. See decision 0022. */
export const makeSetAvatar = (deps: Deps) => {
  const { changeUser, clock, log, objects, policy } = deps;

  /** Records the avatar and returns null, or returns the time of the last avatar if that is the same or later. */
  const record = (id: string, avatar: string, at: number): Promise<number | null> =>
    changeUser<number | null>(id, (account) => {
      if (account.avatarAt >= at) return { next: null, answer: account.avatarAt };
      return { next: { ...withoutAvatar(deps, account), avatar, avatarAt: at }, answer: null };
    });

  /** Removes the picture if the account was deleted meanwhile, perhaps after its objects were erased. Throws the error again. */
  const removeUnnamed =
    (path: string) =>
    async (error: unknown): Promise<never> => {
      // After another error the account may name the picture. A picture that cannot be removed is swept later.
      if (error instanceof CoreError && error.kind === 'unauthenticated')
        await objects.remove(path).catch(() => undefined);
      throw error;
    };

  /** Stores and records a picture under an unused path: of two pictures in one millisecond, one takes a later time. */
  const store = async (id: string, { bytes, extension }: CleanImage): Promise<string> => {
    let at = clock.now();
    for (;;) {
      const path = `${id}/avatar_${at}.${extension}`;
      /** The time of the picture that is in the way: at this path already, or recorded meanwhile. */
      let takenAt = at;
      if (await objects.put(path, bytes)) {
        const recordedAt = await record(id, path, at).catch(removeUnnamed(path));
        if (recordedAt === null) return path;
        await objects.remove(path);
        takenAt = recordedAt;
      }
      at = Math.max(clock.now(), takenAt + 1);
    }
  };

  return async ({ user: { id } }: Principal, bytes: Uint8Array, caller: Caller): Promise<SetAvatarResult> => {
    const image = readImage(bytes, {
      sideLongest: policy.avatarSideLongest,
      pixelsMost: policy.avatarPixelsMost,
    });
    const avatar = await store(id, image);
    log.info('avatar.set', { userId: id, ...calledFrom(caller) });
    return { avatar, message: 'The avatar is set.' };
  };
};

export const makeRemoveAvatar = (deps: Deps) => {
  const { changeUser, log } = deps;

  return async ({ user: { id } }: Principal, caller: Caller): Promise<OnlyMessage> => {
    const isRemoved = await changeUser<boolean>(id, (account) => {
      if (account.avatar === null) return { next: null, answer: false };
      return { next: withoutAvatar(deps, account), answer: true };
    });
    if (isRemoved) log.info('avatar.removed', { userId: id, ...calledFrom(caller) });
    return { message: 'The avatar is removed.' };
  };
};

/** The path of an avatar, or of the file that an interrupted write left, with a further suffix. Nothing else is swept. */
const AVATAR_PATH = /^[^/]+\/avatar_\d+\./;

/** Removes avatars that no account names, except new ones, whose account may still be written. See decision 0022. */
export const makeSweepAvatars =
  ({ accounts, clock, objects, policy }: Pick<Deps, 'accounts' | 'clock' | 'objects' | 'policy'>) =>
  async (): Promise<number> => {
    let count = 0;
    for await (const { path, storedAt } of objects.list()) {
      if (!AVATAR_PATH.test(path) || storedAt > clock.now() - policy.avatarOrphanLifeMs) continue;
      const account = await accounts.find(path.slice(0, path.indexOf('/')));
      // While the deletion can be undone, only the sealed account tells which avatar an undo brings back: all are kept.
      if (account?.avatar === path || account?.waitingDeletion) continue;
      await objects.remove(path);
      count += 1;
    }
    return count;
  };

/** An upload has usually ended by then. */
const RETRY_AFTER_SECONDS = 5;

const tooManyUploads = () =>
  new CoreError('throttled', 'too_many_uploads', 'Wait until your other uploads have ended.', {
    retryAfter: RETRY_AFTER_SECONDS,
  });

/** Ends an upload; further calls do nothing. */
export type EndUpload = () => void;

/** Limits the uploads under way in this process: their number for each user, and their bytes in total. */
export const makeBeginAvatarUpload = ({ policy }: Pick<Deps, 'policy'>) => {
  const uploadsByUser = new Map<string, number>();
  let pendingBytes = 0;

  return ({ user: { id } }: Pick<Principal, 'user'>, bytes: number): EndUpload => {
    const uploads = uploadsByUser.get(id) ?? 0;
    if (uploads >= policy.avatarUploadsPerUser) throw tooManyUploads();
    if (pendingBytes + bytes > policy.avatarUploadBytes)
      throw unavailable(
        'uploads_full',
        'Too many uploads are in progress; try again later.',
        RETRY_AFTER_SECONDS,
      );
    uploadsByUser.set(id, uploads + 1);
    pendingBytes += bytes;
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      pendingBytes -= bytes;
      const remaining = (uploadsByUser.get(id) ?? 1) - 1;
      if (remaining === 0) uploadsByUser.delete(id);
      else uploadsByUser.set(id, remaining);
    };
  };
};
