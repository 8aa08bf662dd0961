import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalEmail } from '../../core/accounts/email.ts';
import { languages } from '../../core/accounts/mail/languages.ts';
import { escaped } from '../../core/accounts/mail/mail-html.ts';
import { mailNames, makeWriteMessage, sampleMail } from '../../core/accounts/mail/messages.ts';
import type { MailTemplate } from '../../core/accounts/outbox-entries.ts';
import { CoreError, invalid } from '../../core/errors.ts';
import type { Config } from '../config.ts';
import { systemClock } from '../crypto/clock.ts';
import { makeRandom } from '../crypto/random.ts';
import { makeFolder } from '../data-dir.ts';
import { domainNames } from '../dns/idna.ts';
import { openMailer } from './choose-adapters.ts';
import { readOperatorFiles } from './open-resources.ts';

/** Which mails: of one name, of one language, or all. */
export interface MailChoice {
  readonly template?: string;
  readonly language?: string;
}

const writerOf = (config: Config) => makeWriteMessage(config, readOperatorFiles(config).mailTexts);

const UNKNOWN = { template: 'unknown_template', language: 'unknown_language' } as const;

/** Throws `invalid` (`unknown_template`, `unknown_language`). */
const choose = <T extends string>(
  kind: keyof typeof UNKNOWN,
  choices: readonly T[],
  choice: string | undefined,
): readonly T[] => {
  const matches = choices.filter((name) => choice === undefined || name === choice);
  if (matches.length > 0) return matches;
  throw invalid(UNKNOWN[kind], `There is no such ${kind}; there are ${choices.join(', ')}.`);
};

/** Puts a mail's inline images into the page as data URLs, since browsers cannot read `cid:` addresses. */
const withPictures = ({ html, images }: ReturnType<ReturnType<typeof makeWriteMessage>>): string =>
  images.reduce(
    (text, { cid, type, bytes }) =>
      text.replaceAll(`cid:${cid}`, `data:${type};base64,${Buffer.from(bytes).toString('base64')}`),
    html,
  );

const indexPage = (rows: readonly (readonly [name: string, subject: string])[]): string =>
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Mails</title></head>
<body><h1>Mails</h1><ul>
${rows
  .map(
    ([name, subject]) =>
      `<li><a href="${name}.html">${name}</a> (<a href="${name}.txt">text</a>): ${escaped(subject)}</li>`,
  )
  .join('\n')}
</ul></body></html>
`;

/**
 * Writes mails with sample facts into a folder, as HTML and text, with an index. Returns their names. Throws as `choose` and
 * `readOperatorFiles` do.
 */
export const previewMails = (
  config: Config,
  folder: string,
  { template, language }: MailChoice,
): readonly string[] => {
  const write = writerOf(config);
  const names = choose('template', mailNames, template);
  const rows = choose('language', Object.keys(languages), language).flatMap((languageCode) =>
    names.map((name) => ({ name: `${name}.${languageCode}`, mail: write(sampleMail(name, languageCode)) })),
  );
  makeFolder(folder);
  for (const { name, mail } of rows) {
    writeFileSync(join(folder, `${name}.html`), withPictures(mail));
    writeFileSync(join(folder, `${name}.txt`), `Subject: ${mail.subject}\n\n${mail.text}`);
  }
  writeFileSync(join(folder, 'index.html'), indexPage(rows.map(({ name, mail }) => [name, mail.subject])));
  return rows.map(({ name }) => name);
};

/**
 * Sends one mail with sample facts, marked as a test. Throws as `choose` and `readOperatorFiles` do, `invalid`
 * (`invalid_email`), and `unavailable` (`mail_not_sent`).
 */
export const sendTestMail = async (
  config: Config,
  address: string,
  { template = 'verify', language = 'en' }: MailChoice,
): Promise<void> => {
  // `choose` returns one name: the default is for the compiler.
  const [name = 'verify' as MailTemplate] = choose('template', mailNames, template);
  // Only to refuse an unknown language.
  choose('language', Object.keys(languages), language);
  const to = canonicalEmail(domainNames, address);
  const mailer = openMailer(config, systemClock);
  try {
    const mail = writerOf(config)(sampleMail(name, language));
    const id = `test-${makeRandom().text(24).toLowerCase()}`;
    const delivery = await mailer.send({ id, to, ...mail, subject: `[Test] ${mail.subject}` });
    if (delivery.outcome !== 'sent')
      throw new CoreError('unavailable', 'mail_not_sent', `The mail was not sent: ${delivery.failure}.`);
  } finally {
    mailer.close?.();
  }
};
