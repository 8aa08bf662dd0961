import { CoreError } from '../errors.ts';
import type { Account } from './account.ts';
import type { Identity } from './authenticate.ts';
import { withPending } from './entries.ts';
import { invalidToken } from './errors.ts';
import type { CleanImage } from './images/index.ts';
import type { Kit } from './kit.ts';
import { type Caller, calledFrom } from './needs.ts';

/** Where an avatar is: an object of ours to be sent, or an address elsewhere. */
export type Avatar =
  | { readonly kind: 'stored'; readonly bytes: Uint8Array; readonly type: string; readonly tag: string }
  | { readonly kind: 'external'; readonly url: string };

const noAvatar = () => new CoreError('missing', 'avatar_not_found', 'There is no avatar.');

/** What an avatar at another place begins with, as opposed to a stored object's path. */
const isExternal = (avatar: string) => /^https?:\/\//i.test(avatar);

const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
};

/** The caller's avatar. Throws `missing` (`avatar_not_found`). */
export const makeShowAvatar = ({ accounts, digest, objects }: Kit) => {
  const read = async (avatar: string): Promise<Avatar | undefined> => {
    if (isExternal(avatar)) return { kind: 'external', url: avatar };
    const bytes = await objects.find(avatar);
    const type = TYPES[avatar.slice(avatar.lastIndexOf('.') + 1)];
    if (bytes === undefined || type === undefined) return undefined;
    // An object never changes under its path, so the path says which one it is.
    return { kind: 'stored', bytes, type, tag: digest.sha256(avatar) };
  };

  return async ({ account: { id, avatar } }: Identity): Promise<Avatar> => {
    if (avatar === null) throw noAvatar();
    const found = await read(avatar);
    if (found !== undefined) return found;
    // It may have been replaced, and removed, since the account was read.
    const now = (await accounts.find(id))?.avatar ?? null;
    const next = now === null || now === avatar ? undefined : await read(now);
    if (next === undefined) throw noAvatar();
    return next;
  };
};

/** Sets the account's avatar and has the object of the one before removed afterwards. */
const makeReplaceAvatar = ({ accounts, change, clock, entries }: Kit) => {
  const leave = (account: Account) =>
    account.avatar === null || isExternal(account.avatar)
      ? []
      : [entries.task('remove-object', account.avatar)];

  return (id: string, avatar: string | null) =>
    change(
      () => accounts.find(id),
      (account) => {
        if (account === undefined || account.deletedAt !== null)
          return { next: null, refuse: invalidToken() };
        if (account.avatar === avatar) return { next: null, answer: undefined };
        return {
          next: withPending({ ...account, avatar, updatedAt: clock.now() }, ...leave(account)),
          answer: undefined,
        };
      },
    );
};

/**
 * Takes a new avatar: cleaned of metadata, stored, and only then recorded; the one before goes after that. Throws
 * `refused` (`not_an_image`, `image_too_large`, `image_broken`).
 */
export const makeSetAvatar = (kit: Kit) => {
  const { clock, log, objects, policy } = kit;
  const replace = makeReplaceAvatar(kit);

  /** Stores it under a path of its own: of two in one millisecond the second takes the next. */
  const store = async (id: string, { bytes, extension }: CleanImage): Promise<string> => {
    for (let at = clock.now(); ; at += 1) {
      const path = `${id}/avatar_${at}.${extension}`;
      if (await objects.put(path, bytes)) return path;
    }
  };

  return async (
    { account: { id } }: Identity,
    bytes: Uint8Array,
    caller: Caller,
  ): Promise<{ readonly avatar: string; readonly message: string }> => {
    // Loaded with the first avatar: it would be a good part of the start.
    const { readImage } = await import('./images/index.ts');
    const image = readImage(bytes, {
      sideLongest: policy.avatarSideLongest,
      pixelsMost: policy.avatarPixelsMost,
    });
    const avatar = await store(id, image);
    await replace(id, avatar);
    log.info('avatar.set', { userId: id, ...calledFrom(caller) });
    return { avatar, message: 'The avatar is set.' };
  };
};

/** Removes the caller's avatar; without one nothing changes. */
export const makeRemoveAvatar = (kit: Kit) => {
  const replace = makeReplaceAvatar(kit);

  return async ({ account: { id } }: Identity, caller: Caller): Promise<{ readonly message: string }> => {
    await replace(id, null);
    kit.log.info('avatar.removed', { userId: id, ...calledFrom(caller) });
    return { message: 'The avatar is removed.' };
  };
};

/**
 * Removes stored avatars that no account shows: what a crash between storing and recording left. Young ones are left
 * alone, since their record may be on its way. Gives their number.
 */
export const makeSweepAvatars =
  ({ accounts, clock, objects, policy }: Kit) =>
  async (): Promise<number> => {
    let count = 0;
    for await (const { path, storedAt } of objects.list()) {
      if (storedAt > clock.now() - policy.avatarOrphanLife) continue;
      const account = await accounts.find(path.slice(0, path.indexOf('/')));
      if (account?.avatar === path) continue;
      await objects.remove(path);
      count += 1;
    }
    return count;
  };
