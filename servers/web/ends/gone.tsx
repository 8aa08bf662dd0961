import { LinkButton } from '../kit/button.tsx';
import { FormPage } from '../start/shell.tsx';
import { t } from '../text/language.ts';

/** What is left of a deleted account. */
export const GonePage = () => (
  <FormPage>
    <p>{t().ends.gone}</p>
    <LinkButton to="/" whole>
      {t().ends.home}
    </LinkButton>
  </FormPage>
);
