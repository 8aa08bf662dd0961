import { BusyButton } from '../kit/button.tsx';
import { words } from '../text/language.ts';

/** A button that signs out. */
export const SignOut = ({ signOut }: { readonly signOut: () => Promise<void> }) => (
  <BusyButton kind="plain" text={words().kit.signOut} onPress={signOut} />
);
