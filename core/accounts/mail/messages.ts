import { grouped } from '../codes.ts';
import type { MailTemplate } from '../pending.ts';
import type { MailLook } from '../policy.ts';
import type { InlineImage, MailTexts, TemplateFacts } from '../ports.ts';
import { knownLanguage, languages } from './languages.ts';
import { escaped, makeFrame } from './look.ts';
import { noMailTexts } from './mail-texts.ts';
import type { Block, LetterFacts } from './phrasebook.ts';

/** So that the plain text can be read raw: no transfer encoding has to break its lines (RFC 2045 section 6.7). */
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: they would end a line in a header
const CONTROL = /[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** On one line, so that no value can begin a header or a paragraph of its own. */
const oneLine = (text: string): string => text.replace(CONTROL, ' ').trim();

/** `2026-01-02T03:04:05.678Z` as `2026-01-02 03:04 UTC`. */
const readableTime = (iso: string): string => {
  const time = new Date(iso);
  return Number.isNaN(time.getTime())
    ? oneLine(iso)
    : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
};

const ifGiven = (value: string | undefined, read: (value: string) => string): string | undefined =>
  value === undefined ? undefined : read(value);

const factsOf = (
  template: MailTemplate,
  facts: Readonly<Record<string, string>>,
  given: { readonly code: string; readonly productName: string },
): LetterFacts => ({
  productName: oneLine(given.productName),
  code: template === 'reset' ? grouped(given.code.replaceAll('-', ''), 5) : given.code,
  minutes: Number(facts.minutes ?? 0),
  left: Number(facts.left ?? 0),
  at: ifGiven(facts.at, readableTime),
  address: ifGiven(facts.address, oneLine),
  replacedAt: ifGiven(facts.replacedAt, readableTime),
  provider: oneLine(facts.provider ?? ''),
  passkey: oneLine(facts.passkey ?? ''),
});

/** Facts as templates have them: texts, empty where there is nothing to say. */
const asTexts = (facts: LetterFacts, supportUrl: string | null): TemplateFacts => ({
  ...facts,
  minutes: facts.minutes === 0 ? '' : String(facts.minutes),
  left: String(facts.left),
  at: facts.at ?? '',
  address: facts.address ?? '',
  replacedAt: facts.replacedAt ?? '',
  supportUrl: supportUrl ?? '',
});

/** What a mail is written from. */
export interface GivenMail {
  readonly template: MailTemplate;
  readonly language: string;
  /** `minutes` (a code's life), `left` (recovery codes); `at` and `replacedAt` (ISO times), `address`, `provider`, `passkey`: as known. */
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

/** Writes mails. They carry no links but those at the foot, and no secret but the code. */
export const makeWriteMessage = (look: MailLook, texts: MailTexts = noMailTexts) => {
  const { frame, ...shown } = makeFrame({ ...look, productName: oneLine(look.productName) });
  const images = texts.logo === null ? [] : [texts.logo];

  return (given: GivenMail): WrittenMail => {
    const { template } = given;
    const language = knownLanguage(given.language);
    const { greeting, closing, foot, letters } = languages[language];
    const facts = factsOf(template, given.facts, { ...look, code: oneLine(given.code ?? '') });
    const letter = letters[template](facts);
    const own = texts.find(template, language);
    const forTemplates = asTexts(facts, look.supportUrl);
    const blocks = [greeting, ...letter.blocks];
    const ownText = own?.text?.(forTemplates);
    const subject = ownText === undefined ? letter.subject : oneLine(ownText.subject);
    const body = own?.html?.(forTemplates) ?? blocks.map((block) => htmlOf(block, shown)).join('\n');
    return {
      language,
      subject,
      text: ownText?.text ?? toText([...blocks, closing]),
      html:
        texts.frame?.(forTemplates, body) ??
        frame({ language, title: subject, body, closing, foot, hasLogo: images.length > 0 }),
      images,
    };
  };
};
