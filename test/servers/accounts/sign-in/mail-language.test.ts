import { expect } from 'chai';
import { type TestService, useService } from '../../../support/service.ts';

const PASSWORD = 'correct horse battery';

describe('The language of a mail', () => {
  const service = useService();
  const headers = (language: string) => ({ headers: { 'Accept-Language': language } });

  let made = 0;
  const register = async (given: Parameters<TestService['post']>[2]) => {
    made += 1;
    const email = `reader${made}@example.com`;
    await service().post('/api/auth/register', { email, password: PASSWORD }, given);
    return email;
  };

  it('is Polish for who prefers it, with digits that stand together', async () => {
    for (const languages of ['pl', 'pl-PL,pl;q=0.9,en;q=0.8', 'en;q=0.5, PL']) {
      const email = await register(headers(languages));
      const { language, subject, text, html } = await service().mailTo(email);
      expect(language).to.equal('pl');
      expect(subject).to.contain('kod weryfikacyjny');
      expect(text).to.match(/^ {4}\d{6}$/m);
      expect(html).to.contain('<html lang="pl">');
    }
  });

  it('is English for everyone else', async () => {
    for (const given of [
      {},
      headers('qaa'),
      headers('en-GB,pl;q=0.5'),
      headers('pl;q=0'),
      headers(',;q=x'),
    ]) {
      const { language, subject } = await service().mailTo(await register(given));
      expect(language).to.equal('en');
      expect(subject).to.contain('verification code');
    }
  });

  it('stays that of the registration for mails that others cause', async () => {
    const email = await register(headers('pl'));
    await service().post('/api/auth/resend-verification', { email }, headers('en'));
    expect((await service().mailTo(email, 2)).language).to.equal('pl');
  });

  it('is that of the newest registration, which says in it that one was replaced', async () => {
    const email = await register({});
    await service().post('/api/auth/register', { email, password: PASSWORD }, headers('pl'));
    const { language, text } = await service().mailTo(email, 2);
    expect(language).to.equal('pl');
    expect(text.replaceAll('\n', ' ')).to.contain('prosimy nie używać tego kodu');
  });
});
