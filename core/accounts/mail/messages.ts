import type { MailTemplate } from '../outbox-entries.ts';
import type { MailBranding } from '../policy.ts';
import type { InlineImage, MailTexts, TemplateFacts } from '../ports.ts';
import { grouped } from '../typed-codes.ts';
import { languages, supportedLanguage } from './languages.ts';
import { escaped, makeFrame } from './mail-html.ts';
import type { Block, LetterFacts } from './phrasebook.ts';
import { noMailTexts } from './phrasebook.ts';

/** Keeps the raw plain text readable: no transfer encoding must break its lines (RFC 2045 section 6.7). */
const WIDTH = 72;

const wrapped = (paragraph: string): string => {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join('\n');
};

const textOf = (block: Block): string => {
  if (typeof block === 'string') return wrapped(block);
  if ('code' in block) return `    ${block.code}`;
  return block.details.map(([label, value]) => `    ${label}: ${value}`).join('\n');
};

const toText = (blocks: readonly Block[]): string => `${blocks.map(textOf).join('\n\n')}\n`;

const htmlOf = (
  block: Block,
  { code, details }: Pick<ReturnType<typeof makeFrame>, 'code' | 'details'>,
): string => {
  if (typeof block === 'string') return `<p style="margin: 0 0 16px">\n${wrapped(escaped(block))}\n</p>`;
  if ('code' in block) return code(block.code);
  return details(block.details);
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters would end a line in a header
const CONTROL = /[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** The text on one line, so that no value can inject a header or a paragraph. */
const onSingleLine = (text: string): string => text.replace(CONTROL, ' ').trim();

/** `2026-01-02T03:04:05.678Z` as `2026-01-02 03:04 UTC`. */
const readableTime = (iso: string): string => {
  const time = new Date(iso);
  return Number.isNaN(time.getTime())
    ? onSingleLine(iso)
    : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
};

const formatOptional = (value: string | undefined, format: (value: string) => string): string | undefined =>
  value === undefined ? undefined : format(value);

const factsOf = (
  template: MailTemplate,
  facts: Readonly<Record<string, string>>,
  source: { readonly code: string; readonly productName: string },
): LetterFacts => ({
  productName: onSingleLine(source.productName),
  code: template === 'reset' ? grouped(source.code.replaceAll('-', ''), 5) : source.code,
  minutes: Number(facts.minutes ?? 0),
  left: Number(facts.left ?? 0),
  at: formatOptional(facts.at, readableTime),
  address: formatOptional(facts.address, onSingleLine),
  replacedAt: formatOptional(facts.replacedAt, readableTime),
  until: formatOptional(facts.until, readableTime),
  provider: onSingleLine(facts.provider ?? ''),
  passkey: onSingleLine(facts.passkey ?? ''),
  operator: onSingleLine(facts.operator ?? ''),
  role: onSingleLine(facts.role ?? ''),
  formerRole: onSingleLine(facts.formerRole ?? ''),
  actor: onSingleLine(facts.actor ?? ''),
  app: onSingleLine(facts.app ?? ''),
});

/** Facts as texts for templates; absent facts are empty. */
const asTexts = (facts: LetterFacts, supportUrl: string | null): TemplateFacts => ({
  ...facts,
  minutes: facts.minutes === 0 ? '' : String(facts.minutes),
  left: String(facts.left),
  at: facts.at ?? '',
  address: facts.address ?? '',
  replacedAt: facts.replacedAt ?? '',
  until: facts.until ?? '',
  supportUrl: supportUrl ?? '',
});

/** The content of a mail. */
export interface MailContent {
  readonly template: MailTemplate;
  readonly language: string;
  /**
   * `minutes` (a code's life), `left` (recovery codes); `at`, `replacedAt` and `until` (ISO times), `address`,
   * `provider`, `passkey`, `app`, `operator`, `role`, `formerRole` and `actor`, if known.
   */
  readonly facts: Readonly<Record<string, string>>;
  readonly code: string | null;
}

export interface WrittenMail {
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly images: readonly InlineImage[];
}

/** Writes mails. The only links are in the footer, and the only secret is the code. */
export const makeWriteMessage = (branding: MailBranding, texts: MailTexts = noMailTexts) => {
  const { frame, ...blockHtml } = makeFrame({ ...branding, productName: onSingleLine(branding.productName) });
  const images = texts.logo === null ? [] : [texts.logo];

  return (content: MailContent): WrittenMail => {
    const { template } = content;
    const language = supportedLanguage(content.language);
    const { greeting, closing, foot, letters } = languages[language];
    const facts = factsOf(template, content.facts, { ...branding, code: onSingleLine(content.code ?? '') });
    const letter = letters[template](facts);
    const override = texts.find(template, language);
    const forTemplates = asTexts(facts, branding.supportUrl);
    const blocks = [greeting, ...letter.blocks];
    const overrideText = override?.text?.(forTemplates);
    const subject = overrideText === undefined ? letter.subject : onSingleLine(overrideText.subject);
    const body = override?.html?.(forTemplates) ?? blocks.map((block) => htmlOf(block, blockHtml)).join('\n');
    return {
      language,
      subject,
      text: overrideText?.text ?? toText([...blocks, closing]),
      html:
        texts.frame?.(forTemplates, body) ??
        frame({ language, title: subject, body, closing, foot, hasLogo: images.length > 0 }),
      images,
    };
  };
};
