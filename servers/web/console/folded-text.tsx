import { useSignal } from '@preact/signals';
import { Button } from '../kit/button.tsx';
import { UserText } from '../kit/user-text.tsx';
import { c } from './text.ts';

/** Characters that fill about three lines of a narrow column. */
const SHORT = 60;

/** A word that is longer than most columns, such as a hash. */
const LONG_WORD = /\S{33}/;

/** A user's text, folded after three lines until somebody unfolds it; a single long word after one. */
export const Folded = ({ text }: { readonly text: string }) => {
  const isOpen = useSignal(false);
  const { more, less } = c().frame;
  if (text.length <= SHORT && !LONG_WORD.test(text)) return <UserText text={text} />;
  return (
    <>
      <div class={isOpen.value ? 'text' : /\s/.test(text) ? 'text folded' : 'text cut'}>
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
