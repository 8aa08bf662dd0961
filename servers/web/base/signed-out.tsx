import { LinkButton } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { words } from '../text/language.ts';

interface SignedOutProps {
  /** The sign-in page. */
  readonly at: string;
  /** The page to return to after the sign-in. */
  readonly next: string;
  readonly onClose: () => void;
}

/** Says that the session ended during work. */
export const SignedOut = ({ at, next, onClose }: SignedOutProps) => {
  const { title, text, button } = words().signedOut;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <LinkButton to={`${at}?next=${encodeURIComponent(next)}`}>{button}</LinkButton>
    </Dialog>
  );
};
