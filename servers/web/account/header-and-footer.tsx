import type { ComponentChildren } from 'preact';
import { mayHaveSession, signOut } from '../auth/arrive-and-sign-out.ts';
import { accounts, outcome } from '../base/api.ts';
import { config } from '../base/config.ts';
import { Logo } from '../base/logo.tsx';
import { user } from '../base/session.ts';
import { SignOut } from '../base/sign-out.tsx';
import { Refusal, useForm } from '../kit/form.tsx';
import { LanguageAndTheme } from '../kit/language-and-theme.tsx';
import { link } from '../kit/link.ts';
import { Toast } from '../kit/messages.tsx';
import type { Problem } from '../kit/problem.ts';
import { UserText } from '../kit/user-text.tsx';
import { followAccount, language, t } from '../text/language.ts';

/** Whether nobody is signed in: false while the session is still being read and there may be one. */
const isSignedOut = () => user.value === null || (user.value === undefined && !mayHaveSession());

/** Saves the language of the page as the account's, and again if it changes meanwhile. */
const saveLanguage = async (): Promise<Problem | undefined> => {
  const tag = language();
  const { data, problem } = await outcome(accounts.PATCH('/api/auth/me', { body: { language: tag } }));
  if (data === undefined) return problem;
  user.value = data.user;
  await followAccount(tag);
  return language() === tag ? undefined : saveLanguage();
};

/** The choices of somebody who is, or may be, signed in: the language is also that of the account and its mails. */
const AccountChoices = () => {
  const form = useForm();
  return (
    <>
      <Refusal state={form} />
      <LanguageAndTheme onLanguage={() => user.value && form.run(saveLanguage)} />
    </>
  );
};

/** On hover, the style shows `data-whole`: the line may cut the email. */
const Header = () => (
  <header class="top">
    <a class="brand" href="/">
      <Logo />
    </a>
    {user.value ? (
      <div class="tools">
        <a class="who" href="/account" data-whole={user.value.email}>
          <UserText text={user.value.email} />
        </a>
        <SignOut signOut={signOut} />
      </div>
    ) : isSignedOut() ? (
      <LanguageAndTheme />
    ) : null}
  </header>
);

const Footer = () => {
  const { support, terms, privacy } = config.links;
  const links = [
    [support, t().account.support],
    [terms, t().account.terms],
    [privacy, t().account.privacy],
  ] as const;
  return (
    <footer>
      {links.map(([address, name]) =>
        address === null ? null : (
          <a key={name} href={link(address)}>
            {name}
          </a>
        ),
      )}
      {isSignedOut() ? null : <AccountChoices />}
    </footer>
  );
};

export const HeaderAndFooter = ({ children }: { readonly children: ComponentChildren }) => (
  <>
    <Header />
    {children}
    <Footer />
    <Toast />
  </>
);
