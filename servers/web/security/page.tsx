import { accounts, outcome } from '../api.ts';
import { config } from '../config.ts';
import { Load } from '../kit/load.tsx';
import { AccountPage } from '../settings/account-page.tsx';
import { EmailCard } from './email.tsx';
import { IdentitiesCard } from './identities.tsx';
import { PasskeysCard } from './passkeys.tsx';
import { PasswordCard } from './password.tsx';
import { SecondFactorCard } from './second-factor.tsx';

export const SecurityPage = () => (
  <AccountPage tall>
    {() => (
      <Load tall from={() => outcome(accounts.GET('/api/auth/security'))}>
        {(security, again) => (
          <>
            <PasswordCard security={security} again={again} />
            <SecondFactorCard security={security} again={again} />
            {config.passkeys ? <PasskeysCard security={security} again={again} /> : null}
            {config.providers.length + security.providers.length === 0 ? null : (
              <IdentitiesCard security={security} again={again} />
            )}
            <EmailCard />
          </>
        )}
      </Load>
    )}
  </AccountPage>
);
