import { grouped } from '../codes.ts';
import type { MailEntry, MailTemplate } from '../outbox-entries.ts';
import type { MailBranding } from '../policy.ts';
import type { Message } from '../ports.ts';
import { english } from './english.ts';
import { languages, supportedLanguage } from './languages.ts';
import { escaped, makeFrame } from './mail-html.ts';
import { type MailTexts, noMailTexts, type TemplateFacts } from './mail-texts.ts';
import type { Block, Letter, LetterFacts, Phrasebook } from './phrasebook.ts';

/** Less than the 76 characters at which quoted-printable breaks lines (RFC 2045 section 6.7): the raw text stays readable. */
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

const factsOf = (
  { template, facts, code }: MailContent,
  { productName }: Pick<MailBranding, 'productName'>,
): LetterFacts => {
  const text = (name: keyof LetterFacts) => onSingleLine(facts[name] ?? '');
  const time = (name: keyof LetterFacts) => readableTime(facts[name] ?? '');
  const storedCode = onSingleLine(code ?? '');
  return {
    productName: onSingleLine(productName),
    // A reset code is shown in two groups, whether it was stored with or without the dash between them.
    code: template === 'reset' ? grouped(storedCode.replaceAll('-', ''), 5) : storedCode,
    minutes: Number(facts.minutes ?? 0),
    left: Number(facts.left ?? 0),
    at: time('at'),
    address: text('address'),
    replacedAt: time('replacedAt'),
    until: time('until'),
    provider: text('provider'),
    passkey: text('passkey'),
    app: text('app'),
    operator: text('operator'),
    role: text('role'),
    formerRole: text('formerRole'),
    actor: text('actor'),
  };
};

/** Puts the time and address of the event, if known, between text and advice. A letter without advice shows neither. */
const blocksOf = (
  { text, advice }: Letter,
  labels: Phrasebook['circumstances'],
  facts: LetterFacts,
): readonly Block[] => {
  if (advice === undefined) return [text].flat();
  const detailNames = (['at', 'address'] as const).filter((name) => facts[name] !== '');
  const rows = detailNames.map((name) => [labels[name], facts[name]] as const);
  return [text, rows.length === 0 ? [] : { details: rows }, advice].flat();
};

/** The content of a mail. `LetterFacts` has the names of the facts; `at`, `replacedAt` and `until` are ISO times. */
export interface MailContent extends Pick<MailEntry, 'template' | 'language' | 'facts'> {
  readonly code: string | null;
}

/** Returns the result of a function of an app's mail texts. Throws a `TypeError` for the promise of an async function. */
const requireNoPromise = <T>(value: T): T => {
  if (!(value instanceof Promise)) return value;
  throw new TypeError('A function of mailTexts must return its result, not a promise.');
};

/** Returns text, null or undefined. Throws a `TypeError` for anything else. */
const requireText = <T>(value: T): T => {
  if (typeof requireNoPromise(value) === 'string' || value === undefined || value === null) return value;
  throw new TypeError('A function of mailTexts must return text.');
};

/** Writes mails. Our own texts have links in the footer alone; the only secret is the code. */
export const makeWriteMessage = (branding: MailBranding, texts: MailTexts = noMailTexts) => {
  const { logo } = texts;
  const { frame, ...blockHtml } = makeFrame(
    { ...branding, productName: onSingleLine(branding.productName) },
    logo,
  );
  const images = logo === null ? [] : [logo];

  return (content: MailContent): Omit<Message, 'id' | 'to'> => {
    const { template } = content;
    const language = supportedLanguage(content.language);
    const { greeting, closing, foot, circumstances, letters } = languages[language];
    const facts = factsOf(content, branding);
    const letter = letters[template](facts);
    const override = requireNoPromise(texts.find(template, language));
    const forTemplates: TemplateFacts = {
      ...facts,
      minutes: facts.minutes === 0 ? '' : String(facts.minutes),
      // Not from `facts`, where 0 also stands for an absent number: here 0 means that no codes are left.
      left: content.facts.left ?? '',
      supportUrl: branding.supportUrl ?? '',
    };
    const blocks = [greeting, ...blocksOf(letter, circumstances, facts)];
    const overrideText = requireNoPromise(override?.text?.(forTemplates));
    const subject = overrideText === undefined ? letter.subject : onSingleLine(overrideText.subject);
    const ownBody = requireText(override?.html?.(forTemplates));
    const body = ownBody ?? blocks.map((block) => htmlOf(block, blockHtml)).join('\n');
    return {
      language,
      subject,
      text: requireText(overrideText?.text) ?? toText([...blocks, closing]),
      html:
        requireText(texts.frame?.(forTemplates, body)) ??
        frame({ language, title: subject, body, closing, foot }),
      images,
    };
  };
};

export const mailNames = Object.keys(english.letters) as readonly MailTemplate[];

const SAMPLE_CODES: Partial<Readonly<Record<MailTemplate, string>>> = {
  verify: '604036',
  reset: '7K2PQ-M9XRT',
  'email-change-code': '604036',
  'email-changed': '7K2PQ-M9XRT',
};

/** A sample mail for previews. */
export const sampleMail = (template: MailTemplate, language: string): MailContent => ({
  template,
  language,
  code: SAMPLE_CODES[template] ?? null,
  facts: {
    minutes: '15',
    left: '6',
    at: '2026-01-02T03:04:05Z',
    address: '203.0.113.7',
    until: '2026-01-09T03:04:05Z',
    operator: 'ada@example.com',
    role: 'dev',
    formerRole: '',
    actor: 'eve@example.com',
    provider: 'Example ID',
    passkey: 'Passkey 2 January 2026',
    app: 'app.example.com',
  },
});
