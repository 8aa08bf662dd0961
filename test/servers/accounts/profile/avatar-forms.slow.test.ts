import { deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { statusOfMe } from '../second-factor/factor.ts';
import { setAvatar, show, smallestPng } from './avatars.ts';
import { AVATAR, asForm, BOUNDARY, bodyOf, MULTIPART, PNG, type RawUpload, sendRaw } from './raw-upload.ts';

const MANY = 2_097_152;
const form = bodyOf({ content: smallestPng });
const text = form.toString('latin1');
/** 200 MB in 200 KB: gzip members of a megabyte each, one after the other. */
const bomb = Buffer.concat(Array.from({ length: 200 }, () => gzipSync(Buffer.alloc(1_000_000))));
const typed = (type: string) => asForm(form, { 'Content-Type': type });
const withHeaders = (...headers: readonly string[]) => asForm(bodyOf({ headers, content: smallestPng }));
const chunked = (body: string): RawUpload => ({
  headers: { 'Content-Type': MULTIPART, 'Transfer-Encoding': 'chunked' },
  body: Buffer.from(body, 'latin1'),
});
const chunk = (content: string) => `${content.length.toString(16)}\r\n${content}\r\n`;

const fields = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ headers: [`Content-Disposition: form-data; name="f${at}"`] }));

/** Each upload with the code of its refusal. */
const malformed: Readonly<Record<string, readonly [code: string, upload: RawUpload]>> = {
  'no boundary in the header': ['invalid_multipart', typed('multipart/form-data')],
  'an empty boundary': ['invalid_multipart', typed('multipart/form-data; boundary=')],
  'an empty boundary in quotes': ['invalid_multipart', typed('multipart/form-data; boundary=""')],
  'a boundary of 71 characters': [
    'invalid_multipart',
    typed(`multipart/form-data; boundary=${'a'.repeat(71)}`),
  ],
  'another boundary than the body has': ['invalid_multipart', typed('multipart/form-data; boundary=other')],
  'no body': ['invalid_multipart', asForm('')],
  'a body of text': ['invalid_multipart', asForm('This is no form.')],
  'a body that ends in a header': ['invalid_multipart', asForm(text.slice(0, BOUNDARY.length + 20))],
  'a body that ends before the content': [
    'invalid_multipart',
    asForm(text.slice(0, text.indexOf('\r\n\r\n') + 4)),
  ],
  'a body that ends in the content': ['invalid_multipart', asForm(form.subarray(0, -BOUNDARY.length - 10))],
  'a body without its last boundary': ['invalid_multipart', asForm(form.subarray(0, -BOUNDARY.length - 8))],
  'a truncated last boundary': ['invalid_multipart', asForm(form.subarray(0, -4))],
  // RFC 2046 allows the blanks, and old browsers write such names; busboy accepts neither.
  'blanks after a boundary': ['file_missing', asForm(text.replace(BOUNDARY, `${BOUNDARY} \t`))],
  'a file name with a backslash at its end': ['file_missing', withHeaders(AVATAR.replace('me.png', 'me\\'))],
  'the last boundary alone': ['file_missing', asForm(bodyOf())],
  'lines that end in LF alone': ['invalid_multipart', asForm(text.replaceAll('\r\n', '\n'))],
  'a boundary with text after it': ['file_missing', asForm(text.replace(BOUNDARY, `${BOUNDARY}x`))],
  'a part without headers': ['invalid_multipart', withHeaders()],
  'a part that names no field': ['file_missing', withHeaders(PNG)],
  'a part without a name': ['invalid_multipart', withHeaders('Content-Disposition: form-data; filename="a"')],
  'a part that is not form-data': [
    'file_missing',
    withHeaders('Content-Disposition: attachment; name="avatar"'),
  ],
  'a name in open quotes': ['file_missing', withHeaders('Content-Disposition: form-data; name="avatar')],
  'a name within a file name': [
    'file_missing',
    withHeaders('Content-Disposition: form-data; filename="; name=avatar'),
  ],
  'a name with NUL': ['invalid_multipart', withHeaders('Content-Disposition: form-data; name="avatar\0"')],
  'a name in another case': ['file_missing', withHeaders('Content-Disposition: form-data; name="Avatar"')],
  'a field __proto__': ['file_missing', withHeaders('Content-Disposition: form-data; name="__proto__"')],
  'a field constructor': ['file_missing', withHeaders('Content-Disposition: form-data; name="constructor"')],
  'a file name with CR LF': [
    'invalid_multipart',
    withHeaders(AVATAR.replace('me.png', '../\r\nX-Evil: 1\r\n/me.png')),
  ],
  'the image as text in an unknown character set': [
    'file_missing',
    withHeaders('Content-Disposition: form-data; name="avatar"', 'Content-Type: text/plain; charset=none'),
  ],
  'a part in base64': ['invalid_multipart', withHeaders(AVATAR, 'Content-Transfer-Encoding: base64')],
  'a header of a megabyte': ['invalid_multipart', withHeaders(AVATAR, `X-Long: ${'x'.repeat(1_000_000)}`)],
  'ten thousand headers': [
    'invalid_multipart',
    withHeaders(...Array.from({ length: 10_000 }, (_, at) => `X-${at}: 1`)),
  ],
  'twenty fields and the file': [
    'invalid_multipart',
    asForm(bodyOf(...fields(20), { content: smallestPng })),
  ],
  'five thousand fields': ['invalid_multipart', asForm(bodyOf(...fields(5_000)))],
  'a form in the form': [
    'not_an_image',
    asForm(
      bodyOf({
        headers: [AVATAR, 'Content-Type: multipart/mixed; boundary=inner'],
        content: '--inner\r\n\r\nx\r\n--inner--',
      }),
    ),
  ],
  'two megabytes of line ends': ['not_an_image', asForm(bodyOf({ content: Buffer.alloc(MANY, '\r') }))],
  'two megabytes that look like boundaries': [
    'not_an_image',
    asForm(bodyOf({ content: Buffer.alloc(MANY, `\r\n--${BOUNDARY.slice(0, -1)}`) })),
  ],
  'two megabytes of boundaries': ['invalid_multipart', asForm(Buffer.alloc(MANY, `\r\n--${BOUNDARY}`))],
  'invalid gzip': ['invalid_encoding', asForm(form, { 'Content-Encoding': 'gzip' })],
  'truncated gzip': [
    'invalid_encoding',
    asForm(gzipSync(form).subarray(0, -10), { 'Content-Encoding': 'gzip' }),
  ],
  '200 MB in gzip': ['file_too_large', asForm(bomb, { 'Content-Encoding': 'gzip' })],
  'an unsupported encoding': ['unsupported_encoding', asForm(form, { 'Content-Encoding': 'br' })],
  'another type of form': ['unsupported_media_type', typed('application/x-www-form-urlencoded')],
  'another multipart': ['unsupported_media_type', typed(MULTIPART.replace('form-data', 'mixed'))],
  JSON: ['unsupported_media_type', typed('application/json')],
  'an image without a form': [
    'unsupported_media_type',
    {
      ...asForm(smallestPng),
      headers: { 'Content-Type': 'image/png', 'Content-Length': smallestPng.length },
    },
  ],
  'no content type': ['unsupported_media_type', { body: form, headers: { 'Content-Length': form.length } }],
  'a length shorter than the body': [
    'invalid_multipart',
    asForm(form, { 'Content-Length': String(form.length - 20) }),
  ],
  'a length longer than the body': [
    'invalid_http',
    { ...asForm(form, { 'Content-Length': String(form.length + 20) }), ends: true },
  ],
  'a length that is not a number': ['invalid_http', asForm(form, { 'Content-Length': 'many' })],
  'a length and chunks': ['invalid_http', asForm(form, { 'Transfer-Encoding': 'chunked' })],
  'a chunk without a size': ['invalid_http', chunked('x\r\n')],
  'truncated chunks': ['invalid_http', { ...chunked(chunk(text).slice(0, -30)), ends: true }],
};

const valid: Readonly<Record<string, RawUpload>> = {
  'a form': asForm(form),
  'a form in chunks': chunked(`${chunk(text.slice(0, 7))}${[...text.slice(7)].map(chunk).join('')}0\r\n\r\n`),
  'a form in gzip': asForm(gzipSync(form), { 'Content-Encoding': 'gzip' }),
  'a form in deflate': asForm(deflateSync(form), { 'Content-Encoding': 'deflate' }),
  'a quoted boundary in another case after another parameter': typed(
    `Multipart/Form-Data; charset=utf-8; Boundary="${BOUNDARY}"; x=y`,
  ),
  'a boundary with every allowed character': asForm(text.replaceAll(BOUNDARY, "'()+_,-./:=? z"), {
    'Content-Type': `multipart/form-data; boundary="'()+_,-./:=? z"`,
  }),
  'text before and after the form': asForm(`A form follows.\r\n${text}That was it.`),
  'a semicolon after the last parameter': typed(`multipart/form-data; boundary=${BOUNDARY}; `),
  'no line end after the last boundary': asForm(form.subarray(0, -2)),
  'a part without a content type': withHeaders(AVATAR),
  'a part without a file name': withHeaders('Content-Disposition: form-data; name="avatar"'),
  'headers in lower case, the name without quotes': withHeaders('content-disposition:form-data;name=avatar'),
  'a part with the binary transfer encoding': withHeaders(AVATAR, PNG, 'Content-Transfer-Encoding: binary'),
  'a file name with quotes, as curl writes them': withHeaders(
    AVATAR.replace('me.png', 'm\\"; name=\\"e.png'),
  ),
  'nineteen fields and the file': asForm(bodyOf(...fields(19), { content: smallestPng })),
  'a part that names its field twice': withHeaders(AVATAR, AVATAR),
  'other fields around the file, such as __proto__, in another character set': asForm(
    bodyOf(
      {
        headers: ['Content-Disposition: form-data; name="t"', 'Content-Type: text/plain; charset=iso-8859-2'],
        content: 'x',
      },
      { headers: ['Content-Disposition: form-data; name="__proto__"'], content: 'x' },
      { content: smallestPng },
      { headers: ['Content-Disposition: form-data; name="avatars"'], content: 'y' },
    ),
  ),
};

describe('The upload of an avatar', () => {
  const service = useService();
  let user: User;
  before(async () => {
    user = await service().signUp();
  });

  for (const [name, upload] of Object.entries(valid)) {
    it(`accepts ${name}`, async () => {
      await service().request('DELETE', '/api/avatar', { token: user.token });
      expect(await sendRaw(service(), user, upload)).to.deep.equal({ status: 200, code: '' });
      expect((await show(service(), user)).bytes).to.deep.equal(smallestPng);
    });
  }

  describe('in a malformed form', () => {
    let path: string;
    let residentBytes: number;
    before(async () => {
      path = await setAvatar(service(), user);
      residentBytes = process.memoryUsage.rss();
    });

    for (const [name, [code, upload]] of Object.entries(malformed)) {
      it(`is refused with ${name}, and other requests are served`, async () => {
        const startedAt = performance.now();
        const refused = await sendRaw(service(), user, upload);
        expect(refused.code).to.equal(code);
        expect(refused.status).to.equal(code.startsWith('unsupported') ? 415 : 400);
        // The slowest refusal takes some milliseconds.
        expect(performance.now() - startedAt).to.be.below(20_000);
        expect(await statusOfMe(service(), user.token)).to.equal(200);
      });
    }

    it('changes no avatar, holds no memory and logs no error in more than thirty cases', async () => {
      expect(Object.keys(malformed).length).to.be.greaterThan(30);
      const { body } = await service().request('GET', '/api/auth/me', { token: user.token });
      expect(body.user?.avatar).to.equal(path);
      expect(process.memoryUsage.rss() - residentBytes).to.be.below(64 * 1_048_576);
      expect(service().log.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
    });
  });
});
