import { LinkButton } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { words } from '../text/language.ts';

interface SignedOutProps {
  /** The address of the sign-in page, with the query that leads back. */
  readonly to: string;
  readonly onClose: () => void;
}

/** Says that the session ended during work. */
export const SignedOut = ({ to, onClose }: SignedOutProps) => {
  const { title, text, button } = words().signedOut;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <LinkButton to={to}>{button}</LinkButton>
    </Dialog>
  );
};
