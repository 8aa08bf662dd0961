import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readMailTexts } from '../../../adapters/branding/read-mail-texts.ts';
import { ConfigError } from '../../../adapters/config.ts';
import { factNames } from '../../../core/accounts/mail/mail-texts.ts';
import { mailNames, makeWriteMessage, sampleMail } from '../../../core/accounts/mail/messages.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';

const BRAND = {
  ...{ productName: 'Drop', brandColour: '#00a86b' },
  ...{ supportUrl: 'https://help.example/?a=1&b=2', termsUrl: null, privacyUrl: null },
};

describe('Custom mail texts', () => {
  const folder = useTempFolder();
  const writeTexts = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder(), name), text);
    return readMailTexts(folder(), null);
  };
  const faults = (files: Readonly<Record<string, string>>): readonly string[] => {
    try {
      writeTexts(files);
    } catch (error) {
      if (error instanceof ConfigError) return error.lines;
      throw error;
    }
    return [];
  };

  it('replace a built-in text only in their language and format', () => {
    const write = makeWriteMessage(
      BRAND,
      writeTexts({ 'verify.en.txt': 'Subject: {{code}} for {{productName}}\n\nHi {{code}}\n' }),
    );
    const en = write(sampleMail('verify', 'en'));
    expect([en.subject, en.text]).to.deep.equal(['604036 for Drop', 'Hi 604036\n']);
    expect(en.html).to.include('Enter this code').and.include('<title>604036 for Drop</title>');
    expect(write(sampleMail('verify', 'pl')).subject).to.equal('Drop: kod weryfikacyjny');
  });

  it('render sections for present and absent facts, and escape every value in HTML', () => {
    const texts = writeTexts({
      'password-changed.en.html': '{{#address}}<b>{{address}}</b>{{/address}}{{^address}}nowhere{{/address}}',
    });
    const write = makeWriteMessage(BRAND, texts);
    const html = (facts: Record<string, string>) =>
      write({ template: 'password-changed', language: 'en', facts, code: null }).html;
    expect(html({ address: '<script>{{code}}' })).to.include('<b>&lt;script&gt;{{code}}</b>');
    expect(html({})).to.include('nowhere').and.not.include('<b>');
  });

  it('wrap every mail in a custom layout', () => {
    const texts = writeTexts({
      'layout.html': '<html><p>{{productName}}</p>{{body}}<a href="{{supportUrl}}">?</a></html>',
    });
    const { html } = makeWriteMessage({ ...BRAND, productName: '<Drop>' }, texts)(sampleMail('reset', 'pl'));
    expect(html).to.match(/^<html><p>&lt;Drop&gt;<\/p><p style/);
    expect(html).to.include('7K2PQ-M9XRT').and.include('href="https://help.example/?a=1&amp;b=2"');
  });

  it('are refused with file and line', () => {
    const NAMES =
      'it must be one of productName, code, minutes, left, at, address, replacedAt, until, provider, passkey, operator, role, formerRole, actor, app, supportUrl';
    const invalidTexts: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
      [
        { 'verify.en.html': '{{code}}\n\n{{nme}}' },
        `verify.en.html, line 3: {{nme}} is no name of a mail: ${NAMES}.`,
      ],
      [{ 'verify.en.html': '{{code}}{{#at}}' }, 'verify.en.html, line 1: {{#at}} is not closed.'],
      [{ 'verify.en.html': '{{code}}{{^at}}' }, 'verify.en.html, line 1: {{^at}} is not closed.'],
      [{ 'verify.en.html': '{{code}}{{/at}}' }, 'verify.en.html, line 1: {{/at}} closes no section.'],
      [{ 'verify.en.html': 'Hi' }, 'verify.en.html, line 1: {{code}} is missing.'],
      [{ 'verify.en.html': '{{code}}\n<SCRIPT>' }, 'verify.en.html, line 2: a mail must have no script.'],
      [{ 'verify.en.html': `{{code}}${'x'.repeat(102_400)}` }, 'verify.en.html has more than 100 KiB.'],
      [
        { 'verify.en.html': '{{{code}}}{{code}}{{&at}}' },
        `verify.en.html, line 1: {{&at}} is no name of a mail: ${NAMES}.`,
      ],
    ];
    for (const [files, line] of invalidTexts)
      expect(faults(files), line).to.deep.equal([`MAIL_TEMPLATES_DIR: ${line}`]);
  });

  for (const [name, text, line] of [
    [
      'reset.pl.txt',
      'Hello {{code}}',
      'reset.pl.txt, line 1: the first line must be Subject: and the subject.',
    ],
    [
      'verify.en.txt',
      'Subject: {{#minutes}}Hi\n\n{{code}}{{/minutes}}',
      'verify.en.txt, line 1: {{#minutes}} is not closed.',
    ],
    [
      'verify.en.txt',
      'Subject: Hi\n\n{{code}}\n{{/minutes}}',
      'verify.en.txt, line 4: {{/minutes}} closes no section.',
    ],
    ['email-changed.en.html', 'Hi', 'email-changed.en.html, line 1: {{code}} is missing.'],
    ['verify.en.txt', 'Subject: Hi\n\n{{#code}}Hi{{/code}}', 'verify.en.txt, line 1: {{code}} is missing.'],
    ['layout.html', '<p></p>', 'layout.html, line 1: {{body}} is missing.'],
    ['verify.de.txt', 'x', 'verify.de.txt is no mail'],
    ['notes.md', 'x', 'notes.md is no mail'],
  ] as const)
    it(`are refused if ${name} contains ${JSON.stringify(text)}`, () => {
      expect(faults({ [name]: text })[0]).to.include(`MAIL_TEMPLATES_DIR: ${line}`);
    });

  it('are refused if the folder is missing', () => {
    expect(() => readMailTexts(join(folder(), 'none'), null)).to.throw(
      ConfigError,
      'MAIL_TEMPLATES_DIR must be',
    );
  });
});

describe('The built-in mails', () => {
  const bytes = Uint8Array.of(1, 2, 3);
  const logo = { cid: 'brand-logo', type: 'image/png', bytes } as const;

  it('show the name or the logo and the configured links, and load no remote content', () => {
    for (const language of ['en', 'pl'])
      for (const name of mailNames) {
        const plain = makeWriteMessage(BRAND)(sampleMail(name, language));
        expect(plain.html)
          .to.include('Drop')
          .and.include('color-scheme')
          .and.not.match(/<img|url\(|src=/);
        expect([...plain.html.matchAll(/https?:[^"]*/g)].map(([url]) => url)).to.deep.equal([
          'https://help.example/?a=1&amp;b=2',
        ]);
        expect(plain.images).to.deep.equal([]);
        const withLogo = makeWriteMessage(BRAND, readMailTexts(null, logo))(sampleMail(name, language));
        expect(withLogo.html).to.include('<img src="cid:brand-logo" alt="Drop"');
        expect(withLogo.images).to.deep.equal([logo]);
        expect(withLogo.text).to.equal(plain.text);
      }
  });

  it('use tones of the brand colour for light and dark mode', () => {
    const { html } = makeWriteMessage(BRAND)(sampleMail('verify', 'en'));
    expect(html).to.include('@media (prefers-color-scheme: dark)');
    expect(html).to.include('color: rgb(5, 130, 82)').and.include('.mark { color: #00a86b !important; }');
  });
});

describe('The facts of mail texts', () => {
  /** A preview sets these elsewhere, or shows the variant without them. */
  const WITHOUT_SAMPLE = ['productName', 'code', 'supportUrl', 'replacedAt'];

  it('have a sample for previews', () => {
    const { facts } = sampleMail('verify', 'en');
    expect(Object.keys(facts)).to.have.members(factNames.filter((name) => !WITHOUT_SAMPLE.includes(name)));
  });

  it('are all listed in docs/settings.md', () => {
    const settings = readFileSync(join(root, 'docs/settings.md'), 'utf8');
    const [, names = ''] =
      /^The names are ([\s\S]*?)\sEach\s+value\s+stands\s+on\s+one\s+line\./m.exec(settings) ?? [];
    expect([...names.matchAll(/`(\w+)`/g)].map(([, name]) => name)).to.have.members(factNames);
  });
});
