import { useSignal } from '@preact/signals';
import { Button } from '../kit/button.tsx';
import { UserText } from '../kit/user-text.tsx';
import { c } from './text.ts';

/** Characters that fill about three lines of a narrow column. */
const SHORT = 60;

/** A user's text, folded after three lines until somebody unfolds it. */
export const Folded = ({ text }: { readonly text: string }) => {
  const isOpen = useSignal(false);
  const { more, less } = c().frame;
  if (text.length <= SHORT) return <UserText text={text} />;
  return (
    <>
      <div class={isOpen.value ? undefined : 'folded'}>
        <UserText text={text} />
      </div>
      <Button
        kind="link"
        expanded={isOpen.value}
        onPress={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {isOpen.value ? less : more}
      </Button>
    </>
  );
};
