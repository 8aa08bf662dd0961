import { type SettingContext, setting } from '../declare-setting.ts';
import * as read from '../sign-in-parsers.ts';
import { onOrOff, reads } from '../value-kinds.ts';
import { ownOrigin } from './running.ts';

const isOn = ({ texts }: SettingContext) => texts.PASSKEYS === 'on';

const publicUrl = ({ host, accountsPort, texts }: SettingContext): string | null =>
  texts.PUBLIC_URL ?? ownOrigin(host, accountsPort);

const isSafe = (origin: string, { production }: SettingContext): boolean =>
  origin.startsWith('http://') ? !production && read.isLocalOrigin(origin) : true;

export const passkeys = {
  /**
   * `on`: users may sign in with passkeys. `off`: no passkey is accepted, and the routes of passkeys answer 404.
   * Passkeys need an optional package: `npm install --save-prod @simplewebauthn/server`. Without the package the start
   * ends with exit code 78 and names this command.
   */
  passkeys: setting('PASSKEYS', onOrOff, { default: 'off' }),
  /**
   * The RP ID (WebAuthn): the domain for which passkeys are made, such as `example.com` for the pages of
   * `https://app.example.com`. Choose it once: after a change nobody can use the passkeys made before.
   */
  passkeyRpId: setting('PASSKEY_RP_ID', reads('a host name in small letters, and no IP address', read.rpId), {
    byDefault: 'host of `PUBLIC_URL` when it is a name',
    orElse: (context) => {
      const url = publicUrl(context);
      return (url !== null && URL.canParse(url) && read.rpId(new URL(url).hostname)) || null;
    },
    check: (name, context) =>
      isOn(context) && name === null && 'be set with PASSKEYS=on, where PUBLIC_URL has no host name',
  }),
  /**
   * The origins of the pages and apps that use passkeys, separated by commas, at most 20: https, outside production
   * also `http://localhost:PORT`, or an Android app as `android:apk-key-hash:HASH`. Origins of other domains than the
   * RP ID are published at `/.well-known/webauthn`. Example: `https://app.example.com,https://example.org`.
   */
  passkeyOrigins: setting(
    'PASSKEY_ORIGINS',
    reads(
      'at most 20 different origins separated by commas: https://HOST, http://localhost:PORT or android:apk-key-hash:HASH',
      read.passkeyOrigins,
    ),
    {
      byDefault: 'origin of `PUBLIC_URL`',
      orElse: (context) => {
        const url = publicUrl(context);
        return (url !== null && read.passkeyOrigins(url.replace(/\/$/, ''))) || [];
      },
      check: (origins, context) => {
        if (!isOn(context)) return undefined;
        if (origins.length === 0)
          return 'be set with PASSKEYS=on, where PUBLIC_URL is neither https nor http://localhost';
        return (
          !origins.every((origin) => isSafe(origin, context)) && 'have https origins alone in production'
        );
      },
    },
  ),
};
