import { expect } from 'chai';
import fc from 'fast-check';
import { domainNames } from '../../../../adapters/dns/idna.ts';
import { acceptDomain, verificationName } from '../../../../core/accounts/custom-domain/domain-name.ts';
import { CoreError } from '../../../../core/index.ts';

const OWN = 'Accounts.Gatehouse.dev';

/** The domain as it is stored, or the code of the refusal. */
const accept = (text: string, ownHost = OWN): string => {
  try {
    return acceptDomain(domainNames, ownHost, text);
  } catch (error) {
    if (error instanceof CoreError && error.kind === 'invalid') return error.code;
    throw error;
  }
};

const RESERVED = [
  ...['test', 'localhost', 'invalid', 'example', 'example.com', 'example.net', 'example.org'],
  ...['local', 'onion', 'alt', 'internal', 'arpa', 'home.arpa', '10.in-addr.arpa', 'ip6.arpa'],
  ...['intranet', 'private', 'corp', 'home', 'lan'],
  'accounts.gatehouse.dev',
];

const label = fc.stringMatching(/^[a-z]([a-z0-9]{0,10})$/);
/** Domain names of two to four labels under a top-level domain that is not reserved. */
const domain = fc
  .array(label, { minLength: 1, maxLength: 3 })
  .map((labels) => [...labels, 'dev'].join('.'))
  .filter((name) => !name.endsWith('gatehouse.dev'));

describe('The name of a custom domain', () => {
  it('is stored as lower-case A-labels', () => {
    const spellings = {
      'files.acme.dev': 'files.acme.dev',
      'Files.ACME.dev': 'files.acme.dev',
      ' files.acme.dev\n': 'files.acme.dev',
      'files.acme.dev.': 'files.acme.dev',
      'files。acme．dev｡': 'files.acme.dev',
      'bücher.dev': 'xn--bcher-kva.dev',
      'BÜCHER.dev.': 'xn--bcher-kva.dev',
      'XN--BCHER-KVA.dev': 'xn--bcher-kva.dev',
      'ｆｉｌｅｓ.acme.dev': 'files.acme.dev',
    };
    for (const [text, stored] of Object.entries(spellings)) expect(accept(text), text).to.equal(stored);
  });

  it('is stored alike for every letter case, with or without a trailing dot', () => {
    fc.assert(
      fc.property(domain, fc.infiniteStream(fc.boolean()), fc.constantFrom('', '.'), (name, upper, dot) => {
        const written = Array.from(name, (letter) =>
          upper.next().value ? letter.toUpperCase() : letter,
        ).join('');
        expect(accept(written + dot)).to.equal(name);
      }),
    );
  });

  it('is refused if it is an IP address, wildcard or single label, or has a port or path', () => {
    const invalidNames = [
      ...['', '.', ' ', 'dev', 'dev.', 'acme', '.acme.dev', 'acme..dev', 'acme.dev..'],
      ...['127.0.0.1', '192.0.2.1.', '0x7f.1', '[::1]', '::1', '2001:db8::1', '１２７.０.０.１'],
      ...['*.acme.dev', 'files.*.dev', 'acme.dev:443', 'acme.dev/', 'acme.dev/x', 'https://acme.dev'],
      ...['user@acme.dev', 'acme.dev?x', 'acme.dev#x', '_dmarc.acme.dev', 'a b.dev', 'a\0.dev', '-a.dev'],
      ...['xn--a.dev', 'xn--.dev', `${'a'.repeat(64)}.dev`],
    ];
    for (const text of invalidNames) expect(accept(text), text).to.equal('invalid_domain');
  });

  it('is refused if the name of its TXT record would exceed 253 characters', () => {
    const long = (length: number) => `${'a.'.repeat(length).slice(0, length - 5)}b.dev`;
    expect(verificationName(accept(long(234)))).to.have.length(253);
    expect(accept(long(235))).to.equal('invalid_domain');
  });

  it('is refused if it is reserved or below a reserved name', () => {
    const below = fc.array(label, { maxLength: 3 });
    fc.assert(
      fc.property(fc.constantFrom(...RESERVED), below, fc.constantFrom('', '.'), (zone, labels, dot) => {
        const name = [...labels, zone].join('.');
        const code = name.includes('.') ? 'reserved_domain' : 'invalid_domain';
        expect(accept(name.toUpperCase() + dot)).to.equal(code);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is accepted if it only resembles a reserved name, or is a parent of the service’s host', () => {
    for (const text of [
      'mylocal.dev',
      'test.dev',
      'notexample.com',
      'example.com.pl',
      'local.internal.dev',
    ]) {
      expect(accept(text)).to.equal(text);
    }
    expect(accept('gatehouse.dev')).to.equal('gatehouse.dev');
    expect(accept('xaccounts.gatehouse.dev')).to.equal('xaccounts.gatehouse.dev');
  });

  it('is accepted if the service’s host has no domain name', () => {
    for (const ownHost of ['127.0.0.1', '[::1]', '', 'localhost']) {
      expect(accept('files.acme.dev', ownHost)).to.equal('files.acme.dev');
    }
  });

  it('is refused or normalized for any input', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.domain(), fc.webUrl()),
        (text) => {
          const name = accept(text);
          if (name === 'invalid_domain' || name === 'reserved_domain') return;
          expect(name).to.match(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
          expect(accept(name)).to.equal(name);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
