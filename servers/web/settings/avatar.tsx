import { useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { accounts, outcome } from '../api.ts';
import { Button } from '../kit/button.tsx';
import type { FormState } from '../kit/form.tsx';
import { tell } from '../kit/tell.ts';
import { loadUser, user } from '../session.ts';
import { t } from '../text/language.ts';
import { Crop } from './crop.tsx';

const initials = (name: string): string =>
  name
    .split(/[\s@.]+/)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('');

/** Whether a picture is at another site: one that was uploaded has a path, such as `<user id>/avatar_1.webp`. */
const isElsewhere = (avatar: string | null | undefined) => avatar?.includes('://');

/** The picture as a local address: an image element could read an own one by its cookie, but not an old one. */
const usePicture = () => {
  const address = useSignal<string | null>(null);
  useSignalEffect(() => {
    const own = isElsewhere(user.value?.avatar) === false;
    let made: string | null = null;
    let over = false;
    const load = async () => {
      const { data } = await outcome(accounts.GET('/api/avatar', { parseAs: 'blob' }));
      if (data === undefined || over) return;
      made = URL.createObjectURL(data);
      address.value = made;
    };
    if (own) void load();
    else address.value = null;
    return () => {
      over = true;
      if (made !== null) URL.revokeObjectURL(made);
    };
  });
  return address;
};

/** The picture, and ways to another one. Refusals show in the form around it. */
export const Avatar = ({ form }: { readonly form: FormState }) => {
  const picker = useRef<HTMLInputElement>(null);
  const chosen = useSignal<File | null>(null);
  const address = usePicture();
  const { profile } = t();
  const known = user.value;
  if (!known) return null;

  const send = (avatar: Blob) =>
    form.run(async () => {
      chosen.value = null;
      const file = avatar instanceof File ? avatar : new File([avatar], 'avatar');
      const { problem } = await outcome(accounts.POST('/api/avatar', { body: { avatar: file } }));
      if (problem !== undefined) return problem;
      await loadUser();
      tell(profile.changed);
      return undefined;
    });
  const remove = () =>
    form.run(async () => {
      const { problem } = await outcome(accounts.DELETE('/api/avatar'));
      if (problem !== undefined) return problem;
      await loadUser();
      tell(profile.removed);
      return undefined;
    });
  return (
    <div class="row">
      <span class="avatar" aria-hidden="true">
        {address.value === null ? (
          initials(known.displayName ?? known.email)
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
          event.currentTarget.value = '';
          // A moving picture would stand still after a cut.
          if (file?.type === 'image/gif') void send(file);
          else chosen.value = file ?? null;
        }}
      />
      <Button kind="plain" busy={form.busy.value && profile.change} onPress={() => picker.current?.click()}>
        {profile.change}
      </Button>
      {known.avatar === null ? null : (
        <Button kind="link" onPress={remove}>
          {profile.remove}
        </Button>
      )}
      {isElsewhere(known.avatar) ? <p class="muted small">{profile.external}</p> : null}
      {chosen.value === null ? null : (
        <Crop
          file={chosen.value}
          onUse={send}
          onClose={() => {
            chosen.value = null;
          }}
        />
      )}
    </div>
  );
};
