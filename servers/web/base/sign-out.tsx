import { Button } from '../kit/button.tsx';
import { Refusal, useForm } from '../kit/form.tsx';
import type { Problem } from '../kit/problem.ts';
import { words } from '../text/language.ts';

/** Ends the session, or says why it could not be ended. */
export const SignOut = ({ signOut }: { readonly signOut: () => Promise<Problem | undefined> }) => {
  const form = useForm();
  const { signOut: text } = words().kit;
  return (
    <>
      <Refusal state={form} />
      <Button kind="plain" busy={form.busy.value && text} onPress={() => form.run(signOut)}>
        {text}
      </Button>
    </>
  );
};
