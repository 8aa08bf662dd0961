import type { Setting, Settings } from './declare-setting.ts';
import { accounts } from './settings/accounts.ts';
import { aws } from './settings/aws.ts';
import { polar, provider, selling, webhooks } from './settings/billing.ts';
import { branding } from './settings/branding.ts';
import { console } from './settings/console.ts';
import { events } from './settings/events.ts';
import { keys, kms, kmsProviders } from './settings/keys.ts';
import { limits } from './settings/limits.ts';
import { mail } from './settings/mail.ts';
import { metadata } from './settings/metadata.ts';
import { exporterOf, monitoring, traces } from './settings/monitoring.ts';
import { objects, s3 } from './settings/object-storage.ts';
import { pages } from './settings/pages.ts';
import { passkeys } from './settings/passkeys.ts';
import {
  apple,
  eachProvider,
  forProvider,
  github,
  microsoft,
  providersIn,
  signIn,
} from './settings/providers.ts';
import { running } from './settings/running.ts';

/** Settings that `Config` has under the same keys. The others are grouped there, such as `mail` and `kms`. */
export const plain = { ...running, ...keys, ...accounts, ...branding, ...selling, ...events, ...metadata };

/** Settings that belong together: one table of docs/settings.md. */
export interface Section {
  /** The heading above the table. */
  readonly title: string;
  readonly rows: Settings;
  /** Whether these settings are used, given the texts of all settings: if not, `check` does not run. Absent: always used. */
  readonly applies?: (texts: Readonly<Record<string, string | undefined>>) => boolean;
}

const FOR_EACH = 'For each provider';

/** All settings, in the order of the documentation. Settings of each provider have ID in place of its id. */
export const sections: readonly Section[] = [
  { title: 'Where it runs', rows: { ...running, ...objects } },
  { title: 'With `OBJECTS_URL`', rows: s3, applies: ({ OBJECTS_URL }) => OBJECTS_URL !== undefined },
  { title: 'Secrets and keys', rows: { ...keys, ...kms } },
  ...Object.entries(kmsProviders).map(
    ([kind, rows]): Section => ({
      title: `With \`KMS=${kind}\``,
      rows,
      applies: ({ KMS }) => KMS === kind,
    }),
  ),
  {
    title: 'With `KMS=aws` or `OBJECTS_URL`',
    rows: aws,
    applies: ({ KMS, OBJECTS_URL }) => KMS === 'aws' || OBJECTS_URL !== undefined,
  },
  { title: 'Mail', rows: mail },
  { title: 'Pages', rows: pages },
  { title: 'The operators’ console', rows: console },
  { title: 'Branding', rows: branding },
  { title: 'Accounts', rows: accounts },
  { title: 'Sign-in with providers', rows: signIn },
  { title: FOR_EACH, rows: eachProvider },
  ...Object.entries({ apple, microsoft, github }).map(
    ([id, rows]): Section => ({
      title: `With \`${id}\` in \`OIDC_PROVIDERS\``,
      rows,
      applies: (texts) => providersIn(texts).includes(id),
    }),
  ),
  { title: 'Passkeys', rows: passkeys },
  { title: 'Billing', rows: { ...provider, ...selling } },
  { title: 'Webhooks', rows: webhooks, applies: ({ BILLING }) => BILLING !== 'none' },
  { title: 'With `BILLING=polar`', rows: polar, applies: ({ BILLING }) => BILLING === 'polar' },
  { title: 'Events to your servers', rows: events },
  { title: 'Limits', rows: limits },
  { title: 'Files', rows: metadata },
  { title: 'Monitoring', rows: monitoring },
  { title: 'Traces', rows: traces, applies: (texts) => exporterOf(texts) === 'otlp' },
];

/** All settings, with those of these providers under their full names. */
export const sectionsWith = (providers: readonly string[]): readonly Section[] =>
  sections.flatMap((section) =>
    section.title === FOR_EACH ? providers.map((id) => ({ ...section, rows: forProvider(id) })) : [section],
  );

export const settings: readonly Setting<unknown>[] = sections.flatMap(({ rows }) => Object.values(rows));
