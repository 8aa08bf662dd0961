import { expect } from 'chai';
import { useService } from '../support/service.ts';
import { judgeOf } from '../support/tree/documented.ts';

describe('A refusal for a browser', () => {
  const service = useService();
  const path = '/health';

  it('is a page that the reference states, also for a head with too many headers', async () => {
    const fill = Array.from({ length: 100 }, (_, index): [string, string] => [`X-${index}`, 'a']);
    const response = await fetch(service().url + path, { headers: [['Accept', 'text/html'], ...fill] });
    const { status } = response;
    const headers = Object.fromEntries(response.headers);
    expect(headers).to.include({ 'content-type': 'text/html; charset=utf-8' });
    const text = await response.text();
    expect(text).to.include('headers_too_large');
    expect(judgeOf('accounts').problem({ method: 'GET', path, status, headers, text })).to.equal(undefined);
  });
});
