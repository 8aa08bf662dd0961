import { useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { loadUser } from '../auth/arrive-and-sign-out.ts';
import { accounts, outcome } from '../base/api.ts';
import { user } from '../base/session.ts';
import { Button } from '../kit/button.tsx';
import { Refusal, saveChange, useForm } from '../kit/form.tsx';
import { lazyPiece } from '../kit/load.tsx';
import { t } from '../text/language.ts';
import type { Crop } from './crop.tsx';

const loadCrop = lazyPiece(() => import('./crop.tsx'));

const initials = (name: string): string =>
  name
    .split(/[\s@.]+/)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('');

/** Whether a picture is at another site: one that was uploaded has a path, such as `<user id>/avatar_1.webp`. */
const isElsewhere = (avatar: string | null | undefined) => avatar?.includes('://');

/** The object URL of the loaded picture. The route has one address for all pictures: an `img` would go on to show the old one. */
const usePicture = () => {
  const address = useSignal<string | null>(null);
  useSignalEffect(() => {
    const avatar = user.value?.avatar ?? null;
    const isUploaded = avatar !== null && !isElsewhere(avatar);
    let objectUrl: string | null = null;
    let isOutdated = false;
    const load = async () => {
      const { data } = await outcome(accounts.GET('/api/avatar', { parseAs: 'blob' }));
      if (data === undefined || isOutdated) return;
      objectUrl = URL.createObjectURL(data);
      address.value = objectUrl;
    };
    if (isUploaded) void load();
    else address.value = null;
    return () => {
      isOutdated = true;
      if (objectUrl !== null) URL.revokeObjectURL(objectUrl);
    };
  });
  return address;
};

export const Avatar = () => {
  const form = useForm();
  const picker = useRef<HTMLInputElement>(null);
  const cropping = useSignal<{ readonly file: File; readonly Dialog: typeof Crop } | null>(null);
  const address = usePicture();
  const { profile } = t();
  const account = user.value;
  if (!account) return null;

  const send = (avatar: Blob) =>
    form.run(() => {
      cropping.value = null;
      // A form would give a `Blob` the file name `blob`.
      const file = avatar instanceof File ? avatar : new File([avatar], 'avatar');
      const request = outcome(accounts.POST('/api/avatar', { body: { avatar: file } }));
      return saveChange(request, profile.changed, loadUser);
    });
  const crop = (file: File) =>
    form.run(async () => {
      const { data, problem } = await loadCrop();
      if (data !== undefined) cropping.value = { file, Dialog: data.Crop };
      return problem;
    });
  const remove = () =>
    form.run(() => saveChange(outcome(accounts.DELETE('/api/avatar')), profile.removed, loadUser));
  return (
    <>
      <Refusal state={form} />
      <div class="row">
        <span class="avatar" aria-hidden="true">
          {address.value === null ? (
            initials(account.displayName ?? account.email)
          ) : (
            <img src={address.value} alt="" />
          )}
        </span>
        <input
          ref={picker}
          type="file"
          hidden
          accept="image/jpeg,image/png,image/webp,image/gif"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            // Otherwise the same file, chosen again, would cause no event.
            event.currentTarget.value = '';
            if (file === undefined) return;
            // Cropping would remove the animation.
            void (file.type === 'image/gif' ? send(file) : crop(file));
          }}
        />
        <Button kind="plain" busy={form.busy.value && profile.change} onPress={() => picker.current?.click()}>
          {profile.change}
        </Button>
        {account.avatar === null ? null : (
          <Button kind="link" onPress={remove}>
            {t().account.remove}
          </Button>
        )}
        {isElsewhere(account.avatar) ? <p class="muted small">{profile.external}</p> : null}
        {cropping.value === null ? null : (
          <cropping.value.Dialog
            file={cropping.value.file}
            onUse={send}
            onClose={() => {
              cropping.value = null;
            }}
          />
        )}
      </div>
    </>
  );
};
