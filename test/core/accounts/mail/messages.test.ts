import { expect } from 'chai';
import { type Language, languages } from '../../../../core/accounts/mail/languages.ts';
import type { TemplateFacts } from '../../../../core/accounts/mail/mail-texts.ts';
import { makeWriteMessage } from '../../../../core/accounts/mail/messages.ts';
import type { MailTemplate } from '../../../../core/accounts/outbox-entries.ts';
import { DEFAULT_COLOUR } from '../../../../core/branding/index.ts';

const AT = '2026-01-02T03:04:05.678Z';
const UNTIL = '2026-01-16T03:04:05.678Z';
const LANGUAGES = Object.keys(languages) as Language[];
const TEMPLATES: Readonly<Record<MailTemplate, { code?: string; facts: Readonly<Record<string, string>> }>> =
  {
    verify: { code: '012345', facts: { minutes: '15', replacedAt: AT } },
    reset: { code: '0A1B2C3D4E', facts: { minutes: '10' } },
    'password-changed': { facts: { at: AT, address: '2001:db8::1' } },
    'password-set': { facts: { at: AT, address: '2001:db8::1' } },
    'two-factor-on': { facts: { at: AT, address: '192.0.2.1' } },
    'two-factor-off': { facts: { at: AT, address: '192.0.2.1' } },
    'recovery-code-used': { facts: { at: AT, address: '192.0.2.1', left: '7' } },
    'recovery-codes-renewed': { facts: { at: AT, address: '192.0.2.1' } },
    'session-stolen': { facts: { at: AT, address: '192.0.2.1' } },
    'app-signed-in': { facts: { at: AT, address: '192.0.2.1', app: 'app.example.com' } },
    'email-change-code': { code: '012345', facts: { minutes: '15', at: AT, address: '192.0.2.1' } },
    'email-change-asked': { facts: { at: AT, address: '192.0.2.1' } },
    'email-changed': { code: '0A1B2-C3D4E', facts: { at: AT, address: '192.0.2.1' } },
    'email-set': { facts: { at: AT } },
    'welcome-by-provider': { facts: { at: AT, address: '192.0.2.1', provider: 'Example ID' } },
    'passkey-added': { facts: { at: AT, address: '192.0.2.1', passkey: 'My phone' } },
    'passkey-removed': { facts: { at: AT, address: '192.0.2.1', passkey: 'My phone' } },
    'passkey-copied': { facts: { at: AT, address: '192.0.2.1', passkey: 'My phone' } },
    'identity-linked': { facts: { at: AT, address: '192.0.2.1', provider: 'Example ID' } },
    'identity-unlinked': { facts: { at: AT, address: '192.0.2.1', provider: 'Example ID' } },
    'operator-appointed': { facts: { at: AT, role: 'dev' } },
    'operator-dismissed': { facts: { at: AT } },
    'operators-changed': {
      facts: {
        at: AT,
        address: '192.0.2.1',
        operator: 'ada@example.com',
        role: 'dev',
        formerRole: 'founder',
        actor: 'operator:cli (Grace)',
      },
    },
    'account-deletion-waits': { facts: { at: AT, address: '192.0.2.1', until: UNTIL } },
    'account-deleted': { facts: { at: AT } },
  };

const BRANDING = { brandColour: DEFAULT_COLOUR, supportUrl: null, termsUrl: null, privacyUrl: null };

const write = (
  template: MailTemplate,
  language: string,
  {
    facts = {},
    code = null,
    productName = 'Gatehouse',
  }: { facts?: Record<string, string>; code?: string | null; productName?: string } = {},
) => makeWriteMessage({ ...BRANDING, productName })({ template, language, facts, code });

/** The text on one line. */
const unwrap = (text: string) => text.replace(/\s+/g, ' ');

const textOfHtml = (html: string) =>
  html
    .replace(/^.*<main[^>]*>|<\/body>.*$/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');

const all = Object.entries(TEMPLATES).flatMap(([template, { facts, code = null }]) =>
  LANGUAGES.map((language) => {
    const message = write(template as MailTemplate, language, { facts, code });
    return { name: `${template} (${language})`, language, facts, code, message };
  }),
);

describe('The text of a mail', () => {
  for (const { name, language, facts, code, message } of all) {
    describe(name, () => {
      const { subject, text, html } = message;

      it('contains the product and every fact, in lines of at most 76 characters', () => {
        expect(subject)
          .to.contain('Gatehouse')
          .and.match(/^[^\r\n]{10,78}$/);
        expect(text).to.contain('Gatehouse');
        expect(text).to.not.match(/.{77}|undefined|null|NaN|\[object/);
        const { at, replacedAt, until, ...others } = facts;
        if (at ?? replacedAt) expect(text).to.contain('2026-01-02 03:04 UTC').and.not.contain(AT);
        if (until) expect(text).to.contain('2026-01-16 03:04 UTC').and.not.contain(UNTIL);
        for (const fact of Object.values(others)) if (fact) expect(text).to.contain(fact);
      });

      it('equals the HTML text, which has a language and no link, image or script', () => {
        expect(unwrap(textOfHtml(html)).trim()).to.equal(unwrap(`${subject} ${text}`).trim());
        expect(html).to.contain(`<html lang="${language}">`).and.contain('<title>');
        expect(`${text}${html}`).to.not.match(/https?:|www\.|<a\b|<img|<script|<link|url\(/i);
      });

      it('consists of sentences that are wrapped at 72 characters', () => {
        expect(html).to.match(/^<!doctype html>/);
        const paragraphs = text.trimEnd().split('\n\n');
        for (const paragraph of paragraphs.filter((part) => !part.startsWith('    '))) {
          expect(paragraph)
            .to.match(/^\S.*[.:,!]$/s)
            .and.not.match(/ {2}|\s[.,]/);
          const lines = paragraph.split('\n');
          for (const [place, line] of lines.entries()) {
            expect(line).to.match(/^.{1,72}$/);
            const [next = ''] = (lines[place + 1] ?? '').split(' ');
            if (next !== '') expect(`${line} ${next}`).to.have.length.above(72);
          }
        }
      });

      it('contains the code, if any, on a separate line', () => {
        const formattedCode = code?.length === 10 ? '0A1B2-C3D4E' : code;
        if (formattedCode !== null) expect(text).to.contain(`\n    ${formattedCode}\n`);
        if (formattedCode !== null) expect(html).to.contain(`\n${formattedCode}\n`);
        const digits = `${text}${html}`.match(/\d{6,}/g) ?? [];
        expect(new Set(digits)).to.deep.equal(new Set(code?.length === 6 ? [code] : []));
      });
    });
  }

  it('is plain ASCII in English and has diacritics in Polish', () => {
    for (const { language, message } of all) {
      if (language === 'en') expect(`${message.subject}${message.text}`).to.match(/^[\n -~]*$/);
      if (language === 'pl') expect(message.text).to.match(/[ąćęłńóśźż]/);
    }
  });

  it('warns of a replaced registration only if a registration was replaced', () => {
    const facts = { minutes: '15' };
    const replaced = { ...facts, replacedAt: AT };
    const warnings = { en: /do not use this code/, pl: /nie używać tego kodu/ };
    for (const [language, warning] of Object.entries(warnings)) {
      expect(unwrap(write('verify', language, { facts: replaced, code: '1' }).text)).to.match(warning);
      expect(unwrap(write('verify', language, { facts, code: '1' }).text)).to.not.match(warning);
    }
  });

  it('is English for a stored mail in an unknown language', () => {
    for (const language of ['qaa', '', 'constructor']) {
      const { text, ...message } = write('account-deleted', language);
      expect(message).to.include({ language: 'en' });
      expect(text).to.contain('was deleted');
    }
  });

  it('shows a reset code in two groups, with or without a stored dash', () => {
    for (const code of ['0A1B2C3D4E', '0A1B2-C3D4E']) {
      expect(write('reset', 'en', { code, facts: { minutes: '10' } }).text).to.contain('\n    0A1B2-C3D4E\n');
    }
  });

  it('omits time and address if they are unknown', () => {
    const { text, html } = write('password-changed', 'en');
    expect(`${text}${html}`).to.not.match(/When|IP address/);
  });

  it('names the devices that a change signed out', () => {
    const others = { en: 'Other devices were signed out.', pl: 'Pozostałe urządzenia zostały wylogowane.' };
    const all = { en: 'All devices were signed out.', pl: 'Wszystkie urządzenia zostały wylogowane.' };
    for (const language of LANGUAGES) {
      const textOf = (template: MailTemplate, code: string | null, facts: Record<string, string>) =>
        unwrap(write(template, language, { code, facts }).text);
      const changes = ['password-changed', 'password-set', 'two-factor-on', 'two-factor-off'] as const;
      for (const template of [...changes, 'email-changed'] as const) {
        const { code = null, facts } = TEMPLATES[template];
        expect(textOf(template, code, facts), template).to.contain(others[language]);
      }
      // An operator's change names no address: it ends all sessions with the factor, and none with the email.
      expect(textOf('two-factor-off', null, { at: AT })).to.contain(all[language]);
      expect(textOf('email-changed', null, { at: AT })).to.not.contain(others[language]);
    }
  });

  it('assumes neither a password nor an app, since an account may have a provider and passkeys alone', () => {
    const written = (template: MailTemplate, language: Language) =>
      unwrap(write(template, language, TEMPLATES[template]).text);
    expect(written('two-factor-off', 'en')).to.contain('Signing in no longer requires a second factor.');
    expect(written('two-factor-off', 'pl')).to.contain('nie jest już potrzebny drugi składnik.');
    expect(written('recovery-code-used', 'en')).to.contain('was used as the second factor.');
    expect(written('recovery-code-used', 'pl')).to.contain('użyto kodu zapasowego jako drugiego składnika.');
    expect(written('recovery-codes-renewed', 'en')).to.contain('your authenticator app or a passkey');
    expect(written('recovery-codes-renewed', 'pl')).to.contain('aplikacji uwierzytelniającej albo klucza');
  });

  it('uses the right plural forms', () => {
    const verify = (minutes: string) => unwrap(write('verify', 'pl', { facts: { minutes }, code: '1' }).text);
    expect(verify('1')).to.contain('przez 1 minutę od');
    expect(verify('3')).to.contain('przez 3 minuty od');
    expect(verify('12')).to.contain('przez 12 minut od');
    expect(verify('22')).to.contain('przez 22 minuty od');
    const left = (count: string, language: Language) =>
      unwrap(write('recovery-code-used', language, { facts: { left: count } }).text);
    expect(left('0', 'pl')).to.contain('Nie pozostał już żaden kod');
    expect(left('1', 'pl')).to.contain('Pozostał 1 kod zapasowy.');
    expect(left('2', 'pl')).to.contain('Pozostały 2 kody zapasowe.');
    expect(left('5', 'pl')).to.contain('Pozostało 5 kodów zapasowych.');
    expect(left('0', 'en')).to.contain('None is left');
    expect(left('1', 'en')).to.contain('1 recovery code is left.');
    expect(left('9', 'en')).to.contain('9 recovery codes are left.');
  });

  it('passes the number of remaining recovery codes to custom templates, or an empty text', () => {
    const leftIn = (template: MailTemplate, facts: Readonly<Record<string, string>>) => {
      let left: string | undefined;
      const text = (facts: TemplateFacts) => {
        left = facts.left;
        return { subject: 'Ours', text: 'Ours' };
      };
      const texts = { find: () => ({ text, html: null }), frame: null, logo: null };
      makeWriteMessage(
        { ...BRANDING, productName: 'Ours' },
        texts,
      )({ template, language: 'en', facts, code: null });
      return left;
    };
    expect(leftIn('recovery-code-used', { left: '0' })).to.equal('0');
    expect(leftIn('password-changed', {})).to.equal('');
  });

  it('is refused if a custom template returns a promise or no text', () => {
    const textsOf = (text: unknown, html: unknown) => ({
      find: () => ({ text, html }),
      frame: null,
      logo: null,
    });
    for (const texts of [
      textsOf(async () => ({ subject: 'Code', text: 'Code' }), null),
      textsOf(() => ({ subject: 'Code', text: { text: 'Code' } }), null),
      textsOf(null, async () => '<p>Code</p>'),
      textsOf(null, () => ({ type: 'p' })),
      { find: async () => undefined, frame: null, logo: null },
      { find: () => undefined, frame: async () => '<p>Code</p>', logo: null },
    ])
      expect(() =>
        makeWriteMessage(
          { ...BRANDING, productName: 'Acme' },
          texts as never,
        )({ template: 'reset', language: 'en', facts: {}, code: null }),
      ).to.throw(TypeError, 'mailTexts must return');
  });

  it('escapes a hostile product name or address, and keeps it on one line', () => {
    const productName = '<b onclick="x">\r\nBcc: evil@evil.example\r\n\r\n&amp;\u2028"\'';
    const facts = { address: '<script>alert(1)</script>\r\nX: 1', at: 'not a time <i>' };
    for (const language of LANGUAGES) {
      const { subject, text, html } = write('password-changed', language, { facts, productName });
      expect(subject)
        .to.contain('<b onclick="x"> Bcc:')
        .and.not.match(/[\r\n\u2028]/);
      expect(html)
        .to.contain('&lt;script&gt;')
        .and.contain('&amp;amp;')
        .and.not.match(/<b |<script|<i>/);
      expect(text)
        .to.contain('not a time <i>')
        .and.not.match(/^(?:Bcc|X):/m);
    }
  });
});
