import { LinkButton } from '../kit/button.tsx';
import { a } from '../settings/texts.ts';
import { EndPage } from './page.tsx';

/** What is left of a deleted account. */
export const GonePage = () => (
  <EndPage>
    {() => (
      <>
        <p>{a().ends.gone}</p>
        <LinkButton to="/" whole>
          {a().ends.home}
        </LinkButton>
      </>
    )}
  </EndPage>
);
