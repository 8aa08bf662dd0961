import { accounts, outcome } from '../../base/api.ts';
import { config } from '../../base/config.ts';
import { Load } from '../../kit/load.tsx';
import { AccountPage } from '../account-page.tsx';
import { EmailCard } from './email.tsx';
import { IdentitiesCard } from './identities.tsx';
import { PasskeysCard } from './passkeys.tsx';
import { PasswordCard } from './password.tsx';
import { SecondFactorCard } from './second-factor.tsx';

export const SecurityPage = () => (
  <AccountPage>
    <Load request={() => outcome(accounts.GET('/api/auth/security'))}>
      {(security, reload) => (
        <>
          <PasswordCard security={security} reload={reload} />
          <SecondFactorCard security={security} reload={reload} />
          {config.passkeys ? <PasskeysCard security={security} reload={reload} /> : null}
          {/* An identity stays linked when the settings no longer name its provider. */}
          {config.providers.length + security.providers.length === 0 ? null : (
            <IdentitiesCard security={security} reload={reload} />
          )}
          <EmailCard />
        </>
      )}
    </Load>
  </AccountPage>
);
