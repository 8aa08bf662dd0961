import { words } from '../text/language.ts';
import { Button, canCopy, useCopy } from './button.tsx';
import { Icon } from './icon.tsx';

const COPY = 'M9 9h11v11H9zM5 15H4V4h11v1';
const DONE = 'M4 12l6 6L20 6';

/** A button that copies the text before it in a line. `of` names the text for screen readers. */
export const CopyIcon = ({ text, of }: { readonly text: string; readonly of?: string }) => {
  const [copied, copy] = useCopy(text);
  if (!canCopy()) return null;
  const verb = copied ? words().kit.copied : words().kit.copy;
  return (
    <Button kind="quiet" label={of === undefined ? verb : `${verb}: ${of}`} onPress={copy}>
      <Icon path={copied ? DONE : COPY} />
    </Button>
  );
};
