import { FormPage } from '../../base/form-page.tsx';
import { LinkButton } from '../../kit/button.tsx';
import { t } from '../../text/language.ts';

/** The page after the deletion of an account. */
export const AccountDeletedPage = () => (
  <FormPage>
    <p>{t().landing.gone}</p>
    <LinkButton to="/" fullWidth>
      {t().landing.home}
    </LinkButton>
  </FormPage>
);
