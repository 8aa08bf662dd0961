import { CoreError, unavailable } from '../../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';

/** Seconds after which to try again. By then an upload has usually ended. */
const RETRY_AFTER = 5;

const tooManyUploads = () =>
  new CoreError('throttled', 'too_many_uploads', 'Your other uploads must end first.', {
    retryAfter: RETRY_AFTER,
  });

/** Ends an upload; further calls do nothing. */
export type EndUpload = () => void;

export const makeBeginAvatarUpload = ({ policy }: Pick<Kit, 'policy'>) => {
  const underWay = new Map<string, number>();
  let held = 0;

  return ({ user: { id } }: Pick<Identity, 'user'>, bytes: number): EndUpload => {
    const others = underWay.get(id) ?? 0;
    if (others >= policy.avatarUploadsPerUser) throw tooManyUploads();
    if (held + bytes > policy.avatarUploadBytes)
      throw unavailable('uploads_full', 'Too many uploads are under way; try again later.', RETRY_AFTER);
    underWay.set(id, others + 1);
    held += bytes;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      held -= bytes;
      const left = (underWay.get(id) ?? 1) - 1;
      if (left === 0) underWay.delete(id);
      else underWay.set(id, left);
    };
  };
};
