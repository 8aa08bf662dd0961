import { type SettingContext, setting } from '../declare-setting.ts';
import { onOrOff } from '../value-kinds.ts';
import { isGuarded } from '../value-parsers.ts';

const onByDefault = ({ trial, host, texts }: SettingContext): boolean =>
  trial && isGuarded(texts.PUBLIC_URL, host);

/** Whether there are pages, for the checks of other settings. */
export const arePagesOn = (context: SettingContext): boolean =>
  context.texts.PAGES === undefined ? onByDefault(context) : context.texts.PAGES === 'on';

/** The pages for people. */
export const pages = {
  /**
   * `on`: the accounts server serves [pages](pages.md) where users sign up, sign in and manage their account. They keep
   * their sessions in cookies, so `PUBLIC_URL` must be https, or outside production a loopback. `createHandlers` serves
   * none unless this is set.
   */
  pages: setting('PAGES', onOrOff, {
    byDefault: '`on` outside production on a loopback `HOST`, if `PUBLIC_URL` allows it; else `off`',
    orElse: onByDefault,
    check: (on, { host, texts }) =>
      on &&
      !isGuarded(texts.PUBLIC_URL, host) &&
      'be off unless PUBLIC_URL is https, or http on a loopback outside production',
  }),
};
