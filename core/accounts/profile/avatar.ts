import { CoreError } from '../../errors.ts';
import { type CleanImage, readImage } from '../../images/index.ts';
import type { Account } from '../account.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { withPending } from '../pending.ts';

/** Where an avatar is: an object of ours to be sent, or an address elsewhere. */
export type Avatar =
  | { readonly kind: 'stored'; readonly bytes: Uint8Array; readonly type: string; readonly tag: string }
  | { readonly kind: 'external'; readonly url: string };

const noAvatar = () => new CoreError('missing', 'avatar_not_found', 'There is no avatar.');

/** The beginning of an external avatar's address; a stored avatar has a path. */
const isExternal = (avatar: string) => /^https?:\/\//i.test(avatar);

const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
};

export const makeShowAvatar = ({ accounts, digest, objects }: Kit) => {
  const read = async (avatar: string): Promise<Avatar | undefined> => {
    if (isExternal(avatar)) return { kind: 'external', url: avatar };
    const bytes = await objects.find(avatar);
    const type = TYPES[avatar.slice(avatar.lastIndexOf('.') + 1)];
    if (bytes === undefined || type === undefined) return undefined;
    // An object never changes under its path, so the path says which one it is.
    return { kind: 'stored', bytes, type, tag: digest.sha256(avatar) };
  };

  return async ({ user: { id, avatar } }: Identity): Promise<Avatar> => {
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

/** The account without the avatar it has, whose object goes afterwards. */
const makeWithout =
  ({ clock, entries }: Pick<Kit, 'clock' | 'entries'>) =>
  (account: Account): Account => {
    const { avatar } = account;
    const without = { ...account, avatar: null, updatedAt: clock.now() };
    return avatar === null || isExternal(avatar)
      ? without
      : withPending(without, entries.task('remove-object', avatar));
  };

/** The new picture is stored before it is recorded, and the old one goes after that. See decision 0022. */
export const makeSetAvatar = (kit: Kit) => {
  const { changeUser, clock, log, objects, policy } = kit;
  const without = makeWithout(kit);

  /** Records the avatar, unless one with the same or a later time has been: then that time. */
  const record = (id: string, avatar: string, at: number): Promise<number | null> =>
    changeUser<number | null>(id, (account) => {
      if (account.avatarAt >= at) return { next: null, answer: account.avatarAt };
      return { next: { ...without(account), avatar, avatarAt: at }, answer: null };
    });

  /** Stores and records it under a path that never was another's: of two in one millisecond one takes the next. */
  const keep = async (id: string, { bytes, extension }: CleanImage): Promise<string> => {
    let at = clock.now();
    for (;;) {
      const path = `${id}/avatar_${at}.${extension}`;
      const stored = await objects.put(path, bytes);
      const taken = stored ? await record(id, path, at) : at;
      if (taken === null) return path;
      if (stored) await objects.remove(path);
      at = Math.max(clock.now(), taken + 1);
    }
  };

  return async (
    { user: { id } }: Identity,
    bytes: Uint8Array,
    caller: Caller,
  ): Promise<{ readonly avatar: string; readonly message: string }> => {
    const image = readImage(bytes, {
      sideLongest: policy.avatarSideLongest,
      pixelsMost: policy.avatarPixelsMost,
    });
    const avatar = await keep(id, image);
    log.info('avatar.set', { userId: id, ...calledFrom(caller) });
    return { avatar, message: 'The avatar is set.' };
  };
};

export const makeRemoveAvatar = (kit: Kit) => {
  const { changeUser, log } = kit;
  const without = makeWithout(kit);

  return async ({ user: { id } }: Identity, caller: Caller): Promise<{ readonly message: string }> => {
    await changeUser(id, (account) => {
      return { next: account.avatar === null ? null : without(account), answer: undefined };
    });
    log.info('avatar.removed', { userId: id, ...calledFrom(caller) });
    return { message: 'The avatar is removed.' };
  };
};

/** The names that avatars and drafts of them have: in a bucket that holds other things as well, these are not swept. */
const AVATAR = /^[^/]+\/avatar_\d+\./;

/** Young ones are left alone: their record may be on its way. See decision 0022. */
export const makeSweepAvatars =
  ({ accounts, clock, objects, policy }: Pick<Kit, 'accounts' | 'clock' | 'objects' | 'policy'>) =>
  async (): Promise<number> => {
    let count = 0;
    for await (const { path, storedAt } of objects.list()) {
      if (!AVATAR.test(path) || storedAt > clock.now() - policy.avatarOrphanLife) continue;
      const account = await accounts.find(path.slice(0, path.indexOf('/')));
      if (account?.avatar === path) continue;
      await objects.remove(path);
      count += 1;
    }
    return count;
  };
