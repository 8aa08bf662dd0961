import { useSignal } from '@preact/signals';
import { Button } from '../kit/button.tsx';
import { words } from '../text/language.ts';

/** A button that signs out. */
export const SignOut = ({ signOut }: { readonly signOut: () => Promise<void> }) => {
  const busy = useSignal(false);
  const text = words().kit.signOut;
  const press = async () => {
    busy.value = true;
    await signOut();
    busy.value = false;
  };
  return (
    <Button kind="plain" busy={busy.value && text} onPress={press}>
      {text}
    </Button>
  );
};
